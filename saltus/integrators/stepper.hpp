#pragma once

#include <variant>

#include "saltus/integrators/event/event_stepper.hpp"
#include "saltus/integrators/event/first_order_event_stepper.hpp"
#include "saltus/integrators/explicit_stepper.hpp"
#include "saltus/integrators/higher_order_stepper.hpp"
#include "saltus/integrators/lagrangian/adaptive_stepper.hpp"
#include "saltus/integrators/lagrangian/anitescu_potra_stepper.hpp"
#include "saltus/integrators/lagrangian/d1_minus_stepper.hpp"
#include "saltus/integrators/lagrangian/generalised_alpha_stepper.hpp"
#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli_stepper.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle_stepper.hpp"
#include "saltus/integrators/linear_stepper.hpp"
#include "saltus/integrators/newton_stepper.hpp"
#include "saltus/integrators/scheme.hpp"

namespace saltus {

// Whatever makes the steps of a model; all have the functions of StepperBase.
using Stepper = std::variant<LinearStepper, SparseLinearStepper, NewtonStepper, HigherOrderStepper, ExplicitStepper,
                             FirstOrderEventStepper>;

// The stepper of the scheme that suits the model. Throws InvalidInput for a scheme of Lagrangian models.
Stepper make_stepper(const Model& model, const Scheme& scheme, double h);

// Whatever makes the steps of a Lagrangian model; all have the functions of LagrangianStepperBase.
using LagrangianStepper = std::variant<MoreauJeanStepper, AdaptiveStepper, SchatzmanPaoliStepper, StewartTrinkleStepper,
                                       AnitescuPotraStepper, D1MinusStepper, GeneralisedAlphaStepper, EventStepper>;

// Throws InvalidInput for a scheme of first-order models.
LagrangianStepper make_stepper(const LagrangianModel& model, const Scheme& scheme, double h);

}  // namespace saltus
