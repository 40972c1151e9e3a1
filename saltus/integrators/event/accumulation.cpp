#include "saltus/integrators/event/accumulation.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void EventHistory::add(double t) {
    times_.push_back(t);
    if (times_.size() > longest_cycle * cycles + 1) times_.pop_front();
}

std::optional<double> EventHistory::accumulation() const {
    constexpr double spread = 0.1;  // of the ratios of two cycles
    for (std::size_t p = 1; p <= longest_cycle && times_.size() > cycles * p; ++p) {
        const auto before = [&](std::size_t k) { return times_[times_.size() - 1 - k * p]; };
        const double a = before(2) - before(3), b = before(1) - before(2), c = before(0) - before(1), ratio = c / b;
        if (b < a && c < b && std::abs(ratio - b / a) < spread) return before(0) + c * ratio / (1.0 - ratio);
    }
    return std::nullopt;
}

bool EventGuard::allows(double t) {
    at_once_ = t - last_ <= 1e-10 * std::max(unit_, std::abs(t)) ? at_once_ + 1 : 0;
    last_ = t;
    return at_once_ <= most;
}

}  // namespace saltus
