#include "saltus/integrators/scheme.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

struct Describe {
    std::string operator()(const EulerMoreau& scheme) const {
        return fmt::format("{}, theta = {}, gamma = {}{}", EulerMoreau::name, scheme.theta, scheme.gamma,
                           scheme.measures ? ", measures" : "");
    }
    std::string operator()(const ExplicitSwitched& scheme) const {
        return fmt::format("{} {}{}", ExplicitSwitched::name, scheme.stages == 1 ? "Euler" : "Runge-Kutta",
                           scheme.band > 0.0 ? fmt::format(", band = {}", scheme.band) : "");
    }
    std::string operator()(const MoreauJean& scheme) const {
        return fmt::format("{}, theta = {}{}{}", MoreauJean::name, scheme.theta,
                           scheme.projection == Projection::direct     ? ", direct projection"
                           : scheme.projection == Projection::combined ? ", combined projection"
                                                                       : "",
                           scheme.control ? fmt::format(", error of a step {}", scheme.control->tolerance) : "");
    }
    std::string operator()(const GeneralisedAlpha& scheme) const {
        return fmt::format("{}, spectral radius {}", GeneralisedAlpha::name, scheme.spectral_radius);
    }
    std::string operator()(const EventDriven& scheme) const {
        const std::string_view method = smooth_method_names[static_cast<std::size_t>(scheme.method)];
        switch (scheme.method) {
            case SmoothMethod::runge_kutta:
                return fmt::format("{}, tolerance {}", EventDriven::name, scheme.tolerance);
            case SmoothMethod::bdf:
                return fmt::format("{}, {}, tolerance {}", EventDriven::name, method, scheme.tolerance);
            default:
                return fmt::format("{}, {} with {} {}", EventDriven::name, method, scheme.stages,
                                   scheme.stages == 1 ? "stage" : "stages");
        }
    }
    template <class WithFacets>
    requires requires(WithFacets scheme) { scheme.facets; }
    std::string operator()(const WithFacets& scheme) const {
        return fmt::format("{}{}", WithFacets::name,
                           scheme.facets > 0 ? fmt::format(", {} facets", scheme.facets) : "");
    }
    template <class Plain>
    std::string operator()(const Plain&) const {
        return std::string(Plain::name);
    }
};

}  // namespace

std::string describe(const Scheme& scheme) { return std::visit(Describe{}, scheme); }

bool uses_measures(const Scheme& scheme) {
    const EulerMoreau* euler = std::get_if<EulerMoreau>(&scheme);
    return euler ? euler->measures
                 : !std::holds_alternative<ExplicitSwitched>(scheme) && !std::holds_alternative<EventDriven>(scheme);
}

}  // namespace saltus
