#pragma once

#include <string>
#include <variant>

#include "saltus/integrators/event/event_stepper.hpp"
#include "saltus/integrators/event/first_order_event_stepper.hpp"
#include "saltus/integrators/explicit_switched.hpp"
#include "saltus/integrators/higher_order_sweeping.hpp"
#include "saltus/integrators/lagrangian/adaptive_stepper.hpp"
#include "saltus/integrators/lagrangian/anitescu_potra.hpp"
#include "saltus/integrators/lagrangian/d1_minus.hpp"
#include "saltus/integrators/lagrangian/generalised_alpha.hpp"
#include "saltus/integrators/lagrangian/moreau_jean.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle.hpp"
#include "saltus/integrators/linear_stepper.hpp"
#include "saltus/integrators/newton_stepper.hpp"

namespace saltus {

// The schemes which a run can use: those of first-order models, those of Lagrangian models, and the one of both.
using Scheme = std::variant<EulerMoreau, HigherOrderSweeping, ExplicitSwitched, MoreauJean, SchatzmanPaoli,
                            StewartTrinkle, AnitescuPotra, D1Minus, GeneralisedAlpha, EventDriven>;

// For people: "euler-moreau, theta = 1, gamma = 1, measures".
std::string describe(const Scheme& scheme);
// Whether its multipliers are measures, sigma = h lambda.
bool uses_measures(const Scheme& scheme);

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
