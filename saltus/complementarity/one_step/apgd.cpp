#include "saltus/complementarity/one_step/apgd.hpp"

#include <cmath>

#include "saltus/complementarity/one_step/equilibrated.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

class GradientIteration {
public:
    GradientIteration(const Apgd& options, const Equilibrated& problem, BestPoint& best, const Eigen::VectorXd& guess)
        : options_(options),
          problem_(problem.scaled()),
          best_(best),
          split_(problem_.W.to_sparse()),
          r_(problem.to_scaled(guess)),
          Wr_(r_.size()),
          next_(r_.size()),
          Wnext_(r_.size()),
          y_(r_.size()),
          Wy_(r_.size()),
          g_(r_.size()),
          c_(r_.size()),
          w_(r_.size()) {
        project(problem_, r_);
        multiply(r_, Wr_);
        next_.setOnes();
        multiply(next_, Wnext_);
        L_ = std::max(Wnext_.norm() / next_.norm(), 1e-3);  // the mean diagonal of W is 1
        refresh();
    }

    SolveReport run() {
        SolveReport report{.solver = Apgd::name};
        while (!best_.is_solution() && report.iterations < options_.max_iterations) {
            check_interruption();
            options_.history.add([&] { return best_.residual_of(r_); });
            if (!step(report.iterations)) {
                report.status = SolveStatus::stalled;
                report.message = "no step is short enough: W may not be positive semidefinite";
                break;
            }
            const bool uphill = g_.dot(next_ - r_) > 0.0;
            const double change = (next_ - r_).norm();
            extrapolate();
            if (++since_judged_ >= 10 || change <= 10.0 * options_.tolerance * r_.norm()) judge();
            if (uphill || ++since_refreshed_ >= options_.refresh) refresh();
        }
        judge();
        return report;
    }

private:
    // y = W_s x: the product with W less its skew part.
    void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
        y.setZero();
        problem_.W.multiply_add(x, y);
        if (!split_.is_symmetric()) y.noalias() -= split_.skew * x;
    }

    void set_velocity() {
        w_ = Wr_ + problem_.q;
        if (!split_.is_symmetric()) w_.noalias() += split_.skew * r_;
    }

    void judge() {
        set_velocity();
        best_.judge(r_, w_);
        since_judged_ = 0;
    }

    // c = q + shift(w) + W_k r, and the momentum dropped. As w = W_s r + q + W_k r:  c = dual(w) - W_s r.
    void refresh() {
        set_velocity();
        add_shift(problem_, w_);
        c_ = w_ - Wr_;
        y_ = r_;
        Wy_ = Wr_;
        theta_ = 1.0;
        since_refreshed_ = 0;
    }

    // next = P_K(y - g / L) with L large enough; false where there is none (a number is not finite).
    bool step(int& products) {
        constexpr double largest = 1e15;
        g_ = Wy_ + c_;
        for (; L_ < largest; L_ *= 2.0) {
            next_ = y_ - g_ / L_;
            project(problem_, next_);
            multiply(next_, Wnext_);
            ++products;
            const double length = (next_ - y_).squaredNorm();
            const double curvature = (next_ - y_).dot(Wnext_ - Wy_);
            if (curvature <= L_ * length || !(length > rounding * next_.squaredNorm())) return std::isfinite(length);
        }
        return false;
    }

    void extrapolate() {
        const double next_theta = 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4.0) - theta_);
        const double beta = theta_ * (1.0 - theta_) / (theta_ * theta_ + next_theta);
        theta_ = next_theta;
        y_ = next_ + beta * (next_ - r_);
        Wy_ = Wnext_ + beta * (Wnext_ - Wr_);
        r_.swap(next_);
        Wr_.swap(Wnext_);
        L_ *= 0.9;
    }

    static constexpr double rounding = 1e-30;  // squared: below it the curvature is noise

    const Apgd& options_;
    const OneStepView& problem_;
    BestPoint& best_;
    SymmetricSplit split_;
    Eigen::VectorXd r_, Wr_, next_, Wnext_, y_, Wy_, g_, c_, w_;
    double L_ = 1.0, theta_ = 1.0;
    int since_judged_ = 0, since_refreshed_ = 0;
};

}  // namespace

SolveReport Apgd::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(refresh >= 1, "{}: refresh is {}; it must be one or more", name, refresh);
    const Equilibrated equilibrated(problem);
    BestPoint best(equilibrated, tolerance, r);
    if (best.is_solution()) return best.conclude({.solver = name}, history);
    const Eigen::VectorXd guess = r;
    return best.conclude(GradientIteration(*this, equilibrated, best, guess).run(), history);
}

}  // namespace saltus::one_step
