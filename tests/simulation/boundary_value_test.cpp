#include "saltus/simulation/boundary_value.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/simulation/time_stepping.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::of_time;
using testing::vector;

constexpr EulerMoreau middle{.theta = 0.5, .gamma = 0.5};
const Matrix identity = matrix(2, 2, {1, 0, 0, 1});

// The transfer of x1' = x2, x2' = u, |u| <= u_max from (0, 0) at t = 0 to (d, 0) at t = 1 that minimises the integral
// of u^2 / 2: with p1' = 0, p2' = -p1, u minimises u^2 / 2 + p2 u, that is -(p2 + u) in N_[-u_max, u_max](u).
struct Transfer {
    double d = 1.0, u_max = 10.0;

    Model model() const {
        return testing::linear_system(
            vector({0, 0, 0, 0}), matrix(4, 4, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0}),
            matrix(4, 1, {0, 1, 0, 0}), matrix(1, 4, {0, 0, 0, 1}), matrix(1, 1, {1}), {-u_max, u_max});
    }
    BoundaryValue boundary(Index steps, const EulerMoreau& scheme = middle) const {
        return {.E0 = matrix(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                .E1 = matrix(4, 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}),
                .c = vector({0, 0, d, 0}),
                .t_end = 1.0,
                .steps = steps,
                .scheme = scheme};
    }

    // p2 is linear in t and odd about t = 1/2: u = mid(-u_max, k w, u_max), w = 1/2 - t. It saturates for |w| > a, k a
    // = u_max, where d, the integral of w u, is u_max (1/4 - a^2 / 3); it does not where d <= u_max / 6, and k = 12 d.
    double slope() const { return d <= u_max / 6.0 ? 12.0 * d : u_max / std::sqrt(3.0 * (0.25 - d / u_max)); }
    double u(double t) const { return Interval{-u_max, u_max}.project(slope() * (0.5 - t)); }
    // The integral of u from 0 to t <= 1/2; x2 is even about t = 1/2.
    double x2(double t) const {
        const double a = std::min(0.5, u_max / slope()), w = std::abs(0.5 - t);
        return u_max * (0.5 - std::max(w, a)) + (w < a ? 0.5 * slope() * (a * a - w * w) : 0.0);
    }
};

// The largest errors of x2 and of u.
Eigen::Vector2d errors(const Transfer& transfer, Index steps, const EulerMoreau& scheme) {
    const BoundaryValue::Solution solution = transfer.boundary(steps, scheme).solve(transfer.model());
    EXPECT_TRUE(solution.report.converged()) << solution.report.message;
    const Eigen::VectorXd x2 = solution.trajectory.channel("system.x[1]"),
                          u = solution.trajectory.channel("interaction.lambda[0]");
    EXPECT_EQ(x2.size(), steps + 1);
    EXPECT_NEAR(solution.trajectory.channel("system.x[0]")[steps], transfer.d, 1e-9);
    Eigen::Vector2d largest(0.0, 0.0);
    for (Index k = scheme.gamma < 1.0 ? 0 : 1; k <= steps; ++k) {
        const double t = solution.trajectory.times[static_cast<std::size_t>(k)];
        largest[0] = std::max(largest[0], std::abs(x2[k] - transfer.x2(t)));
        largest[1] = std::max(largest[1], std::abs(u[k] - transfer.u(t)));
    }
    return largest;
}

TEST(BoundaryValue, MinimumEnergyTransferHasTheOrderOfTheScheme) {
    for (const Transfer& transfer :
         {Transfer{.d = 1.0, .u_max = 10.0}, Transfer{.d = 0.2, .u_max = 1.0}, Transfer{.d = 0.245, .u_max = 1.0}}) {
        const auto order = [&](const EulerMoreau& scheme, Index i) {
            return testing::observed_order(5, 9, [&](int k) { return errors(transfer, 1L << k, scheme)[i]; });
        };
        EXPECT_NEAR(order(middle, 0), 2.0, 0.25) << transfer.d;
        EXPECT_NEAR(order(middle, 1), 2.0, 0.25) << transfer.d;
        EXPECT_NEAR(order({}, 1), 1.0, 0.1) << transfer.d;  // of u; in x2, which is even, the errors cancel
    }
}

TEST(BoundaryValue, TakesManySteps) {
    const Transfer transfer{.d = 0.245, .u_max = 1.0};
    EXPECT_LE(errors(transfer, 10000, middle).maxCoeff(), 1e-6);
}

// An initial value problem gives the trajectory of simulate(): states, multipliers and outputs.
TEST(BoundaryValue, AnInitialValueIsABoundaryValue) {
    Model driven =
        testing::linear_system(vector({1, 0}), matrix(2, 2, {0, 1, -4, -0.1}), matrix(2, 1, {0, 1}),
                               matrix(1, 2, {1, 0.5}), matrix(1, 1, {0.2}), testing::relay, of_time({"sin(5*t)"}));
    driven.systems[0].b = of_time({"0", "cos(3*t)"});
    driven.systems[0].M = matrix(2, 2, {2, 0.5, 0, 1});
    driven.t0 = 1.0;
    for (const auto& [model, scheme] :
         std::vector<std::pair<Model, EulerMoreau>>{{Circuit{}.a(), {}},
                                                    {Circuit{}.a(), middle},
                                                    {Circuit{.R = 1.0}.b(), middle},
                                                    {Circuit{.R = 0.1}.c(), {}},
                                                    {testing::relay_spiral(), {}},
                                                    {driven, {}},
                                                    {driven, {.theta = 0.6, .gamma = 0.7}}}) {
        const Index steps = 200;
        const double t_end = model.t0 + 3.0;
        const BoundaryValue::Solution solution =
            BoundaryValue{.E0 = identity, .c = model.initial_state(), .t_end = t_end, .steps = steps, .scheme = scheme}
                .solve(model);
        ASSERT_TRUE(solution.report.converged()) << solution.report.message;
        const Simulation run = simulate(model, {.step = 3.0 / steps, .t_end = t_end, .scheme = scheme});
        ASSERT_EQ(solution.trajectory.channels, run.trajectory.channels);
        ASSERT_EQ(solution.trajectory.values.size(), run.trajectory.values.size());
        for (std::size_t i = 0; i < run.trajectory.values.size(); ++i)
            ASSERT_NEAR(solution.trajectory.values[i], run.trajectory.values[i], 1e-7) << i;
        for (std::size_t k = 0; k < run.trajectory.times.size(); ++k)
            ASSERT_NEAR(solution.trajectory.times[k], run.trajectory.times[k], 1e-12);
    }
}

// With 1000 steps the problem of circuit (c) is no longer solved by the interior point method; the active sets are.
TEST(BoundaryValue, FallsBackOnActiveSets) {
    const BoundaryValue::Solution solution =
        BoundaryValue{.E0 = identity, .c = vector({1, 0}), .t_end = 5.0, .steps = 1000}.solve(Circuit{.R = 0.1}.c());
    EXPECT_TRUE(solution.report.converged()) << solution.report.message;
    const Simulation run = simulate(Circuit{.R = 0.1}.c(), {.step = 5e-3, .t_end = 5.0, .scheme = EulerMoreau{}});
    for (Index k = 0; k <= 1000; ++k)
        ASSERT_NEAR(solution.trajectory.value(k, 0), run.trajectory.value(k, 0), 1e-9) << k;
}

// x(0) = x(T): the forced oscillation of a rectifier, which simulate() approaches after many periods.
TEST(BoundaryValue, FindsThePeriodicSolution) {
    Model model = testing::linear_system(vector({0, 0}), matrix(2, 2, {-1, 1, -1, -1}), matrix(2, 1, {1, 0}),
                                         matrix(1, 2, {1, 0}), matrix(1, 1, {0.5}), testing::complementarity);
    model.systems[0].b = of_time({"2*sin(t)", "cos(t)"});
    const double period = 2.0 * std::numbers::pi;
    const Index steps = 400;
    const BoundaryValue::Solution solution =
        BoundaryValue{.E0 = identity, .E1 = -identity.dense(), .c = vector({0, 0}), .t_end = period, .steps = steps}
            .solve(model);
    ASSERT_TRUE(solution.report.converged()) << solution.report.message;
    const Simulation run = simulate(model, {.step = period / steps, .t_end = 6.0 * period, .scheme = EulerMoreau{}});
    EXPECT_GT(run.report.switches, 4);
    for (Index k = 0; k <= steps; ++k)
        for (Index i = 0; i < 2; ++i)
            ASSERT_NEAR(solution.trajectory.value(k, i), run.trajectory.value(5 * steps + k, i), 1e-9) << k;
}

// The state at the end is given: the trajectory that leads there. Backward in time, what the resistor damped grows.
TEST(BoundaryValue, FindsTheStateThatLeadsToTheEnd) {
    const Model model = Circuit{}.b();
    const Index steps = 100;
    const Simulation run = simulate(model, {.step = 1.0 / steps, .t_end = 1.0, .scheme = EulerMoreau{}});
    const Eigen::VectorXd end = vector({run.trajectory.value(steps, 0), run.trajectory.value(steps, 1)});
    const BoundaryValue::Solution solution =
        BoundaryValue{.E1 = identity, .c = end, .t_end = 1.0, .steps = steps}.solve(model);
    ASSERT_TRUE(solution.report.converged()) << solution.report.message;
    for (Index k = 0; k <= steps; ++k)
        for (Index i = 0; i < 2; ++i) ASSERT_NEAR(solution.trajectory.value(k, i), run.trajectory.value(k, i), 1e-8);
}

// No control |u| <= 1 reaches further than 1/4 in a unit of time.
TEST(BoundaryValue, SaysThatItFoundNoSolution) {
    const Transfer transfer{.d = 0.3, .u_max = 1.0};
    const BoundaryValue::Solution solution = transfer.boundary(50).solve(transfer.model());
    EXPECT_FALSE(solution.report.converged());
    EXPECT_GT(solution.report.residual, 1e-3);
    EXPECT_NE(solution.report.message.find("tried interior-point"), std::string::npos) << solution.report.message;
    EXPECT_EQ(solution.trajectory.samples(), 51);
}

TEST(BoundaryValue, NamesWhatDoesNotFit) {
    const auto message = [](const BoundaryValue& options, Model model = Circuit{}.a()) {
        return testing::refusal([&] { options.solve(model); });
    };
    const BoundaryValue good{.E0 = identity, .c = vector({1, -1}), .t_end = 1.0, .steps = 10};
    EXPECT_EQ(message(good), "accepted");
    BoundaryValue options = good;
    options.E1 = matrix(1, 2, {1, 0});
    EXPECT_EQ(message(options), "boundary values: E1 is 1 x 2; it must be 2 x 2, of finite numbers");
    options = good;
    options.c = vector({1});
    EXPECT_EQ(message(options), "boundary values: c has 1 entries; give 2 numbers, one per state");
    options = good;
    options.t_end = 0.0;
    EXPECT_EQ(message(options), "boundary values: t_end is 0; it must be after the beginning, t = 0");
    options = good;
    options.steps = 0;
    EXPECT_EQ(message(options), "boundary values: 0 steps; give at least one");
    options = good;
    options.scheme.measures = true;
    EXPECT_EQ(message(options), "boundary values: the scheme has measures; take theta and gamma instead");
    Model nonlinear = Circuit{}.a();
    nonlinear.systems[0].f = Expressions({"-x[0]^3", "0"}, {.variables = {{"x", 2}, {"t"}}, .constants = {}});
    EXPECT_EQ(message(good, nonlinear),
              "boundary values: model 'test' has functions of x or lambda; it must be linear");
}

}  // namespace
}  // namespace saltus
