#include "saltus/integrators/linear_stepper.hpp"

#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::vector;

constexpr EulerMoreau backward{}, middle{.theta = 0.5, .gamma = 0.5}, jumps{.measures = true};

State run(LinearStepper& stepper, long steps) {
    for (long k = 0; k < steps; ++k) EXPECT_NE(stepper.step(), StepOutcome::failed) << stepper.report().message;
    State state;
    stepper.read(state);
    return state;
}

State run(const Model& model, const EulerMoreau& scheme, double t_end, long steps) {
    LinearStepper stepper(model, scheme, (t_end - model.t0) / static_cast<double>(steps));
    return run(stepper, steps);
}

// Circuit (a) has one switch, at t = 0.395557839655; then x1 rests and x2 decays like exp(-R t / L).
TEST(EulerMoreau, OrdersOnCircuitA) {
    const double exact = run(Circuit{}.a(), middle, 5.0, 1L << 20).x[0];
    EXPECT_NEAR(exact, -0.485895555, 1e-9);
    const auto order = [&](const EulerMoreau& scheme) {
        return testing::observed_order(
            8, 15, [&](int k) { return std::abs(run(Circuit{}.a(), scheme, 5.0, 1L << k).x[0] - exact); });
    };
    EXPECT_NEAR(order(backward), 1.0, 0.1);
    EXPECT_NEAR(order(middle), 2.0, 0.1);
}

// The solution of circuit (b) with small steps of order 2 serves as the exact one.
TEST(EulerMoreau, OrdersOnCircuitB) {
    const Eigen::VectorXd exact = run(Circuit{}.b(), middle, 5.0, 1L << 19).x;
    const auto order = [&](const EulerMoreau& scheme) {
        return testing::observed_order(8, 14, [&](int k) {
            return (run(Circuit{}.b(), scheme, 5.0, 1L << k).x - exact).lpNorm<Eigen::Infinity>();
        });
    };
    EXPECT_NEAR(order(backward), 0.9, 0.15);  // from above to 1
    EXPECT_NEAR(order({.theta = 0.5, .gamma = 1.0}), 1.0, 0.1);
    EXPECT_NEAR(order(middle), 2.0, 0.05);
}

TEST(EulerMoreau, TheDiodeOfCircuitCLetsNoCurrentBack) {
    LinearStepper stepper(Circuit{.R = 0.1}.c(), backward, 1e-3);
    State state;
    for (int k = 0; k < 5000; ++k) {
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.read(state);
        ASSERT_LE(state.x[1], 0.0);
        ASSERT_GE(state.lambda[0], 0.0);
        ASSERT_EQ(state.lambda[0] * state.y[0], 0.0);
    }
}

// The current -1 of circuit (d) is against the diode: it jumps to zero in the first step, with an impulse L * 1 which
// does not depend on the step.
TEST(EulerMoreau, MeasuresStayBoundedWhereTheStateJumps) {
    for (const double h : {1e-2, 1e-4, 1e-6}) {
        LinearStepper stepper(Circuit{}.d(), jumps, h);
        const State state = run(stepper, 1);
        EXPECT_EQ(state.x[1], 0.0);
        EXPECT_NEAR(state.lambda[0], 1.0, 50.0 * h);
    }
}

// i(t) jumps at 5 and 10 (004, eq. 33): x = 0, then 2, then 2 exp(10 - t).
TEST(EulerMoreau, FollowsTheJumpsOfTheCurrentSource) {
    const Model model =
        testing::linear_system(vector({-2}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}), {},
                               testing::complementarity, testing::of_time({"t < 5 ? 0 : t < 10 ? -2 : 2"}));
    const double h = 1e-3;
    LinearStepper stepper(model, jumps, h);
    State state;
    double largest = 0.0, error = 0.0;
    for (int k = 1; k <= 15000; ++k) {
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.read(state);
        largest = std::max(largest, state.lambda[0]);
        const double t = state.t, exact = t < 5.0 - h / 2 ? 0.0 : t < 10.0 - h / 2 ? 2.0 : 2.0 * std::exp(10.0 - t);
        error = std::max(error, std::abs(state.x[0] - exact));
    }
    EXPECT_LE(error, 2.0 * h);
    EXPECT_NEAR(largest, 2.0, 0.01);  // the two jumps by 2
}

// Heemels, Camlibel, Schumacher 2000. In rational arithmetic the origin is reached after 2, 18, 196 and 1996 steps; the
// rounding of the sums before may leave 1e-16, which the next step removes.
TEST(EulerMoreau, TheSpiralEndsInTheOriginExactly) {
    const auto arrival = [](double h) {
        LinearStepper stepper(testing::relay_spiral(), backward, h);
        State state;
        long steps = 0;
        do {
            EXPECT_NE(stepper.step(), StepOutcome::failed);
            stepper.read(state);
            ++steps;
        } while (state.x.norm() > 1e-12 && steps < 10000);
        EXPECT_NE(stepper.step(), StepOutcome::failed);
        for (int k = 0; k < 100; ++k) {
            EXPECT_NE(stepper.step(), StepOutcome::failed);
            stepper.read(state);
            EXPECT_EQ(state.x, vector({0, 0}));
        }
        return steps;
    };
    EXPECT_EQ(arrival(1.0), 2);
    EXPECT_EQ(arrival(0.1), 18);
    EXPECT_EQ(arrival(0.01), 196);
    EXPECT_EQ(arrival(0.001), 1996);
}

// x' = 2 - sgn x from -1: slope 3 until t = 1/3, then 1.
TEST(EulerMoreau, CrossesASwitchingSurface) {
    Model model = testing::linear_system(vector({-1}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, testing::relay);
    model.systems[0].b = testing::of_time({"2"});
    EXPECT_NEAR(run(model, backward, 1.0 / 3.0, 1000).x[0], 0.0, 1e-12);
    EXPECT_NEAR(run(model, backward, 2.0, 6000).x[0], 5.0 / 3.0, 1e-12);
}

// x' in -sgn x + t from 0: slides until t = 1, then x = (t - 1)^2 / 2.
TEST(EulerMoreau, LeavesTheSlidingMode) {
    Model model = testing::linear_system(vector({0}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, testing::relay);
    model.systems[0].b = testing::of_time({"t"});
    EXPECT_EQ(run(model, backward, 1.0, 1000).x[0], 0.0);
    EXPECT_NEAR(run(model, backward, 3.0, 3000).x[0], 2.0, 2e-3);
}

// x' = -x + lambda, y = x - lambda (Heemels, Brogliato 2003): none for x < 0.
TEST(EulerMoreau, SaysThatThereIsNoSolution) {
    const auto model = [](double x0) {
        return testing::linear_system(vector({x0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                      matrix(1, 1, {-1}), testing::complementarity);
    };
    LinearStepper without(model(-1.0), backward, 0.1);
    EXPECT_EQ(without.step(), StepOutcome::failed);
    EXPECT_EQ(without.report().status, SolveStatus::no_solution);
    EXPECT_EQ(without.steps(), 0);
    State state;
    without.read(state);
    EXPECT_EQ(state.x[0], -1.0);
    LinearStepper with(model(1.0), backward, 0.1);
    EXPECT_EQ(with.step(), StepOutcome::kept);
}

// One Zener circuit as a relay [0, Vz], as an Lcp system (1.75), and as a mixed one with an equation (1.70).
TEST(EulerMoreau, EveryFormulationOfTheZenerCircuitGivesTheSameTrajectory) {
    const double R = 0.1, L = 1.0, C = Circuit{}.C, Vz = 1.0;
    const Matrix A = matrix(2, 2, {0, 1, -1 / (L * C), -R / L});
    const Model box =
        testing::linear_system(vector({1, 1}), A, matrix(2, 1, {0, 1 / L}), matrix(1, 2, {0, 1}), {}, {0.0, Vz});
    const Model lcs =
        testing::linear_system(vector({1, 1}), A, matrix(2, 2, {0, 0, 1 / L, 0}), matrix(2, 2, {0, 1, 0, 0}),
                               matrix(2, 2, {0, 1, -1, 0}), testing::complementarity, testing::of_time({"0", "1"}));
    // Multipliers (lambda_1, v, i+): 0 <= lambda_1 _|_ i+ - i >= 0, 0 <= v _|_ i+ >= 0, lambda_1 + v = Vz.
    Model mlcs = testing::linear_system(vector({1, 1}), A, matrix(2, 3, {0, 0, 0, 0, 1 / L, 0}),
                                        matrix(3, 2, {0, -1, 0, 0, 0, 0}), matrix(3, 3, {0, 0, 1, 0, 0, 1, 1, 1, 0}),
                                        testing::complementarity, testing::of_time({"0", "0", "-1"}));
    mlcs.interactions[0].law = {testing::complementarity, testing::complementarity, testing::equation};
    LinearStepper one(box, backward, 5e-3), two(lcs, backward, 5e-3), three(mlcs, backward, 5e-3);
    State a, b, c;
    for (int k = 0; k < 20000; ++k) {
        ASSERT_NE(one.step(), StepOutcome::failed);
        ASSERT_NE(two.step(), StepOutcome::failed);
        ASSERT_NE(three.step(), StepOutcome::failed);
        one.read(a);
        two.read(b);
        three.read(c);
        ASSERT_LE((a.x - b.x).lpNorm<Eigen::Infinity>(), 1e-12) << k;
        ASSERT_LE((a.x - c.x).lpNorm<Eigen::Infinity>(), 1e-12) << k;
    }
    EXPECT_EQ(a.x[1], 0.0);  // it slides, with no oscillation
    EXPECT_GT(a.lambda[0], 0.0);
    EXPECT_LT(a.lambda[0], Vz);
}

// x' = x with h theta = 1/2 grows 3-fold per step, beyond all numbers: the last finite state stays.
TEST(EulerMoreau, StopsWhereTheStateOverflows) {
    const Model model = testing::linear_system(vector({1}), matrix(1, 1, {1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                               matrix(1, 1, {1}), testing::complementarity);
    LinearStepper stepper(model, middle, 1.0);
    long steps = 0;
    while (steps < 1000 && stepper.step() != StepOutcome::failed) ++steps;
    EXPECT_EQ(steps, 646);  // 3^646 < 1.8e308 < 3^647
    EXPECT_NE(stepper.report().message.find("no longer finite"), std::string::npos);
    EXPECT_EQ(stepper.problem().q.size(), 0);
    State state;
    stepper.read(state);
    EXPECT_TRUE(state.x.allFinite());
}

// 004, (33): x' = -x + lambda, 0 <= x - i(t) _|_ lambda >= 0, where i jumps from 0 to 2 at t = 1 and x with it.
// Measures stay bounded; lambda is an impulse, 2 / h; theta = gamma = 1/2 would have to take back in the next step what
// lambda gave in the last, cannot, and lets x jump to 4, however short the step.
TEST(EulerMoreau, OnlyMeasuresFollowAJump) {
    const Model model = testing::linear_system(vector({0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                               {}, testing::complementarity, testing::of_time({"t < 1 ? 0 : -2"}));
    for (const double h : {1e-2, 1e-3, 1e-4}) {
        const auto largest = [&](const EulerMoreau& scheme) {
            LinearStepper stepper(model, scheme, h);
            State state;
            double x = 0.0, lambda = 0.0;
            while (stepper.t() < 1.0 + 10.0 * h) {
                EXPECT_NE(stepper.step(), StepOutcome::failed);
                stepper.read(state);
                x = std::max(x, state.x[0]);
                lambda = std::max(lambda, state.lambda[0]);
            }
            return std::pair(x, lambda);
        };
        const auto [x, sigma] = largest({.measures = true});
        EXPECT_NEAR(x, 2.0, 1e-12);
        EXPECT_NEAR(sigma, 2.0, 3.0 * h);
        EXPECT_NEAR(largest({}).second * h, 2.0, 3.0 * h);
        EXPECT_GT(largest(middle).first, 3.9);
    }
}

TEST(LinearStepper, AllocatesNothingWhileThePlacementLasts) {
    LinearStepper stepper(Circuit{}.b(), middle, 1e-3);
    run(stepper, 5000);  // all placements were met
    EXPECT_EQ(testing::allocations_in([&] { stepper.step(); }), 0);
}

TEST(EulerMoreau, RefusesBadOptionsByName) {
    const auto message = [](const EulerMoreau& scheme, double h) {
        return testing::refusal([&] { LinearStepper(Circuit{}.a(), scheme, h); });
    };
    EXPECT_NE(message({.theta = 1.5}, 0.1).find("theta is 1.5"), std::string::npos);
    EXPECT_NE(message({.gamma = 0.0}, 0.1).find("gamma is 0"), std::string::npos);
    EXPECT_NE(message({.theta = 0.5, .measures = true}, 0.1).find("measures"), std::string::npos);
    EXPECT_NE(message({}, -0.1).find("the step is -0.1"), std::string::npos);
}

}  // namespace
}  // namespace saltus
