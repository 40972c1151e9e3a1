#include "saltus/integrators/event/first_order_event_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/model/formulations.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::complementarity;
using testing::linear_system;
using testing::matrix;
using testing::observed_order;
using testing::of_time;
using testing::refusal;
using testing::relay;
using testing::relay_spiral;
using testing::vector;

// From event to event, in so many samples.
struct Path {
    State end{};
    std::vector<Event> events{};
    bool is_complete = true;
    std::string message{};

    Path(const Model& model, double duration, long samples = 10, const EventDriven& scheme = {}) {
        FirstOrderEventStepper stepper(model, scheme, duration / static_cast<double>(samples));
        while (stepper.steps() < samples && is_complete) {
            is_complete = stepper.step() != StepOutcome::failed;
            stepper.for_each_event([&](const Event& event) { events.push_back(event); });
        }
        message = stepper.report().message;
        stepper.read(end);
    }
    std::vector<double> times(Event::Kind kind) const {
        std::vector<double> result;
        for (const Event& event : events)
            if (event.kind == kind) result.push_back(event.t);
        return result;
    }
};

// x' = a + b t + lambda, lambda in -sgn x.
Model pushed_relay(double x0, const std::string& push) {
    Model model = linear_system(vector({x0}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, relay);
    model.systems[0].b = of_time({push});
    return model;
}

TEST(FirstOrderEvents, ATrajectoryCrossesASurface) {
    const Path path(pushed_relay(-1.0, "2"), 2.0);
    ASSERT_TRUE(path.is_complete) << path.message;
    ASSERT_EQ(path.events.size(), 1u);
    EXPECT_NEAR(path.events[0].t, 1.0 / 3.0, 1e-14);
    EXPECT_NEAR(path.end.x[0], 5.0 / 3.0, 1e-13);
}

TEST(FirstOrderEvents, ASlidingModeIsEnteredAndLeft) {
    const Path path(pushed_relay(0.5, "t - 1"), 4.0);  // x = 1/2 - 2 t + t^2 / 2, zero at 2 - sqrt 3; leaves at t = 2
    ASSERT_TRUE(path.is_complete) << path.message;
    ASSERT_EQ(path.events.size(), 2u);
    EXPECT_NEAR(path.events[0].t, 2.0 - std::sqrt(3.0), 1e-13);
    EXPECT_NEAR(path.events[1].t, 2.0, 1e-9);
    EXPECT_NEAR(path.end.x[0], 2.0, 1e-9);
}

TEST(FirstOrderEvents, CircuitASwitchesOnce) {
    const Path path(Circuit{}.a(), 5.0);
    ASSERT_TRUE(path.is_complete) << path.message;
    ASSERT_EQ(path.times(Event::Kind::switching).size(), 1u);
    EXPECT_NEAR(path.events[0].t, 0.395557839655, 1e-10);
    EXPECT_NEAR(path.end.x[0], -0.485895555, 1e-8);
    EXPECT_NEAR(path.end.x[1], 0.0, 1e-8);
}

TEST(FirstOrderEvents, CircuitDJumpsAtTheBeginning) {
    const Path path(Circuit{}.d(), 5.0);
    ASSERT_TRUE(path.is_complete) << path.message;
    ASSERT_FALSE(path.events.empty());
    EXPECT_EQ(path.events[0].kind, Event::Kind::jump);
    EXPECT_EQ(path.events[0].t, 0.0);
    EXPECT_EQ(path.events[0].before[1], -1.0);
    EXPECT_NEAR(path.events[0].after[1], 0.0, 1e-16);
    EXPECT_NEAR(path.events[0].after[0], 1.0, 1e-16);
}

TEST(FirstOrderEvents, CircuitsBAndCRun) {
    for (const Model& model : {Circuit{}.b(), Circuit{.R = 0.1}.c()}) {
        const Path path(model, 5.0, 100);
        EXPECT_TRUE(path.is_complete) << path.message;
    }
}

TEST(FirstOrderEvents, TheSpiralIsPassedAndStaysAtZero) {
    const Path path(relay_spiral(), 3.0);
    ASSERT_TRUE(path.is_complete) << path.message;
    const std::vector<double> accumulation = path.times(Event::Kind::accumulation);
    ASSERT_EQ(accumulation.size(), 1u);
    EXPECT_NEAR(accumulation[0], 2.0, 1e-9);
    EXPECT_EQ(path.end.x[0], 0.0);
    EXPECT_EQ(path.end.x[1], 0.0);
}

TEST(FirstOrderEvents, ASourceThatJumpsTakesTheStateAlong) {
    const Model model = linear_system(vector({-2.0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}), {},
                                      complementarity, of_time({"t < 5 ? 0 : t < 10 ? -2 : 2"}));
    const Path path(model, 15.0, 7);
    ASSERT_TRUE(path.is_complete) << path.message;
    const std::vector<double> jumps = path.times(Event::Kind::jump);
    ASSERT_EQ(jumps.size(), 2u);
    EXPECT_EQ(jumps[0], 0.0);
    EXPECT_NEAR(jumps[1], 5.0, 1e-13);
    EXPECT_NEAR(path.end.x[0], 2.0 * std::exp(-5.0), 1e-10);
}

TEST(FirstOrderEvents, NoSolutionIsReported) {
    const Model model = linear_system(vector({-1.0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                      matrix(1, 1, {-1}), complementarity);
    const Path path(model, 1.0);
    EXPECT_FALSE(path.is_complete);
    EXPECT_EQ(path.message.rfind("no mode continues the motion at t = 0: no z gives M z + q the signs", 0), 0u);
}

}  // namespace
}  // namespace saltus
