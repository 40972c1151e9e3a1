#include "saltus/complementarity/one_step/newton_iteration.hpp"

namespace saltus::one_step {

NewtonIteration::NewtonIteration(const OneStepView& problem, Formulation formulation)
    : equation_(problem, formulation), system_(equation_), derivatives_(static_cast<std::size_t>(problem.blocks())) {
    const Index n = problem.size();
    for (Eigen::VectorXd* v : {&r_, &u_, &F_, &d_, &Wd_, &trial_r_, &trial_u_, &trial_F_}) v->setZero(n);
}

void NewtonIteration::start(const Eigen::VectorXd& r, double alpha, const Eigen::VectorXd& centre) {
    equation_.set_proximal(alpha, centre);
    r_ = r;
    set_velocity();
    evaluate();
}

void NewtonIteration::set_velocity() {
    u_ = equation_.problem().q;
    equation_.problem().W.multiply_add(r_, u_);
}

void NewtonIteration::evaluate() {
    equation_.evaluate(r_, u_, F_, derivatives_);
    merit_ = F_.squaredNorm();
}

bool NewtonIteration::find_direction() {
    for (const double shift : {0.0, 1e-9, 1e-6, 1e-3}) {
        ++factorizations_;
        if (!system_.factor(derivatives_, shift)) continue;
        system_.solve(derivatives_, F_, d_);
        if (d_.allFinite()) return true;
    }
    return false;
}

bool NewtonIteration::search(double reference, double shortest) {
    Wd_.setZero();
    equation_.problem().W.multiply_add(d_, Wd_);
    reference = std::max(reference, merit_);
    for (double t = 1.0; t >= shortest; t *= 0.5) {
        trial_r_ = r_ + t * d_;
        trial_u_ = u_ + t * Wd_;
        equation_.evaluate(trial_r_, trial_u_, trial_F_, derivatives_);
        if (trial_F_.squaredNorm() <= reference - 1e-4 * t * merit_) return true;
    }
    return false;
}

bool NewtonIteration::step(double reference, double shortest) {
    const bool has_moved = find_direction() && search(reference, shortest);
    if (has_moved) r_.swap(trial_r_);
    set_velocity();  // from r itself: the rounding of the updates of u must not gather
    evaluate();
    return has_moved;
}

}  // namespace saltus::one_step
