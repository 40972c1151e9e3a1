#include "saltus/integrators/event/first_order_event_stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/integrators/linear_stepper.hpp"
#include "saltus/model/formulations.hpp"
#include "saltus/model/function_from.hpp"
#include "support/event_motion.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::complementarity;
using testing::FirstOrderMotion;
using testing::linear_system;
using testing::matrix;
using testing::observed_order;
using testing::of_time;
using testing::refusal;
using testing::relay;
using testing::relay_spiral;
using testing::vector;

// x' = a + b t + lambda, lambda in -sgn x.
Model pushed_relay(double x0, const std::string& push) {
    Model model = linear_system(vector({x0}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, relay);
    model.systems[0].b = of_time({push});
    return model;
}

TEST(FirstOrderEvents, ATrajectoryCrossesASurface) {
    const FirstOrderMotion path(pushed_relay(-1.0, "2"), 2.0);
    ASSERT_FALSE(path.has_failed);
    ASSERT_EQ(path.events.size(), 1u);
    EXPECT_NEAR(path.events[0].t, 1.0 / 3.0, 1e-14);
    EXPECT_NEAR(path.end.x[0], 5.0 / 3.0, 1e-13);
}

TEST(FirstOrderEvents, ASlidingModeIsEnteredAndLeft) {
    const FirstOrderMotion path(pushed_relay(0.5, "t - 1"),
                                4.0);  // x = 1/2 - 2 t + t^2 / 2, zero at 2 - sqrt 3; leaves at t = 2
    ASSERT_FALSE(path.has_failed);
    ASSERT_EQ(path.events.size(), 2u);
    EXPECT_NEAR(path.events[0].t, 2.0 - std::sqrt(3.0), 1e-13);
    EXPECT_NEAR(path.events[1].t, 2.0, 1e-9);
    EXPECT_NEAR(path.end.x[0], 2.0, 1e-9);
}

TEST(FirstOrderEvents, CircuitASwitchesOnce) {
    const FirstOrderMotion path(Circuit{}.a(), 5.0);
    ASSERT_FALSE(path.has_failed);
    ASSERT_EQ(path.times(Event::Kind::switching).size(), 1u);
    EXPECT_NEAR(path.events[0].t, 0.395557839655, 1e-10);
    EXPECT_NEAR(path.end.x[0], -0.485895555, 1e-8);
    EXPECT_NEAR(path.end.x[1], 0.0, 1e-8);
}

TEST(FirstOrderEvents, CircuitDJumpsAtTheBeginning) {
    const FirstOrderMotion path(Circuit{}.d(), 5.0);
    ASSERT_FALSE(path.has_failed);
    ASSERT_FALSE(path.events.empty());
    EXPECT_EQ(path.events[0].kind, Event::Kind::jump);
    EXPECT_EQ(path.events[0].t, 0.0);
    EXPECT_EQ(path.events[0].before[1], -1.0);
    EXPECT_NEAR(path.events[0].after[1], 0.0, 1e-16);
    EXPECT_NEAR(path.events[0].after[0], 1.0, 1e-16);
}

TEST(FirstOrderEvents, CircuitsBAndCRun) {
    for (const Model& model : {Circuit{}.b(), Circuit{.R = 0.1}.c()}) {
        const FirstOrderMotion path(model, 5.0, 100);
        ASSERT_FALSE(path.has_failed);
    }
}

TEST(FirstOrderEvents, TheSpiralIsPassedAndStaysAtZero) {
    const FirstOrderMotion path(relay_spiral(), 3.0);
    ASSERT_FALSE(path.has_failed);
    const std::vector<double> accumulation = path.times(Event::Kind::accumulation);
    ASSERT_EQ(accumulation.size(), 1u);
    EXPECT_NEAR(accumulation[0], 2.0, 1e-9);
    EXPECT_EQ(path.end.x[0], 0.0);
    EXPECT_EQ(path.end.x[1], 0.0);
}

TEST(FirstOrderEvents, ASourceThatJumpsTakesTheStateAlong) {
    const Model model = linear_system(vector({-2.0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}), {},
                                      complementarity, of_time({"t < 5 ? 0 : t < 10 ? -2 : 2"}));
    const FirstOrderMotion path(model, 15.0, 7);
    ASSERT_FALSE(path.has_failed);
    const std::vector<double> jumps = path.times(Event::Kind::jump);
    ASSERT_EQ(jumps.size(), 2u);
    EXPECT_EQ(jumps[0], 0.0);
    EXPECT_NEAR(jumps[1], 5.0, 1e-13);
    EXPECT_NEAR(path.end.x[0], 2.0 * std::exp(-5.0), 1e-10);
}

TEST(FirstOrderEvents, NoSolutionIsReported) {
    const Model model = linear_system(vector({-1.0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                      matrix(1, 1, {-1}), complementarity);
    const FirstOrderMotion path(model, 1.0, 10, {}, FirstOrderMotion::Ending::any);
    EXPECT_TRUE(path.has_failed);
    EXPECT_EQ(path.message.rfind("no mode continues the motion at t = 0: no z gives M z + q the signs", 0), 0u);
}

// x' = A x, A = ((1, +-2 pi), (-+2 pi, 1)) inside and outside of the unit circle, which is left at t = 1: turns once
// about the origin in one direction, then in the other. x(2) = (e, 0).
Function rotating_field(double direction) {
    return Function::from(3, 2, [=](const auto& in, auto& out) {
        const double w = direction * 2.0 * std::numbers::pi;
        out[0] = in[0] + w * in[1];
        out[1] = -w * in[0] + in[1];
    });
}
const Function circle =
    Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[0] * in[0] + in[1] * in[1] - 1.0; });
FirstOrderSystem turning_point() { return {.name = "point", .x0 = vector({std::exp(-1.0), 0.0})}; }
Model switching_oscillator() { return filippov(turning_point(), circle, {rotating_field(1.0), rotating_field(-1.0)}); }

struct CollocationCase {
    SmoothMethod method;
    int stages, order, first, last;  // with 2^first to 2^last steps
};

class FirstOrderOrders : public ::testing::TestWithParam<CollocationCase> {};

TEST_P(FirstOrderOrders, AreKeptAcrossASwitch) {
    const CollocationCase& c = GetParam();
    const double duration = 1.9, angle = 2.0 * std::numbers::pi * 0.9;  // so that the switch is inside a step
    const Eigen::VectorXd exact = std::exp(0.9) * vector({std::cos(angle), std::sin(angle)});
    double residual = 0.0;
    const auto error = [&](int k) {
        const long steps = 1L << k;
        FirstOrderEventStepper stepper(switching_oscillator(), {.method = c.method, .stages = c.stages},
                                       duration / static_cast<double>(steps));
        bool is_made = true;
        while (stepper.steps() < steps && is_made) {
            is_made = stepper.step() != StepOutcome::failed;
            EXPECT_TRUE(is_made) << stepper.report().message;
            residual = std::max(residual, stepper.element_residual());
        }
        State end;
        stepper.read(end);
        return (end.x - exact).norm();
    };
    EXPECT_NEAR(observed_order(c.first, c.last, error), c.order, 0.25);
    EXPECT_LE(residual, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Collocation, FirstOrderOrders,
                         ::testing::Values(CollocationCase{SmoothMethod::radau, 1, 1, 11, 13},
                                           CollocationCase{SmoothMethod::radau, 2, 3, 7, 9},
                                           CollocationCase{SmoothMethod::radau, 3, 5, 5, 7},
                                           CollocationCase{SmoothMethod::radau, 4, 7, 4, 6},
                                           CollocationCase{SmoothMethod::gauss, 1, 2, 9, 11},
                                           CollocationCase{SmoothMethod::gauss, 2, 4, 6, 8},
                                           CollocationCase{SmoothMethod::gauss, 3, 6, 5, 6},
                                           CollocationCase{SmoothMethod::gauss, 4, 8, 3, 5}),
                         [](const auto& tested) {
                             return (tested.param.method == SmoothMethod::radau ? "Radau" : "Gauss") +
                                    std::to_string(tested.param.stages);
                         });

TEST(FirstOrderEvents, StepsOfAutomaticLengthMeetTheirTolerance) {
    for (const SmoothMethod method : {SmoothMethod::runge_kutta, SmoothMethod::bdf})
        for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
            const FirstOrderMotion path(switching_oscillator(), 2.0, 2, {.tolerance = tolerance, .method = method});
            ASSERT_FALSE(path.has_failed);
            ASSERT_EQ(path.events.size(), 1u);
            const double most = (method == SmoothMethod::bdf ? 3000.0 : 50.0) * tolerance;
            EXPECT_NEAR(path.events[0].t, 1.0, most);
            EXPECT_NEAR((path.end.x - vector({std::exp(1.0), 0.0})).norm(), 0.0, 10.0 * most);
        }
}

// Without the event the step crosses the circle, and the cross complementarity shows it.
TEST(FirstOrderEvents, AnElementWithASwitchInsideHasAResidual) {
    FirstOrderMode mode(switching_oscillator());
    mode.set({Place::at_lower});  // inside, y = 1 - |x|^2 > 0
    Eigen::VectorXd slope(2);
    ASSERT_TRUE(mode(0.0, vector({0.5, 0.0}), slope));
    mode.begin_element();
    EXPECT_EQ(mode.element_residual(), 0.0);
    ASSERT_TRUE(mode(0.1, vector({1.1, 0.0}), slope));
    mode.observe();
    EXPECT_NEAR(mode.element_residual(), 1.1 * 1.1 - 1.0, 1e-15);
}

// Two surfaces, x1 = 0 and x2 = 0, met one after the other; the point then rests where they meet, until one force grows
// beyond what its relay holds. Relays, products of steps and Stewart's regions are the same system.
Model relays_with_force() {
    Model model =
        linear_system(vector({0.5, 1.0}), {}, matrix(2, 2, {1, 0, 0, 1}), matrix(2, 2, {1, 0, 0, 1}), {}, relay);
    model.systems[0].b = of_time({"0", "t < 2 ? 0 : t - 2"});
    return model;
}
Model regions_with_force() {
    std::vector<Function> fields;
    for (int k = 0; k < 4; ++k)
        fields.push_back(Function::from(3, 2, [=](const auto& in, auto& out) {
            out[0] = (k & 1 ? -1.0 : 1.0) + 0.0 * in[0];
            out[1] = (k & 2 ? -1.0 : 1.0) + 0.0 * in[0];
        }));
    const Function indicators = Function::from(3, 4, [](const auto& in, auto& out) {
        for (int k = 0; k < 4; ++k) out[k] = (k & 1 ? -1.0 : 1.0) * in[0] + (k & 2 ? -1.0 : 1.0) * in[1];
    });
    FirstOrderSystem system{.name = "point", .x0 = vector({0.5, 1.0})};
    system.b = of_time({"0", "t < 2 ? 0 : t - 2"});
    return stewart(system, indicators, fields);
}

TEST(FirstOrderEvents, SurfacesMeet) {
    for (const Model& model : {relays_with_force(), regions_with_force()}) {
        const FirstOrderMotion path(model, 4.0);
        ASSERT_FALSE(path.has_failed);
        for (const double t : {0.5, 1.0, 3.0}) {
            const auto is_there = [=](const Event& event) { return std::abs(event.t - t) <= 1e-9; };
            EXPECT_TRUE(std::ranges::any_of(path.events, is_there)) << t;
        }
        // Where four regions meet their shares are not unique, and one may end without a change of the motion.
        EXPECT_LE(path.events.size(), model.rows() == 2 ? 3u : 4u);
        EXPECT_NEAR(path.end.x[0], 0.0, 1e-12);
        EXPECT_NEAR(path.end.x[1], 0.5, 1e-9);
    }
}

// Passive systems, x' = A x + b(t) + C' lambda, y = C x + D lambda, with A and D dissipative, have one solution, which
// backward Euler's converges to. Complementarity and relays, with and without D, with jumps at the beginning.
TEST(FirstOrderEvents, RandomPassiveSystemsAgreeWithTimeStepping) {
    std::srand(7);
    for (int trial = 0; trial < 60; ++trial) {
        const Index n = 2 + trial % 3, m = 1 + trial % 2;
        const Eigen::MatrixXd S = Eigen::MatrixXd::Random(n, n), R = Eigen::MatrixXd::Random(m, m);
        const Eigen::MatrixXd A = 2.0 * (S - S.transpose()) - 0.2 * Eigen::MatrixXd::Identity(n, n);
        const Eigen::MatrixXd C = Eigen::MatrixXd::Random(m, n), D = 0.5 * R * R.transpose();
        Model model = linear_system(Eigen::VectorXd::Random(n), A, Matrix(Eigen::MatrixXd(C.transpose())), C,
                                    trial % 3 == 0 ? Matrix{} : Matrix(D), trial % 4 < 2 ? complementarity : relay);
        std::vector<std::string> forces{"2*sin(3*t)", "cos(2*t)", "sin(5*t)", "1"};
        forces.resize(static_cast<std::size_t>(n));
        model.systems[0].b = of_time(forces);
        const FirstOrderMotion path(model, 3.0, 30);
        ASSERT_FALSE(path.has_failed) << "trial " << trial;
        LinearStepper steps(model, EulerMoreau{}, 1e-4);
        while (steps.steps() < 30000) ASSERT_NE(steps.step(), StepOutcome::failed);
        State end;
        steps.read(end);
        EXPECT_LE((path.end.x - end.x).lpNorm<Eigen::Infinity>(), 3e-3) << "trial " << trial;
    }
}

}  // namespace
}  // namespace saltus
