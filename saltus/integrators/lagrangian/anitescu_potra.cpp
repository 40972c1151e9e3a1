#include "saltus/integrators/lagrangian/anitescu_potra.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

MoreauJean theta_step(const AnitescuPotra& scheme) {
    scheme.check();
    return {.theta = 1.0, .tolerance = scheme.tolerance, .max_iterations = scheme.max_iterations};
}

}  // namespace

void AnitescuPotra::check() const {
    require(facets == 0 || facets >= 3, "{}: facets is {}; it must be 0 (the disk), or 3 or more", name, facets);
    check_options(name, tolerance, max_iterations);
}

AnitescuPotraStepper::AnitescuPotraStepper(const LagrangianModel& model, const AnitescuPotra& scheme, double h)
    : MoreauJeanStepper(model, theta_step(scheme), h, Closing::closed) {
    check_limits(AnitescuPotra::name,
                 {.has_forces = true, .has_rolling = scheme.facets == 0, .has_cohesion = true, .has_impact_map = true},
                 model);
    solver_.facets = scheme.facets;
}

}  // namespace saltus
