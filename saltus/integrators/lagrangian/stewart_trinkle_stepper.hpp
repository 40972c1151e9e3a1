#pragma once

#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle.hpp"

namespace saltus {

class StewartTrinkleStepper : public MoreauJeanStepper {
public:
    StewartTrinkleStepper(const LagrangianModel& model, const StewartTrinkle& scheme, double h);
};

}  // namespace saltus
