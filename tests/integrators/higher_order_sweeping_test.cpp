#include "saltus/integrators/higher_order_stepper.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/simulation/time_stepping.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::matrix;
using testing::vector;

// x''' = lambda, y = x >= 0 (003, eq. 52).
Model triple_integrator(const Eigen::VectorXd& x0) {
    return testing::linear_system(x0, matrix(3, 3, {0, 1, 0, 0, 0, 1, 0, 0, 0}), matrix(3, 1, {0, 0, 1}),
                                  matrix(1, 3, {1, 0, 0}), {}, testing::complementarity);
}

Trajectory run(const Model& model, double step, double t_end) {
    return simulate(model, {.step = step, .t_end = t_end, .scheme = HigherOrderSweeping{}}).trajectory;
}

// x = 1 - t, then rest: velocity -1 jumps to zero at t = 1.
TEST(HigherOrderSweeping, StopsAtTheConstraint) {
    const Trajectory trajectory = run(triple_integrator(vector({1, -1, 0})), 1e-3, 2.0);
    const Eigen::VectorXd x = trajectory.channel("system.x[0]"), v = trajectory.channel("system.x[1]");
    for (Index k = 0; k < x.size(); ++k)
        ASSERT_NEAR(x[k], std::max(0.0, 1.0 - trajectory.times[static_cast<std::size_t>(k)]), 1.5e-3);
    EXPECT_LE(x.tail(900).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LE(v.tail(900).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(v[900], -1.0, 1e-12);
}

// 1 - t - t^2 = 0 at (sqrt 5 - 1) / 2: velocity and acceleration both jump to zero; first order in h.
TEST(HigherOrderSweeping, VelocityAndAccelerationJumpTogether) {
    const double contact = (std::sqrt(5.0) - 1.0) / 2.0;
    const auto contact_error = [&](double step) {
        const Trajectory trajectory = run(triple_integrator(vector({1, -1, -2})), step, 1.0);
        for (Index i = 0; i < 3; ++i)
            EXPECT_NEAR(trajectory.channel(fmt::format("system.x[{}]", i)).tail(1)[0], 0.0, 1e-12);
        const Eigen::VectorXd x = trajectory.channel("system.x[0]");
        Index k = 0;
        while (x[k] > 1e-12) ++k;
        return std::abs(trajectory.times[static_cast<std::size_t>(k)] - contact);
    };
    EXPECT_LE(contact_error(1e-3), 2e-3);
    EXPECT_LE(contact_error(1e-4), 2e-4);
}

// Backward Euler: lambda and the acceleration grow as the step shrinks, and the state is thrown off again.
TEST(HigherOrderSweeping, BackwardEulerDoesNotConvergeHere) {
    const auto highest = [](double step) {
        const Simulation simulation = simulate(triple_integrator(vector({1, -1, 0})),
                                               {.step = step, .t_end = 2.0, .scheme = EulerMoreau{.measures = true}});
        return simulation.trajectory.channel("system.x[2]").cwiseAbs().maxCoeff();
    };
    EXPECT_GT(highest(1e-3), 5.0 * highest(1e-2));
}

// Thrown at the wall again and again by a constant push the state stays on it, and sigma balances the push.
TEST(HigherOrderSweeping, BalancesALoadAtRest) {
    Model model = triple_integrator(vector({1, 0, 0}));
    model.systems[0].b = testing::of_time({"0", "0", "-6"});  // x = 1 - t^3
    const Trajectory trajectory = run(model, 1e-3, 2.0);
    const Eigen::VectorXd x = trajectory.channel("system.x[0]"), sigma = trajectory.channel("interaction.sigma[0]");
    EXPECT_NEAR(x[500], 1.0 - 0.125, 2e-3);
    EXPECT_LE(x.tail(900).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(sigma.tail(500).minCoeff(), 6e-3, 1e-12);
    EXPECT_NEAR(sigma.tail(500).maxCoeff(), 6e-3, 1e-12);
}

// x1' = x2 - 1: y' = x2 - 1 must be zero on the constraint, so that x2 jumps to 1 there.
TEST(HigherOrderSweeping, DerivativesDependOnTheLoad) {
    Model model = triple_integrator(vector({1, 0, 0}));
    model.systems[0].b = testing::of_time({"-1", "0", "0"});
    const Trajectory trajectory = run(model, 1e-3, 2.0);
    EXPECT_NEAR(trajectory.channel("system.x[0]")[500], 0.5, 1e-12);
    EXPECT_NEAR(trajectory.channel("system.x[0]").tail(1)[0], 0.0, 1e-15);
    EXPECT_NEAR(trajectory.channel("system.x[1]")[900], 0.0, 1e-12);
    EXPECT_NEAR(trajectory.channel("system.x[1]").tail(1)[0], 1.0, 1e-12);
}

// Relative degree 2 is a particle at a wall without rebound: backward Euler with measures gives the same limit.
TEST(HigherOrderSweeping, AgreesWithMeasuresForRelativeDegreeTwo) {
    const Model model =
        testing::linear_system(vector({1, 0}), matrix(2, 2, {0, 1, -1, 0}), matrix(2, 1, {0, 1}), matrix(1, 2, {1, 0}),
                               {}, testing::complementarity, testing::of_time({"0.5"}));
    const auto end = [&](const Scheme& scheme, double step) {
        const Simulation simulation = simulate(model, {.step = step, .t_end = 6.0, .scheme = scheme});
        return std::pair(simulation.trajectory.channel("system.x[0]").tail(1)[0],
                         simulation.trajectory.channel("system.x[1]").tail(1)[0]);
    };
    const auto [x, v] = end(HigherOrderSweeping{}, 1e-4);
    const auto [x_measures, v_measures] = end(EulerMoreau{.measures = true}, 1e-4);
    EXPECT_NEAR(x, x_measures, 2e-3);
    EXPECT_NEAR(v, v_measures, 2e-3);
}

// A chain of two constraints, each with a state of its own, and zero dynamics beside them.
TEST(HigherOrderSweeping, SeveralOutputsAndOtherStates) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(7, 7), B = Eigen::MatrixXd::Zero(7, 2), C = Eigen::MatrixXd::Zero(2, 7);
    for (Index s : {0, 3}) A(s, s + 1) = A(s + 1, s + 2) = 1.0;
    A(6, 0) = 1.0;
    A(6, 6) = -1.0;
    B(2, 0) = B(5, 1) = 1.0;
    C(0, 0) = C(1, 3) = 1.0;
    const Model model = testing::linear_system(vector({1, -1, 0, 2, -1, 0, 0}), A, B, C, {}, testing::complementarity);
    const Trajectory trajectory = run(model, 1e-3, 3.0);
    EXPECT_NEAR(trajectory.channel("system.x[0]").tail(1)[0], 0.0, 1e-15);
    EXPECT_NEAR(trajectory.channel("system.x[3]").tail(1)[0], 0.0, 1e-15);
    EXPECT_NEAR(trajectory.channel("system.x[3]")[1000], 1.0, 1e-9);
    // w' = x - w, w(0) = 0:  w(3) = e^-2 (2 - t - 2 e^-t at t = 1).
    EXPECT_NEAR(trajectory.channel("system.x[6]").tail(1)[0], std::exp(-2.0) * (1.0 - 2.0 * std::exp(-1.0)), 1e-3);
}

TEST(HigherOrderSweeping, SaysWhyItCannotTakeAModel) {
    const auto message = [](const Model& model) { return testing::refusal([&] { HigherOrderStepper(model, 0.1); }); };
    EXPECT_NE(message(testing::Circuit{}.c()).find("has relative degree 1"), std::string::npos);
    Model model = triple_integrator(vector({1, 0, 0}));
    model.interactions[0].law = {testing::relay};
    EXPECT_NE(message(model).find("the law is [-1, 1]"), std::string::npos);
    model = triple_integrator(vector({1, 0, 0}));
    model.systems[0].b = testing::of_time({"0", "0", "sin(t)"});
    EXPECT_NE(message(model).find("b of 'system' varies with time"), std::string::npos);
}

}  // namespace
}  // namespace saltus
