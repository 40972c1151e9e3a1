#include "saltus/integrators/lagrangian/anitescu_potra_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

MoreauJean theta_step(const AnitescuPotra& scheme) {
    scheme.check();
    return {.theta = 1.0, .tolerance = scheme.tolerance, .max_iterations = scheme.max_iterations};
}

}  // namespace

AnitescuPotraStepper::AnitescuPotraStepper(const LagrangianModel& model, const AnitescuPotra& scheme, double h)
    : MoreauJeanStepper(model, theta_step(scheme), h, Closing::closed) {
    check_limits(AnitescuPotra::name,
                 {.has_forces = true, .has_rolling = scheme.facets == 0, .has_cohesion = true, .has_impact_map = true},
                 model);
    solver_.facets = scheme.facets;
}

}  // namespace saltus
