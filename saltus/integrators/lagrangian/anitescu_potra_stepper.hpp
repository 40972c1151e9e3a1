#pragma once

#include "saltus/integrators/lagrangian/anitescu_potra.hpp"
#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

namespace saltus {

class AnitescuPotraStepper : public MoreauJeanStepper {
public:
    AnitescuPotraStepper(const LagrangianModel& model, const AnitescuPotra& scheme, double h);
};

}  // namespace saltus
