#include "saltus/complementarity/one_step/extra_gradient.hpp"

#include "saltus/complementarity/one_step/equilibrated.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

class ExtraGradientIteration {
public:
    ExtraGradientIteration(const Equilibrated& problem, BestPoint& best, const Eigen::VectorXd& guess)
        : problem_(problem.scaled()),
          best_(best),
          r_(problem.to_scaled(guess)),
          w_(r_.size()),
          F_(r_.size()),
          y_(r_.size()),
          w_y_(r_.size()),
          F_y_(r_.size()) {
        project(problem_, r_);
        evaluate(r_, w_, F_);
    }

    SolveReport run(const ExtraGradient& options) {
        SolveReport report{.solver = ExtraGradient::name};
        best_.judge(r_, w_);
        while (!best_.is_solution() && report.iterations < options.max_iterations) {
            check_interruption();
            const double ratio = predict();
            if (!(ratio <= longest)) {
                report.status = SolveStatus::stalled;
                report.message = "no step is short enough: the iterates may run to infinity";
                break;
            }
            options.history.add([&] { return best_.residual_of(r_); });
            r_ -= rho_ * F_y_;
            project(problem_, r_);
            evaluate(r_, w_, F_);
            if (ratio < longest / 3.0) rho_ = std::min(rho_ * 3.0 / 2.0, largest_step);
            ++report.iterations;
            best_.judge(r_, w_);
        }
        return report;
    }

private:
    static constexpr double longest = 0.9, smallest_step = 1e-15, largest_step = 1e15;

    void evaluate(const Eigen::VectorXd& r, Eigen::VectorXd& w, Eigen::VectorXd& F) const {
        w = problem_.q;
        problem_.W.multiply_add(r, w);
        F = w;
        add_shift(problem_, F);
    }

    // y and F(y) with rho shortened; returns rho |F(r) - F(y)| / |r - y|, which exceeds `longest` where none is short
    // enough.
    double predict() {
        double ratio = 0.0;
        for (; rho_ > smallest_step; rho_ *= 2.0 / 3.0) {
            y_ = r_ - rho_ * F_;
            project(problem_, y_);
            evaluate(y_, w_y_, F_y_);
            const double distance = (r_ - y_).norm();
            ratio = distance == 0.0 ? 0.0 : rho_ * (F_ - F_y_).norm() / distance;
            if (ratio <= longest) break;
        }
        return ratio;
    }

    const OneStepView& problem_;
    BestPoint& best_;
    Eigen::VectorXd r_, w_, F_, y_, w_y_, F_y_;
    double rho_ = 1.0;  // in units of the mean diagonal of W, which is 1
};

}  // namespace

SolveReport ExtraGradient::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    const Equilibrated equilibrated(problem);
    BestPoint best(equilibrated, tolerance, r);
    if (best.is_solution()) return best.conclude({.solver = name}, history);
    const Eigen::VectorXd guess = r;
    return best.conclude(ExtraGradientIteration(equilibrated, best, guess).run(*this), history);
}

}  // namespace saltus::one_step
