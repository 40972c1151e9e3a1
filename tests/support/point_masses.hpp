#pragma once

#include "saltus/model/function_from.hpp"
#include "saltus/model/lagrangian_model.hpp"
#include "support/vectors.hpp"

namespace saltus::testing {

constexpr double gravity = 9.81;

inline Function constant(std::initializer_list<double> values) { return Function::constant(1, vector(values)); }
inline Eigen::MatrixXd row(std::initializer_list<double> values) { return vector(values).transpose(); }

// A mass of 1.
inline LagrangianSystem point(const Eigen::VectorXd& q0, const Eigen::VectorXd& v0, Function load = {}) {
    return {.name = "point", .q0 = q0, .v0 = v0, .b = std::move(load)};
}

// Falls from the height 1.
inline LagrangianModel ball(double restitution) {
    LagrangianModel model{.name = "ball"};
    model.systems.push_back(point(vector({1.0}), vector({0.0}), constant({-gravity})));
    model.interactions.push_back({.name = "ground", .G = row({1.0}), .law = ContactLaw{.restitution = restitution}});
    return model;
}

// A bead at rest in a bowl of radius 1, not at its bottom.
inline LagrangianModel bowl() {
    LagrangianModel model{.name = "bowl"};
    model.systems.push_back(point(vector({0.6, -0.8}), vector({0.0, 0.0}), constant({0.0, -gravity})));
    const Function gap = Function::from(4, 1, [](const auto& in, auto& out) {
        using std::sqrt;
        out[0] = 1.0 - sqrt(in[0] * in[0] + in[1] * in[1]);
    });
    model.interactions.push_back({.name = "bowl", .g = gap, .law = ContactLaw{.restitution = 0.5}});
    return model;
}

}  // namespace saltus::testing
