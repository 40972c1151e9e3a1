#include "saltus/integrators/stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

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

Stepper make_stepper(const Model& model, const Scheme& scheme, double h) { return std::visit(Make{model, h}, scheme); }

LagrangianStepper make_stepper(const LagrangianModel& model, const Scheme& scheme, double h) {
    return std::visit(MakeLagrangian{model, h}, scheme);
}

}  // namespace saltus
