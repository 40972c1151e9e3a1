#pragma once

#include <algorithm>
#include <cmath>

namespace saltus::one_step {

// When and how the step rho of ADMM follows its residuals: where the relative primal residual exceeds the dual one by
// more than `ratio`, rho grows, and the other way round. The interval between two changes grows, and with it the
// certainty of convergence, which is a theorem for a constant rho.
class StepBalance {
public:
    explicit StepBalance(double ratio) : ratio_(ratio) {}

    // The factor by which to change rho after this iteration; 1 for no change.
    double factor(double primal, double dual) {
        constexpr double largest_change = 10.0;
        if (ratio_ <= 0.0 || ++since_ < interval_) return 1.0;
        if (!(primal > 0.0 && dual > 0.0) || std::max(primal / dual, dual / primal) <= ratio_) return 1.0;
        since_ = 0;
        interval_ += interval_ / 2;
        return std::clamp(std::sqrt(primal / dual), 1.0 / largest_change, largest_change);
    }

private:
    double ratio_;
    int since_ = 0, interval_ = 10;
};

}  // namespace saltus::one_step
