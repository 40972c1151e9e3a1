#pragma once

#include <cmath>

#include "saltus/core/infinity.hpp"
#include "saltus/laws/interval.hpp"

namespace saltus {

// A C-function of an interval [l, u] vanishes exactly where -w in N_[l, u](z): w >= 0 if z = l, w <= 0 if z = u,
// w = 0 between. Its value, and one element (by_z, by_w) of its B-subdifferential at (z, w).
struct CValue {
    double value = 0.0;
    double by_z = 0.0;
    double by_w = 0.0;
};

// The natural map z - mid(l, z - w, u) = mid(z - l, w, z - u); min(z, w) for [0, inf).    docs/theory.md (30)
// The second form is the one evaluated: in the first, z - w loses w where |z| is large.
inline CValue natural_map(const Interval& interval, double z, double w) {
    if (w >= z - interval.lower) return {z - interval.lower, 1.0, 0.0};
    if (w <= z - interval.upper) return {z - interval.upper, 1.0, 0.0};
    return {w, 0.0, 1.0};
}

// phi(a, b) = a + b - sqrt(a^2 + b^2), zero exactly where 0 <= a, 0 <= b, a b = 0.      docs/theory.md (31)
// Where a + b > 0 it is evaluated as 2 a b / (a + b + sqrt(a^2 + b^2)), which loses no digits near the solutions.
// by_z is the derivative with respect to a, by_w to b; at the origin both are 1 - 1/sqrt(2), the limit along a = b.
inline CValue fischer_burmeister(double a, double b) {
    const double norm = std::hypot(a, b);
    if (norm == 0.0) return {0.0, 1.0 - std::sqrt(0.5), 1.0 - std::sqrt(0.5)};
    const double value = a + b > 0.0 ? 2.0 * a * (b / (a + b + norm)) : a + b - norm;
    return {value, 1.0 - a / norm, 1.0 - b / norm};
}

// Fischer-Burmeister function of an interval (Billups 1995), smooth wherever strict complementarity holds:   (32)
//     [l, inf)  phi(z - l, w)                      (-inf, u]  -phi(u - z, -w)
//     [l, u]    phi(z - l, -phi(u - z, -w))        (-inf, inf) w          l = u: z - l
inline CValue fischer_burmeister(const Interval& interval, double z, double w) {
    const auto [l, u] = interval;
    if (l == u) return {z - l, 1.0, 0.0};
    CValue above{w, 0.0, 1.0};  // of (-inf, u]
    if (u < infinity) {
        const CValue phi = fischer_burmeister(u - z, -w);
        above = {-phi.value, phi.by_z, phi.by_w};
    }
    if (l == -infinity) return above;
    const CValue phi = fischer_burmeister(z - l, above.value);
    return {phi.value, phi.by_z + phi.by_w * above.by_z, phi.by_w * above.by_w};
}

}  // namespace saltus
