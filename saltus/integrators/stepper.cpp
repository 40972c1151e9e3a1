#include "saltus/integrators/stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/model/stacked.hpp"

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

struct Make {
    const Model& model;
    double h;

    Stepper operator()(const EulerMoreau& scheme) const {
        if (!model.is_linear()) return Stepper(std::in_place_type<NewtonStepper>, model, scheme, h);
        if (model.states() + model.rows() > Stacked::dense_limit)
            return Stepper(std::in_place_type<SparseLinearStepper>, model, scheme, h);
        return Stepper(std::in_place_type<LinearStepper>, model, scheme, h);
    }
    Stepper operator()(const HigherOrderSweeping&) const {
        return Stepper(std::in_place_type<HigherOrderStepper>, model, h);
    }
    Stepper operator()(const ExplicitSwitched& scheme) const {
        return Stepper(std::in_place_type<ExplicitStepper>, model, scheme, h);
    }
    Stepper operator()(const EventDriven& scheme) const {
        return Stepper(std::in_place_type<FirstOrderEventStepper>, model, scheme, h);
    }
    template <class LagrangianScheme>
    Stepper operator()(const LagrangianScheme&) const {
        throw InvalidInput(fmt::format("model '{}': the scheme {} is for Lagrangian systems; take {}", model.name,
                                       LagrangianScheme::name, EulerMoreau::name));
    }
};

struct MakeLagrangian {
    const LagrangianModel& model;
    double h;

    template <class Stepper>
    LagrangianStepper make(const auto& scheme) const {
        return LagrangianStepper(std::in_place_type<Stepper>, model, scheme, h);
    }
    LagrangianStepper operator()(const MoreauJean& scheme) const {
        return scheme.control ? make<AdaptiveStepper>(scheme) : make<MoreauJeanStepper>(scheme);
    }
    LagrangianStepper operator()(const SchatzmanPaoli& scheme) const { return make<SchatzmanPaoliStepper>(scheme); }
    LagrangianStepper operator()(const StewartTrinkle& scheme) const { return make<StewartTrinkleStepper>(scheme); }
    LagrangianStepper operator()(const AnitescuPotra& scheme) const { return make<AnitescuPotraStepper>(scheme); }
    LagrangianStepper operator()(const D1Minus& scheme) const { return make<D1MinusStepper>(scheme); }
    LagrangianStepper operator()(const EventDriven& scheme) const { return make<EventStepper>(scheme); }
    LagrangianStepper operator()(const GeneralisedAlpha& scheme) const { return make<GeneralisedAlphaStepper>(scheme); }
    template <class FirstOrderScheme>
    LagrangianStepper operator()(const FirstOrderScheme&) const {
        throw InvalidInput(fmt::format("model '{}': the scheme {} is for first-order systems; take {}", model.name,
                                       FirstOrderScheme::name, MoreauJean::name));
    }
};

}  // namespace

std::string describe(const Scheme& scheme) { return std::visit(Describe{}, scheme); }

bool uses_measures(const Scheme& scheme) {
    const EulerMoreau* euler = std::get_if<EulerMoreau>(&scheme);
    return euler ? euler->measures
                 : !std::holds_alternative<ExplicitSwitched>(scheme) && !std::holds_alternative<EventDriven>(scheme);
}

Stepper make_stepper(const Model& model, const Scheme& scheme, double h) { return std::visit(Make{model, h}, scheme); }

LagrangianStepper make_stepper(const LagrangianModel& model, const Scheme& scheme, double h) {
    return std::visit(MakeLagrangian{model, h}, scheme);
}

}  // namespace saltus
