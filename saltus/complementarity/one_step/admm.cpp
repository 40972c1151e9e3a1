#include "saltus/complementarity/one_step/admm.hpp"

#include "saltus/complementarity/one_step/anderson.hpp"
#include "saltus/complementarity/one_step/splitting.hpp"
#include "saltus/complementarity/one_step/step_balance.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

class AdmmIteration {
public:
    AdmmIteration(const Admm& options, const Equilibrated& problem, BestPoint& best, const Eigen::VectorXd& r)
        : options_(options),
          problem_(problem.scaled()),
          best_(best),
          splitting_(problem_.W),
          anderson_(problem_.size(), options.memory),
          balance_(options.balance_ratio),
          y_(problem.to_scaled(r)),
          z_(velocity(problem_, y_)),
          last_y_(y_),
          c_(y_.size()),
          t_(y_.size()),
          next_(y_.size()) {}

    SolveReport run() {
        SolveReport report{.solver = Admm::name};
        if (!splitting_.set_step(options_.step > 0.0 ? options_.step : splitting_.spectral_step())) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = "W + rho I is singular: W is not positive semidefinite; try a larger step";
            return report;
        }
        add_shift(problem_, z_);
        t_ = y_ - z_ / splitting_.step();
        while (!best_.is_solution() && report.iterations < options_.max_iterations) {
            check_interruption();
            options_.history.add([&] { return best_.residual_of(last_y_); });
            iterate();
            ++report.iterations;
            if (is_time_to_judge(report.iterations) && !std::isfinite(best_.judge(y_))) {
                report.status = SolveStatus::stalled;
                report.message = not_finite_message;
                break;
            }
            if (!balance()) {
                report.status = SolveStatus::unsuitable_problem;
                report.message = "W + rho I is singular for a balanced rho: W is not positive semidefinite";
                break;
            }
        }
        return report;
    }

private:
    void iterate() {
        y_ = t_;
        project(problem_, y_);
        z_ = splitting_.step() * (y_ - t_);
        // c = q + shift(z): the shift is what add_shift adds to z.
        c_ = z_;
        add_shift(problem_, c_);
        c_ += problem_.q - z_;
        next_ = t_;
        splitting_.advance(c_, y_, next_);
        primal_ = (splitting_.x() - y_).norm();
        dual_ = splitting_.step() * (y_ - last_y_).norm();
        last_y_ = y_;
        anderson_.accelerate(t_, next_);
        t_.swap(next_);
    }

    // The residual costs a product with W: it is computed when the iteration itself promises it, and now and then.
    bool is_time_to_judge(int iteration) const {
        const double promise = 10.0 * options_.tolerance;
        return iteration % 10 == 0 || (primal_ <= promise * y_.norm() && dual_ <= promise * velocity_scale());
    }
    double velocity_scale() const { return std::max(z_.norm(), problem_.q.norm()); }

    // False if no step is found for which W + rho I is regular.
    bool balance() {
        const double r_scale = y_.norm(), u_scale = velocity_scale();
        if (!(r_scale > 0.0 && u_scale > 0.0)) return true;
        const double factor = balance_.factor(primal_ / r_scale, dual_ / u_scale);
        if (factor == 1.0) return true;
        y_ = t_;
        project(problem_, y_);
        z_ = splitting_.step() * (y_ - t_);
        const bool regular = splitting_.set_step(factor * splitting_.step());
        t_ = y_ - z_ / splitting_.step();
        anderson_.restart();
        return regular;
    }

    const Admm& options_;
    const OneStepView& problem_;
    BestPoint& best_;
    Splitting splitting_;
    Anderson anderson_;
    StepBalance balance_;
    Eigen::VectorXd y_, z_, last_y_, c_, t_, next_;
    double primal_ = 0.0, dual_ = 0.0;
};

}  // namespace

SolveReport Admm::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(step >= 0.0 && std::isfinite(step), "{}: step is {}; it must be positive, or 0 for a spectral one", name,
            step);
    check_memory(name, memory);
    require(balance_ratio >= 0.0 && std::isfinite(balance_ratio),
            "{}: balance_ratio is {}; it must be positive, or 0 for a constant step", name, balance_ratio);
    const Equilibrated equilibrated(problem);
    BestPoint best(equilibrated, tolerance, r);
    if (best.is_solution()) return best.conclude({.solver = name}, history);
    const Eigen::VectorXd guess = r;
    return best.conclude(AdmmIteration(*this, equilibrated, best, guess).run(), history);
}

}  // namespace saltus::one_step
