#include "saltus/integrators/lagrangian/generalised_alpha.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

void GeneralisedAlpha::check() const {
    require(spectral_radius >= 0.0 && spectral_radius <= 1.0, "{}: spectral_radius is {}; it must be between 0 and 1",
            name, spectral_radius);
    check_options(name, tolerance, max_iterations);
}

}  // namespace saltus
