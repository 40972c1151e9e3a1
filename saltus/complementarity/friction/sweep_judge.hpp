#pragma once

#include "saltus/complementarity/friction/one_step_problem.hpp"

namespace saltus::friction {

// Keeps the best point of an iteration x <- G(x), with its residual in the report. The full residual costs as much as a
// sweep: it is asked for when |G(x) - x| <= gate |G(x)|, where the gate is lowered each time that the residual was not
// yet small enough, and every hundredth time.
class SweepJudge {
public:
    // r is the first guess, and the best point from then on.
    SweepJudge(const OneStepView& problem, double tolerance, Eigen::VectorXd& r, SolveReport& report)
        : problem_(problem), tolerance_(tolerance), gate_(10.0 * tolerance), r_(r), report_(report), w_(r.size()) {
        leave_escape(problem, tolerance, r);
        report_.residual = residual(problem, r);
    }

    bool is_solved() const { return report_.residual <= tolerance_; }

    // False if the iteration must end: the point is no number, or runs to infinity. `change` is |swept - x|.
    bool judge(const Eigen::VectorXd& swept, double change, bool is_last) {
        const bool is_open = change <= gate_ * swept.norm();
        if (!is_open && !is_last && report_.iterations % 100 != 0) return true;
        w_ = problem_.q;
        problem_.W.multiply_add(swept, w_);
        const double error = residual(problem_, swept, w_);
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
        return std::isfinite(error);
    }

private:
    const OneStepView& problem_;
    double tolerance_, gate_;
    Eigen::VectorXd& r_;
    SolveReport& report_;
    Eigen::VectorXd w_;
};

}  // namespace saltus::friction
