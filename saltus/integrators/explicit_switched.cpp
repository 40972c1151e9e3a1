#include "saltus/integrators/explicit_switched.hpp"

#include <cmath>

#include "saltus/core/check.hpp"

namespace saltus {

void ExplicitSwitched::check() const {
    require(stages == 1 || stages == 4, "{}: stages is {}; it must be 1 (Euler) or 4 (Runge-Kutta)", name, stages);
    require(band >= 0.0 && std::isfinite(band), "{}: band is {}; it must be zero or more", name, band);
}

}  // namespace saltus
