#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// Verner's explicit Runge-Kutta method of order 6, with an estimate of its error of order 5, for x' = f(t, x); its
// coefficients are those of SUNDIALS. One step from (t, x), whose slope is known:
//     k_i = f(t + c_i h, x + h sum_j<i a_ij k_j),   x+ = x + h sum b_i k_i,   error = h sum (b_i - d_i) k_i.
// A step allocates nothing. `f(t, x, slope)` returns false where it is not defined; the step then fails.
class ExplicitRungeKutta {
public:
    static constexpr int order = 6;

    explicit ExplicitRungeKutta(Index size);

    // False if f is not defined on the way.
    template <class F>
    bool step(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double h, Eigen::VectorXd& end) {
        slopes_.col(0) = slope;
        for (Index i = 1; i < stages(); ++i) {
            stage_.noalias() = slopes_.leftCols(i) * (h * a_.col(i).head(i));
            stage_ += x;
            if (!f(t + c_[i] * h, stage_, stage_slope_)) return false;
            slopes_.col(i) = stage_slope_;
        }
        end.noalias() = slopes_ * (h * b_);
        end += x;
        error_.noalias() = slopes_ * (h * error_weights_);
        return true;
    }
    // Of the last step.
    const Eigen::VectorXd& error() const { return error_; }

private:
    Index stages() const { return b_.size(); }

    Eigen::MatrixXd a_;  // a column a stage
    Eigen::VectorXd b_, c_, error_weights_;
    Eigen::MatrixXd slopes_;
    Eigen::VectorXd stage_, stage_slope_, error_;
};

}  // namespace saltus
