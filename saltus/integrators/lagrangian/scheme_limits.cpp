#include "saltus/integrators/lagrangian/scheme_limits.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

struct CheckLaw {
    std::string_view scheme;
    const SchemeLimits& limits;
    const std::string& name;
    Index rows;

    void allow(bool is_allowed, std::string_view what) const {
        require(is_allowed, "interaction '{}': {} has no {}; take moreau-jean", name, scheme, what);
    }

    void operator()(const ContactLaw& law) const {
        allow(limits.has_friction || rows == 1, "contacts with sliding");
        allow(limits.has_rolling || rows <= 3, "contacts with rolling");
        allow(limits.has_cohesion || law.cohesion == 0.0, "cohesion");
        const bool is_restituting = law.restitution > 0.0;
        allow(limits.has_restitution || !is_restituting, "restitution");
        allow(limits.has_restitution || law.tangential_restitution == 0.0, "tangential restitution");
        allow(limits.has_impact_map || !is_restituting || law.impact == ContactLaw::Impact::newton,
              fmt::format("impact {}", to_string(law.impact)));
    }
    void operator()(const JointLaw&) const {}
    void operator()(const SpringLaw&) const { allow(limits.has_forces, "springs"); }
    void operator()(const RelayLaw&) const { allow(limits.has_forces, "relays"); }
};

}  // namespace

void check_limits(std::string_view scheme, const SchemeLimits& limits, const LagrangianModel& model) {
    for (const LagrangianInteraction& interaction : model.interactions)
        std::visit(CheckLaw{scheme, limits, interaction.name, model.rows_of(interaction)}, interaction.law);
}

}  // namespace saltus
