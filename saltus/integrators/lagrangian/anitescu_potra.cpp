#include "saltus/integrators/lagrangian/anitescu_potra.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

void AnitescuPotra::check() const {
    require(facets == 0 || facets >= 3, "{}: facets is {}; it must be 0 (the disk), or 3 or more", name, facets);
    check_options(name, tolerance, max_iterations);
}

}  // namespace saltus
