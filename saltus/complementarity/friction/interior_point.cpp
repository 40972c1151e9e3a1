#include "saltus/complementarity/friction/interior_point.hpp"

#include "saltus/complementarity/box_equation.hpp"
#include "saltus/complementarity/friction/cone_blocks.hpp"
#include "saltus/complementarity/friction/newton_iteration.hpp"

namespace saltus::friction {

namespace {

// A constraint on the way: s = G r + h and its multiplier y, both inside L.
struct Cone {
    lorentz::Vector s, y, ds, dy;
    lorentz::Vector target;  // F dy + F^-1 ds = target, the linearised complementarity             docs/theory.md (89)
    lorentz::Scaling scaling;
};

// by_w += e_N sum_k mu_k u_k'/|u_k|: the derivative of De Saxce's shift.
template <class L>
void add_shift_derivative(const L&, const double*, SmallMatrix&) {}
template <int Disks, int DiskSize>
void add_shift_derivative(const FrictionLaw<Disks, DiskSize>& law, const double* u_data, SmallMatrix& by_w) {
    using L = FrictionLaw<Disks, DiskSize>;
    const Eigen::Map<const typename L::Vector> u(u_data);
    for (int k = 0; k < Disks; ++k) {
        const double length = L::disk(u, k).norm();
        if (length > 0.0)
            by_w.template block<1, DiskSize>(0, 1 + k * DiskSize) = law.mu[k] / length * L::disk(u, k).transpose();
    }
}

class InteriorIteration {
public:
    explicit InteriorIteration(const OneStepView& problem)
        : problem_(problem),
          scale_(problem.q.lpNorm<Eigen::Infinity>()),
          form_(cone_form(problem, problem.rho() * scale_)),
          cones_(form_.constraints.size()),
          equation_(problem, Formulation::alart_curnier),
          system_(equation_),
          derivatives_(static_cast<std::size_t>(problem.blocks())),
          r_(form_.interior) {
        for (Eigen::VectorXd* v : {&u_, &imbalance_, &right_side_, &dr_}) v->setZero(problem.size());
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            Cone& cone = cones_[k];
            cone.s = slack(k, r_) + form_.constraints[k].h;
            cone.y = cone.ds = cone.dy = lorentz::Vector::Zero(cone.s.size());
            cone.y[0] = scale_;
        }
        set_velocity();
    }

    const Eigen::VectorXd& r() const { return r_; }
    double residual() const { return saltus::residual(problem_, r_, u_); }

    // One step of Mehrotra's method; false at a numerical breakdown.
    bool step() {
        for (Cone& cone : cones_) cone.scaling = lorentz::Scaling(cone.s, cone.y);
        linearise();
        if (!system_.factor(derivatives_)) return false;
        for (Cone& cone : cones_) cone.target = -cone.scaling.lambda;
        find_direction();
        const double before = gap(0.0), length = step_length();
        const double ratio = before > 0.0 ? std::max(0.0, gap(length) / before) : 0.0;
        const double centring = std::pow(std::min(1.0, ratio), std::max(1.0, 3.0 * length * length));
        for (Cone& cone : cones_) cone.target = corrected_target(cone, 0.998 * centring * before);
        find_direction();
        const double longest = step_length();
        return move(std::min(1.0, (0.9 + 0.09 * longest) * longest));
    }

private:
    lorentz::Vector slack(std::size_t k, const Eigen::VectorXd& r) const {
        const auto& [block, G, h] = form_.constraints[k];
        return G.lazyProduct(r.segment(problem_.W.start(block), problem_.W.size(block)));
    }

    void set_velocity() {
        u_ = problem_.q;
        problem_.W.multiply_add(r_, u_);
    }

    // The mean of s.y after a step of the length t along the last direction.
    double gap(double t) const {
        double sum = 0.0;
        for (const Cone& cone : cones_) sum += (cone.s + t * cone.ds).dot(cone.y + t * cone.dy);
        return cones_.empty() ? 0.0 : sum / static_cast<double>(cones_.size());
    }

    // imbalance = dual(u) - sum G' y, and the system E W + sum G' F^-2 G, E the derivative of dual.   docs/theory.md
    // (90)
    void linearise() {
        imbalance_ = u_;
        add_shift(problem_, imbalance_);
        for (Index i = 0; i < problem_.blocks(); ++i) {
            derivatives_[i].by_w.setIdentity(problem_.W.size(i), problem_.W.size(i));
            derivatives_[i].by_r.setZero(problem_.W.size(i), problem_.W.size(i));
            const double* u = u_.data() + problem_.W.start(i);
            std::visit([&](const auto& law) { add_shift_derivative(law, u, derivatives_[i].by_w); }, problem_.law(i));
        }
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            const auto& [block, G, h] = form_.constraints[k];
            const auto scaled = (cones_[k].scaling.inverse.lazyProduct(G)).eval();
            derivatives_[block].by_r += scaled.transpose().lazyProduct(scaled);
            imbalance_.segment(problem_.W.start(block), problem_.W.size(block)) -=
                G.transpose().lazyProduct(cones_[k].y);
        }
        for (Index i = 0; i < problem_.blocks(); ++i) fix_rows(i);
    }

    void fix_rows(Index i) {
        const Index first = problem_.W.start(i), n = problem_.W.size(i);
        Index count = 0;
        for (Index c = 0; c < n; ++c) {
            if (!form_.fixed[first + c]) continue;
            ++count;
            derivatives_[i].by_w.row(c).setZero();
            derivatives_[i].by_r.row(c).setZero();
            derivatives_[i].by_r(c, c) = 1.0;
            imbalance_[first + c] = 0.0;
        }
        derivatives_[i].is_open = count == n;
    }

    void find_direction() {
        right_side_ = imbalance_;
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            const auto& [block, G, h] = form_.constraints[k];
            right_side_.segment(problem_.W.start(block), problem_.W.size(block)) -=
                G.transpose().lazyProduct((cones_[k].scaling.inverse.lazyProduct(cones_[k].target)).eval());
        }
        for (Index c = 0; c < problem_.size(); ++c)
            if (form_.fixed[c]) right_side_[c] = 0.0;
        system_.solve(derivatives_, right_side_, dr_);
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            Cone& cone = cones_[k];
            cone.ds = slack(k, dr_);
            cone.dy = cone.scaling.inverse * (cone.target - cone.scaling.inverse * cone.ds);
        }
    }

    static lorentz::Vector corrected_target(const Cone& cone, double gap) {
        const auto& [F, inverse, lambda] = cone.scaling;
        lorentz::Vector b = -lorentz::product(lambda, lambda) - lorentz::product(F * cone.dy, inverse * cone.ds);
        b[0] += gap;
        return lorentz::divide(b, lambda);
    }

    double step_length() const {
        double length = 1.0;
        for (const Cone& cone : cones_) {
            length = lorentz::step_to_boundary(cone.s, cone.ds, length);
            length = lorentz::step_to_boundary(cone.y, cone.dy, length);
        }
        return length;
    }

    bool move(double length) {
        if (!dr_.allFinite() || !(length > 1e-12)) return false;
        r_ += length * dr_;
        set_velocity();
        for (std::size_t k = 0; k < cones_.size(); ++k) {
            Cone& cone = cones_[k];
            cone.s = slack(k, r_) + form_.constraints[k].h;
            cone.y += length * cone.dy;
            if (!(lorentz::distance(cone.s) > 0.0 && lorentz::distance(cone.y) > 0.0)) return false;
        }
        if (getenv("IPV"))
            printf("   length %g gap %g imbalance %g residual %g\n", length, gap(0.0), imbalance_.norm(), residual());
        return true;
    }

    const OneStepView& problem_;
    double scale_;  // of the velocities
    ConeForm form_;
    std::vector<Cone> cones_;
    OneStepEquation equation_;
    NewtonSystem system_;
    std::vector<BlockDerivative> derivatives_;
    Eigen::VectorXd r_, u_, imbalance_, right_side_, dr_;
};

}  // namespace

SolveReport InteriorPoint::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    SolveReport report{.residual = residual(problem, r), .solver = name};
    if (report.residual <= tolerance) return conclude(problem, r, tolerance, std::move(report));
    InteriorIteration iteration(problem);
    NewtonIteration newton(problem, Formulation::alart_curnier);
    double polished = 1e-3;
    while (report.residual > tolerance && report.iterations < max_iterations) {
        if (!iteration.step()) {
            report.status = SolveStatus::stalled;
            break;
        }
        ++report.iterations;
        if (const double reached = iteration.residual(); reached < report.residual) {
            report.residual = reached;
            r = iteration.r();
        }
        if (report.residual > polished) continue;
        polished = 1e-2 * report.residual;
        newton.start(iteration.r(), 0.0, iteration.r());
        for (int k = 0; k < polish_iterations && report.residual > tolerance; ++k) {
            ++report.iterations;
            if (!newton.step(0.0, 1e-3)) break;
            if (const double reached = newton.residual(); reached < report.residual) {
                report.residual = reached;
                r = newton.r();
            }
        }
        if (getenv("IPV")) printf("   polish: %g\n", report.residual);
    }
    return conclude(problem, r, tolerance, std::move(report));
}

}  // namespace saltus::friction
