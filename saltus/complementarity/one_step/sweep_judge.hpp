#pragma once

#include <utility>

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Keeps the best point of an iteration x <- G(x), with its residual in the report. The full residual costs as much as a
// sweep: it is computed when |G(x) - x| <= gate |G(x)|, and every hundredth time. The gate is lowered each time the
// residual was not yet small enough. With a history it is computed every time; nothing else changes.
class SweepJudge {
public:
    // r is the first guess, and the best point from then on.
    SweepJudge(const OneStepView& problem, double tolerance, Eigen::VectorXd& r, SolveReport& report, History history)
        : problem_(problem),
          tolerance_(tolerance),
          gate_(10.0 * tolerance),
          r_(r),
          report_(report),
          history_(history),
          w_(r.size()) {
        leave_escape(problem, tolerance, r);
        last_ = report_.residual = residual(problem, r);
    }

    bool is_solved() const { return report_.residual <= tolerance_; }

    // False if the iteration must end: the point is not finite, or runs to infinity. `change` is |swept - x|.
    bool judge(const Eigen::VectorXd& swept, double change, bool is_last) {
        const bool is_open = change <= gate_ * swept.norm();
        const bool is_due = is_open || is_last || report_.iterations % 100 == 0;
        if (!is_due && !history_) return true;
        w_ = problem_.q;
        problem_.W.multiply_add(swept, w_);
        const double error = residual(problem_, swept, w_);
        history_.add(std::exchange(last_, error));
        if (!is_due) return true;
        if (is_open) gate_ *= std::clamp(0.5 * tolerance_ / error, 1e-3, 0.5);
        if (is_escape(error, speed_error(problem_, error, swept, w_), tolerance_)) {
            report_.status = SolveStatus::stalled;
            report_.message = escape_message;
            return false;
        }
        if (error < report_.residual) {
            report_.residual = error;
            r_ = swept;
        }
        if (std::isfinite(error)) return true;
        report_.status = SolveStatus::stalled;
        report_.message = not_finite_message;
        return false;
    }

private:
    const OneStepView& problem_;
    double tolerance_, gate_;
    Eigen::VectorXd& r_;
    SolveReport& report_;
    History history_;
    double last_ = 0.0;  // the residual of the last point, for the history
    Eigen::VectorXd w_;
};

}  // namespace saltus::one_step
