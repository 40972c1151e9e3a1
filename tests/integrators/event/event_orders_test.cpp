#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/integrators/event/event_stepper.hpp"
#include "saltus/integrators/event/first_order_event_stepper.hpp"
#include "support/allocations.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/point_masses.hpp"

namespace saltus {
namespace {

using testing::allocations_in;
using testing::observed_order;
using testing::point;
using testing::row;
using testing::vector;

// q'' = -q from q = 1, thrown back without loss at q = -1/2: q = cos of the time to the nearest multiple of 4 pi / 3.
LagrangianModel impact_oscillator() {
    LagrangianModel model{.name = "oscillator"};
    model.systems.push_back(point(vector({1.0}), vector({0.0})));
    model.systems[0].K = Matrix(Eigen::MatrixXd::Ones(1, 1));
    model.interactions.push_back({.name = "wall",
                                  .G = row({1.0}),
                                  .e = Function::constant(1, vector({0.5})),
                                  .law = ContactLaw{.restitution = 1.0}});
    return model;
}

double error_after(const LagrangianModel& model, const EventDriven& scheme, double duration, long steps, double exact) {
    EventStepper stepper(model, scheme, duration / static_cast<double>(steps));
    while (stepper.steps() < steps)
        if (stepper.step() == StepOutcome::failed) {
            ADD_FAILURE() << stepper.report().message;
            return 1.0;
        }
    LagrangianState end;
    stepper.read(end);
    return std::abs(end.q[0] - exact);
}

struct OrderCase {
    SmoothMethod method;
    int stages, order, first, last;
};
class EventOrders : public ::testing::TestWithParam<OrderCase> {};

TEST_P(EventOrders, AreKeptThroughImpacts) {
    const OrderCase& c = GetParam();
    const double duration = 10.0, exact = std::cos(std::remainder(duration, 4.0 * std::numbers::pi / 3.0));
    const auto error = [&](int k) {
        return error_after(impact_oscillator(), {.method = c.method, .stages = c.stages}, duration, 1L << k, exact);
    };
    EXPECT_NEAR(observed_order(c.first, c.last, error), c.order, 0.3);
}

INSTANTIATE_TEST_SUITE_P(
    Collocation, EventOrders,
    ::testing::Values(OrderCase{SmoothMethod::radau, 1, 1, 11, 13}, OrderCase{SmoothMethod::radau, 2, 3, 6, 9},
                      OrderCase{SmoothMethod::radau, 3, 5, 5, 8}, OrderCase{SmoothMethod::gauss, 1, 2, 7, 10},
                      OrderCase{SmoothMethod::gauss, 2, 4, 5, 8}, OrderCase{SmoothMethod::gauss, 3, 6, 4, 6}),
    [](const auto& tested) {
        return (tested.param.method == SmoothMethod::radau ? "Radau" : "Gauss") + std::to_string(tested.param.stages);
    });

// Once it has begun, motion without events needs no memory: free, on a guide, sliding.
TEST(EventMethods, SmoothStepsAllocateNothing) {
    LagrangianModel free = impact_oscillator(), held = impact_oscillator();
    free.interactions[0].e = Function::constant(1, vector({5.0}));
    held.systems[0] = point(vector({0.0, 0.0}), vector({0.0, 1.0}));
    held.interactions[0] = {.name = "guide", .G = row({1.0, 0.0}), .law = JointLaw{}};
    bool has_failed = false;
    const auto allocations_of = [&](auto& stepper) {
        const auto some_steps = [&] {
            for (int k = 0; k < 20; ++k) has_failed = has_failed || stepper.step() == StepOutcome::failed;
        };
        some_steps();
        return allocations_in(some_steps);
    };
    for (const LagrangianModel& model : {free, held}) {
        EventStepper stepper(model, {.tolerance = 1e-8}, 0.1);
        EXPECT_EQ(allocations_of(stepper), 0);
    }
    const Model slides =
        testing::linear_system(vector({0.0, 1.0}), testing::matrix(2, 2, {0, 1, -1, 0}), testing::matrix(2, 1, {2, 0}),
                               testing::matrix(1, 2, {1, 0}), {}, testing::relay);
    FirstOrderEventStepper stepper(slides, {.tolerance = 1e-8}, 0.1);
    EXPECT_EQ(allocations_of(stepper), 0);
    EXPECT_FALSE(has_failed);
}

TEST(EventMethods, TolerancesAreMet) {
    const double duration = 10.0, exact = std::cos(std::remainder(duration, 4.0 * std::numbers::pi / 3.0));
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
        EXPECT_LE(error_after(impact_oscillator(), {.tolerance = tolerance}, duration, 3, exact), 100.0 * tolerance);
        const EventDriven bdf{.tolerance = tolerance, .method = SmoothMethod::bdf};
        EXPECT_LE(error_after(impact_oscillator(), bdf, duration, 3, exact), 3000.0 * tolerance);
    }
}

// Drawn by a spring through oil as thick as c = 1e4 towards a wall at 1/2, which it reaches after c log(2): q = exp(-t
// / c) but for 1e-8. An explicit method needs steps of 1e-4 there.
// CVODE is C: an exception of a function of the model comes out of it whole.
TEST(EventMethods, ExceptionsOfFunctionsArrive) {
    for (const SmoothMethod method : {SmoothMethod::runge_kutta, SmoothMethod::bdf, SmoothMethod::radau}) {
        LagrangianModel model = impact_oscillator();
        model.systems[0].f = Function::with_jacobian(
            3, 1,
            [](const Function::In& in, Function::Out& out) {
                if (in[2] > 0.1) throw std::range_error("beyond the table");
                out[0] = 0.0;
            },
            [](const Function::In&, Function::OutMatrix&) {});
        EventStepper stepper(model, {.method = method}, 1.0);
        EXPECT_THROW(stepper.step(), std::range_error);
    }
}

// A force with noise far above the tolerance: no step is short enough, and yet the motion does not hang.
TEST(EventMethods, AToleranceOutOfReachIsTold) {
    LagrangianModel model = impact_oscillator();
    model.systems[0].f = Function::with_jacobian(
        3, 1, [](const Function::In& in, Function::Out& out) { out[0] = 1e-3 * std::sin(1e13 * in[2]); },
        [](const Function::In&, Function::OutMatrix&) {});
    EventStepper stepper(model, {.tolerance = 1e-13}, 1.0);
    StepOutcome outcome = StepOutcome::kept;
    while (outcome != StepOutcome::failed && stepper.steps() == 0) outcome = stepper.step();
    EXPECT_EQ(outcome, StepOutcome::failed);
    EXPECT_NE(stepper.report().message.find("tolerance"), std::string::npos) << stepper.report().message;
}

TEST(EventMethods, BdfTakesLongStepsInStiffMotion) {
    const double c = 1e4;
    LagrangianModel model = impact_oscillator();
    model.systems[0].C = Matrix(Eigen::MatrixXd::Constant(1, 1, c));
    model.systems[0].v0 = vector({-1.0 / c});
    model.interactions[0].e = Function::constant(1, vector({-0.5}));
    model.interactions[0].law = ContactLaw{.restitution = 0.5};
    EventStepper stepper(model, {.tolerance = 1e-9, .method = SmoothMethod::bdf}, c);
    std::vector<Event> events;
    while (stepper.steps() < 1) {
        ASSERT_NE(stepper.step(), StepOutcome::failed) << stepper.report().message;
        stepper.for_each_event([&](const Event& event) { events.push_back(event); });
    }
    ASSERT_FALSE(events.empty());
    EXPECT_NEAR(events[0].t, c * std::log(2.0), 1e-5 * c);
    LagrangianState end;
    stepper.read(end);
    EXPECT_NEAR(end.q[0], 0.5, 1e-9);
    EXPECT_NEAR(end.force[0], 0.5, 1e-6);
}

}  // namespace
}  // namespace saltus
