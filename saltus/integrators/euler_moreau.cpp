#include "saltus/integrators/euler_moreau.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

void EulerMoreau::check() const {
    require(0.0 <= theta && theta <= 1.0, "{}: theta is {}; it must lie between 0 and 1", name, theta);
    require(0.0 < gamma && gamma <= 1.0, "{}: gamma is {}; it must be above 0, and 1 at most", name, gamma);
    require(!measures || (theta == 1.0 && gamma == 1.0), "{}: theta is {}, gamma {}; with measures both must be 1",
            name, theta, gamma);
}

}  // namespace saltus
