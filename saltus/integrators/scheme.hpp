#pragma once

#include <string>
#include <variant>

#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/event/event_driven.hpp"
#include "saltus/integrators/explicit_switched.hpp"
#include "saltus/integrators/higher_order_sweeping.hpp"
#include "saltus/integrators/lagrangian/anitescu_potra.hpp"
#include "saltus/integrators/lagrangian/d1_minus.hpp"
#include "saltus/integrators/lagrangian/generalised_alpha.hpp"
#include "saltus/integrators/lagrangian/moreau_jean.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle.hpp"

namespace saltus {

// The schemes that a run can use: those for first-order models, those for Lagrangian models, and the one for both.
using Scheme = std::variant<EulerMoreau, HigherOrderSweeping, ExplicitSwitched, MoreauJean, SchatzmanPaoli,
                            StewartTrinkle, AnitescuPotra, D1Minus, GeneralisedAlpha, EventDriven>;

// For people: "euler-moreau, theta = 1, gamma = 1, measures".
std::string describe(const Scheme& scheme);
// Whether its multipliers are measures, sigma = h lambda.
bool uses_measures(const Scheme& scheme);

}  // namespace saltus
