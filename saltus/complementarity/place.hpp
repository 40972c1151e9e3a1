#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "saltus/laws/interval.hpp"

namespace saltus {

// Where an index of a box problem is in a complementary basis: z_i at its lower bound (then w_i >= 0), at its upper
// bound (w_i <= 0), or basic (l_i <= z_i <= u_i, w_i = 0).
enum class Place : char { at_lower, at_upper, basic };
using Placement = std::vector<Place>;  // one per index

// The words that people read.
constexpr std::string_view to_string(Place place) {
    constexpr std::string_view words[] = {"lower", "upper", "between"};
    return words[static_cast<int>(place)];
}

// The place that a guess z suggests; a free variable is always basic.
inline Place place_of(const Interval& interval, double z) {
    const bool has_lower = std::isfinite(interval.lower), has_upper = std::isfinite(interval.upper);
    if ((!has_lower && !has_upper) || (interval.lower < z && z < interval.upper)) return Place::basic;
    return has_lower && (z <= interval.lower || !has_upper) ? Place::at_lower : Place::at_upper;
}

// The places that an index can take.
inline std::vector<Place> places_in(const Interval& interval) {
    if (interval.lower == interval.upper) return {Place::at_lower};
    std::vector<Place> result;
    if (std::isfinite(interval.lower)) result.push_back(Place::at_lower);
    result.push_back(Place::basic);
    if (std::isfinite(interval.upper)) result.push_back(Place::at_upper);
    return result;
}

// The value of a variable at a bound.
inline double bound_at(const Interval& interval, Place place) {
    return place == Place::at_upper ? interval.upper : interval.lower;
}

// The sign of w_i that a variable at a bound allows: +1 at lower, -1 at upper, 0 (either) if the bounds are equal.
inline double slack_sign(const Interval& interval, Place place) {
    if (interval.lower == interval.upper) return 0.0;
    return place == Place::at_lower ? 1.0 : -1.0;
}

}  // namespace saltus
