#include "saltus/integrators/newton_stepper.hpp"

#include <gtest/gtest.h>

#include "saltus/integrators/linear_stepper.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"

namespace saltus {
namespace {

using testing::matrix;
using testing::vector;

Function expressions(std::vector<std::string> texts, Index states, Index rows) {
    Symbols symbols{.variables = {{"x", states}}, .constants = {}};
    if (rows > 0) symbols.variables.push_back({"lambda", rows});
    symbols.variables.push_back({"t"});
    return Expressions(texts, symbols);
}

// x' = -x^3 + r, y = exp(x) - 2 + 0.1 lambda^3 + lambda, r = (1 + x^2) lambda: everything is nonlinear.
Model nonlinear() {
    Model model;
    model.name = "nonlinear";
    model.systems.push_back({.name = "system", .x0 = vector({2})});
    model.systems[0].f = expressions({"-x[0]^3"}, 1, 0);
    model.interactions.push_back({.name = "interaction"});
    model.interactions[0].h = expressions({"exp(x[0]) - 2 + 0.1*lambda[0]^3 + lambda[0]"}, 1, 1);
    model.interactions[0].g = expressions({"(1 + x[0]^2)*lambda[0]"}, 1, 1);
    return model;
}

TEST(NewtonStepper, ConvergesQuadratically) {
    NewtonStepper stepper(nonlinear(), {}, 0.5, {.tolerance = 1e-12, .max_iterations = 20});
    bool was_quadratic = false;
    for (int k = 0; k < 10; ++k) {
        ASSERT_NE(stepper.step(), StepOutcome::failed) << k << ": " << stepper.report().message;
        const std::vector<double>& r = stepper.residuals();
        for (std::size_t i = 0; i + 1 < r.size(); ++i)
            if (r[i] < 1e-2 && r[i] > 1e-7) {
                EXPECT_LE(r[i + 1], std::max(10.0 * r[i] * r[i], 1e-13));
                was_quadratic = true;
            }
    }
    EXPECT_TRUE(was_quadratic);
}

TEST(NewtonStepper, IsTheLinearStepperOnLinearModels) {
    for (const EulerMoreau& scheme : {EulerMoreau{}, EulerMoreau{.theta = 0.5, .gamma = 0.5}}) {
        LinearStepper linear(testing::Circuit{.R = 1.0}.b(), scheme, 5e-3);
        NewtonStepper newton(testing::Circuit{.R = 1.0}.b(), scheme, 5e-3);
        State a, b;
        for (int k = 0; k < 1000; ++k) {
            ASSERT_NE(linear.step(), StepOutcome::failed);
            ASSERT_NE(newton.step(), StepOutcome::failed);
            linear.read(a);
            newton.read(b);
            ASSERT_LE((a.x - b.x).norm(), 1e-8) << k;
        }
    }
}

// x' = -x^2 without interactions, x(1) = 1/2 from x(0) = 1.
TEST(NewtonStepper, HasTheOrdersOfThetaMethods) {
    Model model;
    model.systems.push_back({.name = "system", .x0 = vector({1})});
    model.systems[0].f = expressions({"-x[0]^2"}, 1, 0);
    const auto order = [&](const EulerMoreau& scheme) {
        return testing::observed_order(4, 9, [&](int k) {
            NewtonStepper stepper(model, scheme, std::pow(2.0, -k), {.tolerance = 1e-14, .max_iterations = 20});
            for (int i = 0; i < 1 << k; ++i) EXPECT_NE(stepper.step(), StepOutcome::failed);
            State state;
            stepper.read(state);
            return std::abs(state.x[0] - 0.5);
        });
    };
    EXPECT_NEAR(order({}), 1.0, 0.1);
    EXPECT_NEAR(order({.theta = 0.5, .gamma = 0.5}), 2.0, 0.05);
}

// x' = x^2 from 1 explodes at t = 1; the implicit step that meets it has no solution, and says so.
TEST(NewtonStepper, SaysThatAStepFails) {
    Model model;
    model.systems.push_back({.name = "system", .x0 = vector({1})});
    model.systems[0].f = expressions({"x[0]^2"}, 1, 0);
    NewtonStepper stepper(model, {}, 0.3);
    EXPECT_EQ(stepper.step(), StepOutcome::failed);
    EXPECT_FALSE(stepper.report().converged());
    EXPECT_NE(stepper.report().message.find("Newton's method"), std::string::npos);
    State state;
    stepper.read(state);
    EXPECT_EQ(state.x[0], 1.0);
}

}  // namespace
}  // namespace saltus
