#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// Verner's explicit Runge-Kutta method of order 6, with an estimate of its error of order 5, for x' = f(t, x); its
// coefficients are those of SUNDIALS. One step from (t, x), whose slope is known:
//     k_i = f(t + c_i h, x + h sum_j<i a_ij k_j),   x+ = x + h sum b_i k_i,   error = h sum (b_i - d_i) k_i.
// Steps have the length that keeps the error of each of the first `controlled` entries below the tolerance, relative to
// the entry or to its scale, 1 if none was set. They allocate nothing. `f(t, x, slope)` returns false where it is not
// defined.
class ExplicitRungeKutta {
public:
    static constexpr int order = 6;

    ExplicitRungeKutta(Index size, Index controlled, double tolerance, double first_length);

    void set_scale(const Eigen::VectorXd& scale) { scale_ = scale; }
    // After an event: the next step need not be as short as the last, which led to it.
    void restart(double, const Eigen::VectorXd&) { next_length_ = std::max(next_length_, 1e-3 * first_length_); }
    // Makes one step from (t, x), no longer than `limit`. Returns its length, or 0 if none was found.
    template <class F>
    double advance(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double limit,
                   Eigen::VectorXd& end) {
        double h = std::min(next_length_, limit);
        while (h >= 1e-15 * std::max(first_length_, std::abs(t))) {
            const double error = step(f, t, x, slope, h, end) ? error_of(end) : 1e9;
            const double factor = error > 0.0 ? 0.9 * std::pow(error, -1.0 / order) : 5.0;
            if (error <= 1.0) {
                if (h < limit || factor < 1.0) next_length_ = h * std::clamp(factor, 0.2, 5.0);
                return h;
            }
            h *= std::clamp(factor, 0.1, 0.8);
            next_length_ = h;
        }
        return 0.0;
    }
    // The state at the time `s` after the beginning of the last step, by another step of that length: no interpolation.
    template <class F>
    bool evaluate(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double s,
                  Eigen::VectorXd& end) {
        return step(f, t, x, slope, s, end);
    }
    double next_length() const { return next_length_; }

private:
    template <class F>
    bool step(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double h, Eigen::VectorXd& end) {
        slopes_.col(0) = slope;
        for (Index i = 1; i < stages(); ++i) {
            stage_ = x;
            for (Index j = 0; j < i; ++j)
                if (a_(j, i) != 0.0) stage_ += (h * a_(j, i)) * slopes_.col(j);
            if (!f(t + c_[i] * h, stage_, stage_slope_)) return false;
            slopes_.col(i) = stage_slope_;
        }
        end = x;
        error_.setZero();
        for (Index j = 0; j < stages(); ++j) {
            if (b_[j] != 0.0) end += (h * b_[j]) * slopes_.col(j);
            if (error_weights_[j] != 0.0) error_ += (h * error_weights_[j]) * slopes_.col(j);
        }
        return true;
    }
    // The error of the last step, in units of the tolerance.
    double error_of(const Eigen::VectorXd& end) const;
    Index stages() const { return b_.size(); }

    Index controlled_;
    double tolerance_, first_length_, next_length_;
    Eigen::MatrixXd a_;  // one column per stage
    Eigen::VectorXd b_, c_, error_weights_;
    Eigen::MatrixXd slopes_;
    Eigen::VectorXd stage_, stage_slope_, error_, scale_;
};

}  // namespace saltus
