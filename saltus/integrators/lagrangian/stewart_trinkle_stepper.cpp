#include "saltus/integrators/lagrangian/stewart_trinkle_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

MoreauJean theta_step(const StewartTrinkle& scheme) {
    scheme.check();
    return {.theta = 1.0, .tolerance = scheme.tolerance, .max_iterations = scheme.max_iterations};
}

}  // namespace

StewartTrinkleStepper::StewartTrinkleStepper(const LagrangianModel& model, const StewartTrinkle& scheme, double h)
    : MoreauJeanStepper(model, theta_step(scheme), h, Closing::positions) {
    check_limits(
        StewartTrinkle::name,
        {.has_forces = true, .has_rolling = scheme.facets == 0, .has_cohesion = true, .has_restitution = false}, model);
    solver_.facets = scheme.facets;
}

}  // namespace saltus
