#pragma once

#include "saltus/core/dense.hpp"
#include "saltus/core/matrix.hpp"

namespace saltus {

// Implicit Runge-Kutta collocation methods with s stages, for x' = f(t, x):
//     k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x+ = x + h sum b_i k_i.
// Gauss: c the zeros of Legendre's polynomial of degree s on [0, 1], order 2 s. Radau IIA: c_s = 1 is one of them,
// order 2 s - 1, L-stable. Steps have the length that is asked for; their equations are solved by Newton's method with
// the Jacobian at the beginning, from differences.
class Collocation {
public:
    enum class Family { gauss, radau };
    static constexpr int most_stages = 6;

    Collocation(Family family, int stages, Index size, double length);

    // The scale of the entries of x: their differences are relative to it, or to 1 if none was set.
    void set_scale(const Eigen::VectorXd& scale) { scale_ = scale; }
    void restart(double, const Eigen::VectorXd&) {}
    // Makes one step from (t, x), no longer than `limit`. Returns its length, or 0 if Newton's method fails.
    template <class F>
    double advance(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double limit,
                   Eigen::VectorXd& end) {
        // The last step takes what rounding leaves.
        const double h = limit < length_ * (1.0 + 1e-9) ? limit : length_;
        return find_jacobian(f, t, x, slope) && step(f, t, x, slope, h, end) ? h : 0.0;
    }
    // The state at the time `s` after the beginning of the last step, by another step of that length.
    template <class F>
    bool evaluate(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double s,
                  Eigen::VectorXd& end) {
        return step(f, t, x, slope, s, end);
    }
    double next_length() const { return length_; }
    // The state of a stage of the last step, which began at x and had the length h.
    void read_stage(Index i, const Eigen::VectorXd& x, double h, Eigen::VectorXd& stage) const {
        stage.noalias() = x + slopes_ * (h * a_.row(i).transpose());
    }
    // The length of the last step.
    double length() const { return factored_; }

    Index stages() const { return b_.size(); }
    const Eigen::MatrixXd& a() const { return a_; }
    const Eigen::VectorXd& b() const { return b_; }
    const Eigen::VectorXd& c() const { return c_; }

private:
    template <class F>
    bool find_jacobian(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope) {
        const double root = std::sqrt(std::numeric_limits<double>::epsilon());
        stage_ = x;
        for (Index j = 0; j < x.size(); ++j) {
            const double difference = root * std::max(scale_[j], std::abs(x[j]));
            stage_[j] = x[j] + difference;
            if (!f(t, stage_, stage_slope_)) return false;
            jacobian_.col(j) = (stage_slope_ - slope) / difference;
            stage_[j] = x[j];
        }
        factored_ = 0.0;
        return true;
    }
    // slopes_ <- k, column by column.
    template <class F>
    bool step(F& f, double t, const Eigen::VectorXd& x, const Eigen::VectorXd& slope, double h, Eigen::VectorXd& end) {
        constexpr int most_iterations = 50;
        factor(h);
        slopes_.colwise() = slope;
        double last = std::numeric_limits<double>::infinity();
        for (int k = 0; k < most_iterations; ++k) {
            for (Index i = 0; i < stages(); ++i) {
                stage_.noalias() = x + slopes_ * (h * a_.row(i).transpose());
                if (!f(t + c_[i] * h, stage_, stage_slope_)) return false;
                residual_.segment(i * x.size(), x.size()) = stage_slope_ - slopes_.col(i);
            }
            const double change = correct();
            const double size = std::max(slopes_.lpNorm<Eigen::Infinity>(), 1e-300);
            if (!std::isfinite(change)) return false;
            const bool is_settled = change <= 1e-15 * size || (change <= 1e-10 * size && change >= 0.5 * last);
            if (is_settled) {
                end.noalias() = x + slopes_ * (h * b_);
                return true;
            }
            last = change;
        }
        return false;
    }
    // (1 - h a x J) of the stages.
    void factor(double h);
    // One iteration of Newton's method on slopes_; the largest change.
    double correct();

    double length_, factored_ = 0.0;  // the length of the step whose equations are factored
    Eigen::MatrixXd a_;
    Eigen::VectorXd b_, c_;
    Eigen::MatrixXd jacobian_, slopes_;
    Eigen::VectorXd stage_, stage_slope_, residual_, change_, scale_;
    DenseLu factors_;
};

}  // namespace saltus
