#include "saltus/complementarity/one_step/proximal_point.hpp"

#include <utility>

#include "saltus/complementarity/nonlinear/box_equation.hpp"
#include "saltus/complementarity/one_step/newton_iteration.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

constexpr double shortest_inner_step = 1e-3;
constexpr double largest_alpha = 1e8;

class ProximalIteration {
public:
    ProximalIteration(const ProximalPoint& options, const OneStepView& problem, const Eigen::VectorXd& r)
        : options_(options), newton_(problem, options.formulation), centre_(r), best_(r), alpha_(options.alpha) {
        newton_.start(centre_, alpha_, centre_);
        reached_ = best_residual_ = newton_.residual(options_.tolerance);
    }

    SolveReport run() {
        SolveReport report{.solver = ProximalPoint::name};
        while (!is_solved() && newton_.factorizations() < options_.max_iterations) {
            newton_.start(centre_, alpha_, centre_);
            if (solve_proximal_problem()) {
                centre_ = newton_.r();
                alpha_ = std::max(alpha_ * options_.decrease, options_.smallest_alpha);
            } else {
                alpha_ *= options_.increase;
            }
            if (alpha_ > largest_alpha) {
                report.status = SolveStatus::stalled;
                report.message = "no proximal term lets Newton's method descend; use interior-point";
                break;
            }
        }
        report.iterations = newton_.factorizations();
        return report;
    }

    const Eigen::VectorXd& best() const { return best_; }

private:
    bool is_solved() const { return best_residual_ <= options_.tolerance; }

    bool solve_proximal_problem() {
        const double goal = options_.accuracy * options_.accuracy * newton_.merit();
        MeritWindow merits(options_.window);
        for (int k = 0; k < options_.newton_iterations && newton_.factorizations() < options_.max_iterations; ++k) {
            check_interruption();
            merits.push(newton_.merit());
            if (!newton_.step(merits.reference(), shortest_inner_step)) return false;
            note();
            if (is_solved() || newton_.merit() <= goal) return true;
        }
        return false;
    }

    void note() {
        options_.history.add(std::exchange(reached_, newton_.residual(options_.tolerance)));
        if (reached_ < best_residual_) {
            best_residual_ = reached_;
            best_ = newton_.r();
        }
    }

    const ProximalPoint& options_;
    NewtonIteration newton_;
    Eigen::VectorXd centre_, best_;
    double reached_ = 0.0, best_residual_ = 0.0, alpha_;
};

}  // namespace

SolveReport ProximalPoint::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    const auto is_positive = [](double number) { return number > 0.0 && std::isfinite(number); };
    require(is_positive(alpha) && is_positive(smallest_alpha),
            "{}: alpha is {}, smallest_alpha {}; both must be positive", name, alpha, smallest_alpha);
    require(0.0 < decrease && decrease < 1.0 && increase > 1.0 && std::isfinite(increase),
            "{}: decrease is {}, increase {}; they must lie below and above 1", name, decrease, increase);
    require(0.0 < accuracy && accuracy < 1.0, "{}: accuracy is {}; it must lie between 0 and 1", name, accuracy);
    require(newton_iterations >= 1 && window >= 1, "{}: newton_iterations is {}, window {}; both must be at least 1",
            name, newton_iterations, window);
    leave_escape(problem, tolerance, r);
    ProximalIteration iteration(*this, problem, r);
    SolveReport report = iteration.run();
    r = iteration.best();
    return conclude(problem, r, tolerance, std::move(report), history);
}

}  // namespace saltus::one_step
