#pragma once

#include <algorithm>
#include <limits>

#include "saltus/core/infinity.hpp"

namespace saltus {

// K = [lower, upper], the set behind three laws, -y in N_K(r)  <=>  r = project(r - y):
//   [0, inf)     ideal diode, frictionless contact:  0 <= y  _|_  r >= 0
//   [-1, 1]      relay:                              -r in sign(y)
//   (-inf, inf)  equality, joint:                    y = 0
struct Interval {
    double lower = 0.0;
    double upper = std::numeric_limits<double>::infinity();

    double project(double r) const { return std::min(std::max(r, lower), upper); }
    bool is_free() const { return lower == -infinity && upper == infinity; }
    bool contains(double r) const { return lower <= r && r <= upper; }
    // Contains a number: false for lower > upper, [inf, inf], [-inf, -inf] and NaN.
    bool is_proper() const { return lower <= upper && lower < infinity && upper > -infinity; }
};

}  // namespace saltus
