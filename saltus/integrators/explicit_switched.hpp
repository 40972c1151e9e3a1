#pragma once

#include <string_view>

namespace saltus {

// Explicit Euler, or the classical Runge-Kutta scheme of order 4, on the right-hand side that the laws switch:
//     M x' = F(x, t) + r(x, lambda(x, t), t).                                                     docs/theory.md (119)
// For comparison (000, figs 1.4 and 1.12 to 1.16): without a band they chatter about a sliding mode, with one they stay
// beside it, and a switch inside a step costs the order. lambda(x, t) exists where y depends on lambda (the law is
// solved for it), and where the law is bounded: lambda is then at the bound that the sign of y selects, or, where
// |y| <= band, has the value of Filippov's sliding mode, which makes y' = 0.
struct ExplicitSwitched {
    static constexpr std::string_view name = "explicit";

    int stages = 1;  // 1 Euler, 4 Runge-Kutta
    double band = 0.0;

    // Throws InvalidInput for another number of stages or a negative band.
    void check() const;
};

}  // namespace saltus
