#include "saltus/integrators/stepper.hpp"

#include <fmt/format.h>

#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

struct Describe {
    std::string operator()(const EulerMoreau& scheme) const {
        return fmt::format("{}, theta = {}, gamma = {}{}", EulerMoreau::name, scheme.theta, scheme.gamma,
                           scheme.measures ? ", measures" : "");
    }
    std::string operator()(const HigherOrderSweeping&) const { return std::string(HigherOrderSweeping::name); }
    std::string operator()(const ExplicitSwitched& scheme) const {
        return fmt::format("{} {}{}", ExplicitSwitched::name, scheme.stages == 1 ? "Euler" : "Runge-Kutta",
                           scheme.band > 0.0 ? fmt::format(", band = {}", scheme.band) : "");
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
};

}  // namespace

std::string describe(const Scheme& scheme) { return std::visit(Describe{}, scheme); }

bool uses_measures(const Scheme& scheme) {
    const EulerMoreau* euler = std::get_if<EulerMoreau>(&scheme);
    return euler ? euler->measures : std::holds_alternative<HigherOrderSweeping>(scheme);
}

Stepper make_stepper(const Model& model, const Scheme& scheme, double h) { return std::visit(Make{model, h}, scheme); }

}  // namespace saltus
