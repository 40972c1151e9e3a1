#pragma once

#include <string_view>

#include "saltus/model/lagrangian_model.hpp"

namespace saltus {

// What a scheme can do; the rest is refused before the first step.
struct SchemeLimits {
    bool has_forces = false;   // springs and relays: laws of forces that are not constraints
    bool has_friction = true;  // contacts with sliding rows
    bool has_rolling = true;   // five rows
    bool has_cohesion = false;
    bool has_restitution = true;  // by Newton's law
    bool has_impact_map = false;  // and by the other laws of impact
};

// Throws InvalidInput, which names the interaction, what `scheme` does not support, and the scheme to use instead.
void check_limits(std::string_view scheme, const SchemeLimits& limits, const LagrangianModel& model);

}  // namespace saltus
