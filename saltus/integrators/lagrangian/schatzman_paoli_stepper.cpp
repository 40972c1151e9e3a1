#include "saltus/integrators/lagrangian/schatzman_paoli_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

SchatzmanPaoliStepper::SchatzmanPaoliStepper(const LagrangianModel& model, const SchatzmanPaoli& scheme, double h)
    : LagrangianStepperBase(model, h, 1.0),
      scheme_(scheme),
      is_linear_(model.is_linear()),
      operator_(system_starts_, blocks_.size(), is_linear_),
      directions_(blocks_.size()) {
    scheme_.check();
    check_limits(SchatzmanPaoli::name, {.has_friction = false}, model);
    for (const LagrangianSystem& system : model.systems) motions_.push_back(make_central_motion(system, model.t0, h));
    mean_ = v_;
    x_ = Eigen::VectorXd::Zero(v_.size());
    x_free_ = x_last_ = x_;
    q_next_ = q_mirror_ = q_;
    P_next_ = P_;
}

// q_k+1 = q_k + h (s + x); in the first step, whose s is v_0, q_1 = q_0 + h (v_0 + x / 2).
void SchatzmanPaoliStepper::move() { q_next_ = q_ + h_ * (mean_ + (is_started_ ? 1.0 : 0.5) * x_); }

double SchatzmanPaoliStepper::reflect(const StepBlock& block) {
    const double e = block.contact() ? block.contact()->restitution : 0.0;
    q_mirror_ = (q_next_ + e * (q_ - h_ * mean_)) / (1.0 + e);
    return (time_of(steps_ + 1) + e * time_of(steps_ - 1)) / (1.0 + e);
}

// y(q^) (1 + e) / (h c), c the factor of x in q_k+1, is linearised in x.
void SchatzmanPaoliStepper::linearise(StepBlock& block) {
    const double e = block.contact() ? block.contact()->restitution : 0.0;
    block.functions.evaluate(reflect(block), q_mirror_);
    fill_position(block, (is_started_ ? h_ : 0.5 * h_) / (1.0 + e), x_);
    const auto i = static_cast<std::size_t>(&block - blocks_.data());
    if (!block.contact()) block.B = directions_[i];
}

bool SchatzmanPaoliStepper::find_free_change() {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s];
        const bool is_solved = std::visit(
            [&](auto& motion) { return motion.linearise(x_.data() + at, x_free_.data() + at); }, motions_[s]);
        if (!is_solved) return false;
    }
    return true;
}

bool SchatzmanPaoliStepper::find_percussions() {
    for (const Index i : active_) linearise(blocks_[static_cast<std::size_t>(i)]);
    x_last_ = x_;
    x_ = x_free_;
    if (active_.empty()) return true;
    operator_.update(blocks_, active_, solver_, [this](std::size_t s, double* x) {
        std::visit([x](const auto& motion) { motion.solve(x); }, motions_[s]);
    });
    const bool is_solved = operator_.solve(blocks_, active_, solver_, x_, P_next_);
    report_ = solver_.report();
    return is_solved;
}

// Newton's correction, relative to the velocities of each system and what forces make of them.
bool SchatzmanPaoliStepper::has_converged() const {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s], size = system_starts_[s + 1] - at;
        const double change = std::visit([](const auto& motion) { return motion.change(); }, motions_[s]);
        const double speed = std::max({mean_.segment(at, size).lpNorm<Eigen::Infinity>(),
                                       x_.segment(at, size).lpNorm<Eigen::Infinity>(), change});
        if (!((x_ - x_last_).segment(at, size).lpNorm<Eigen::Infinity>() <= scheme_.tolerance * speed)) return false;
    }
    return true;
}

bool SchatzmanPaoliStepper::find_change() {
    x_.setZero();
    P_next_ = P_;
    for (const StepBlock& block : blocks_)
        if (!block.is_active) P_next_.segment(block.start, block.rows()).setZero();
    for (int k = 0; k <= scheme_.max_iterations; ++k) {
        move();
        if (!find_free_change())
            return fail("a force or the mass is not finite: does the model blow up, or is the step too long?");
        if (!find_percussions()) return false;
        if (is_linear_ || (k > 0 && has_converged())) {
            move();
            return q_next_.allFinite() ||
                   fail("the positions are no longer finite: does the model blow up, or is the step too long?");
        }
    }
    report_ = {.status = SolveStatus::iteration_limit,
               .iterations = scheme_.max_iterations,
               .message = "Newton's method does not converge; take a shorter step"};
    return false;
}

bool SchatzmanPaoliStepper::activate_violated() {
    const std::size_t before = active_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        if (block.is_active) continue;
        block.functions.evaluate(reflect(block), q_mirror_);
        block.is_active = !(block.functions.y()[0] >= 0.0);
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
    return active_.size() > before;
}

StepOutcome SchatzmanPaoliStepper::step() {
    for (std::size_t s = 0; s < motions_.size(); ++s) {
        const Index at = system_starts_[s];
        std::visit([&](auto& motion) { motion.begin(t(), q_.data() + at, mean_.data() + at); }, motions_[s]);
    }
    active_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        StepBlock& block = blocks_[i];
        const bool is_contact = block.contact() != nullptr;
        if (!is_contact) {
            if (!block.functions.is_steady()) block.functions.evaluate(t(), q_);
            directions_[i] = block.functions.J().transpose();
        }
        block.is_active = !is_contact || P_[block.start] > 0.0 || y_[block.start] + h_ * u_[block.start] <= 0.0;
        if (block.is_active) active_.push_back(static_cast<Index>(i));
    }
    do {
        if (!find_change()) return StepOutcome::failed;
    } while (activate_violated());
    return end_step();
}

// Half of the first node is before t_0: for a force P is like that of other steps, for an impact it is twice too large.
StepOutcome SchatzmanPaoliStepper::end_step() {
    for (const StepBlock& block : blocks_)
        if (!is_started_ && block.contact() && y_[block.start] <= 0.0 && u_[block.start] < 0.0)
            P_next_[block.start] *= 0.5;
    v_ = mean_ = (q_next_ - q_) / h_;
    q_.swap(q_next_);
    P_.swap(P_next_);
    is_started_ = true;
    return finish_step();
}

bool SchatzmanPaoliStepper::accept_unsolved() {
    move();
    if (!q_next_.allFinite()) return false;
    end_step();
    return true;
}

void SchatzmanPaoliStepper::resume(const LagrangianState& state) {
    LagrangianStepperBase::resume(state);
    mean_ = v_;
    is_started_ = false;
}

}  // namespace saltus
