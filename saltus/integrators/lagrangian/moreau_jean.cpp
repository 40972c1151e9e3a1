#include "saltus/integrators/lagrangian/moreau_jean.hpp"

#include <cmath>

#include "saltus/core/check.hpp"

namespace saltus {

void MoreauJean::check() const {
    require(theta >= 0.5 && theta <= 1.0, "{}: theta is {}; it must be between 1/2 and 1", name, theta);
    check_options(name, tolerance, max_iterations);
}

void StepControl::check(double longest) const {
    require(tolerance > 0.0 && std::isfinite(tolerance), "{}: the tolerance is {}; it must be positive",
            MoreauJean::name, tolerance);
    require(min_step >= 0.0 && min_step <= longest, "{}: min_step is {}; it must be between 0 and the step, {}",
            MoreauJean::name, min_step, longest);
    require(min_step == 0.0 || longest / min_step < 1e12, "{}: min_step {} is too short for the step {}; make it {}",
            MoreauJean::name, min_step, longest, 1e-12 * longest);
}

}  // namespace saltus
