#include <cmath>
#include <cstdio>

#include "saltus/saltus.hpp"

// x' = -2 x + 1 with M = I from a function, x(0) = 0: x(1) = (1 - exp(-2)) / 2. The derivative is automatic.
static double decay(const saltus::TimeStepping& options) {
    saltus::Model model{.name = "decay"};
    model.systems.push_back(
        {.name = "x", .x0 = Eigen::VectorXd::Zero(1), .f = saltus::Function::from(2, 1, [](const auto& in, auto& out) {
                                                          out[0] = 1.0 - 2.0 * in[0];
                                                      })});
    const saltus::Simulation run = saltus::simulate(model, options);
    return run.trajectory.channel("x.x[0]").tail(1)[0];
}

// A ball at height 1/2, g = 1, falls, and bounces with e = 1/2: at t = 1 it touches the ground, at t = 1.5 its height
// is 1/2 * 1/2 - 1/8 = 1/8.
static double height_after_bounce() {
    saltus::LagrangianModel model{.name = "ball"};
    model.systems.push_back({.name = "ball",
                             .q0 = Eigen::VectorXd::Constant(1, 0.5),
                             .v0 = Eigen::VectorXd::Zero(1),
                             .M = Eigen::MatrixXd::Identity(1, 1),
                             .b = saltus::Function::constant(1, Eigen::VectorXd::Constant(1, -1.0))});
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd::Identity(1, 1), .law = saltus::ContactLaw{.restitution = 0.5}});
    const saltus::Simulation run =
        saltus::simulate(model, {.step = 0.1, .t_end = 1.5, .scheme = saltus::EventDriven{}});
    return run.trajectory.channel("ball.q[0]").tail(1)[0];
}

int main() {
    const double end = decay({.step = 1e-3, .t_end = 1.0}), exact = 0.5 * (1.0 - std::exp(-2.0));
    const double height = height_after_bounce();
    if (std::abs(end - exact) > 1e-3 || std::abs(height - 0.125) > 1e-8) {
        std::printf("wrong: x(1) = %g, height = %.12g\n", end, height);
        return 1;
    }
    std::puts("consumer: simulated");
    return 0;
}
