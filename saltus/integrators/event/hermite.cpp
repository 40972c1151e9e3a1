#include "saltus/integrators/event/hermite.hpp"

#include <cmath>
#include <limits>

namespace saltus {

namespace {

// A zero of f between low, where f is on the side `low_sign`, and high: Newton's method inside a bisection.
template <class F, class Slope>
double zero_between(F f, Slope slope, double low_sign, double low, double high) {
    double x = 0.5 * (low + high);
    for (int k = 0; k < 60 && high - low > std::numeric_limits<double>::epsilon(); ++k) {
        const double value = f(x);
        (low_sign * value > 0.0 ? low : high) = x;
        const double newton = x - value / slope(x);
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (std::abs(next - x) <= 1e-16) return next;
        x = next;
    }
    return x;
}

}  // namespace

double Hermite::root() const {
    return zero_between([this](double tau) { return value(tau); }, [this](double tau) { return rate(tau); }, 1.0, 0.0,
                        1.0);
}

double Hermite::lowest() const {
    return zero_between([this](double tau) { return rate(tau); },
                        [this](double tau) { return 2.0 * c2 + 6.0 * tau * c3; }, -1.0, 0.0, 1.0);
}

}  // namespace saltus
