#include "saltus/integrators/catching_up.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/model/formulations.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"
#include "support/simulated_states.hpp"

namespace saltus {
namespace {

using testing::largest_difference;
using testing::matrix;
using testing::of_time;
using testing::simulated_states;
using testing::vector;

// Sets that move, turn round and shrink, and hold the origin at t = 0.
std::vector<MovingSet> moving_sets() {
    return {HalfSpace{vector({1, 2}), of_time({"0.5 - sin(2*t)"})},
            Polyhedron{matrix(3, 2, {1, 1, -1, 0, 0.2, -1}), of_time({"0.8 - t/2", "1 + sin(t)", "1 + cos(3*t)"})},
            Box{of_time({"t - 1", "-1"}), of_time({"t + 1", "1 - sin(t)/2"})},
            Ball{of_time({"sin(t)", "1 - cos(2*t)"}), of_time({"0.5 + t/10"})}};
}

// Without F, a step of EulerMoreau is the projection.
TEST(CatchingUp, IsEulerMoreauWhereNothingElseMoves) {
    const FirstOrderSystem point{.name = "point", .x0 = vector({0, 0})};
    for (const MovingSet& set : moving_sets()) {
        const Eigen::MatrixXd states = catch_up(point, set, 0.0, 0.01, 400);
        EXPECT_LE(largest_difference(states, simulated_states(sweeping_process(point, set),
                                                              {.step = 0.01, .t_end = 4.0, .scheme = EulerMoreau{}})),
                  1e-8)
            << set.index();
        EXPECT_GT(states.rightCols(1).norm(), 0.1) << set.index();  // it was swept
        for (Index k = 1; k <= 400; ++k)
            ASSERT_LE((project(set, 0.01 * static_cast<double>(k), states.col(k)) - states.col(k)).norm(), 1e-12);
    }
}

// With F the two differ by the order of the step.
TEST(CatchingUp, ConvergesToEulerMoreau) {
    const FirstOrderSystem system{
        .name = "system",
        .x0 = vector({0, 0}),
        .A = matrix(2, 2, {0, 1, -1, 0}),
        .b = of_time({"1", "cos(t)"}),
        .f = Expressions({"-x[0]^3", "0"}, {.variables = {{"x", 2}, {"t"}}, .constants = {}})};
    for (const MovingSet& set : moving_sets()) {
        const auto difference = [&](int k) {
            const double h = std::pow(2.0, -k);
            return largest_difference(
                catch_up(system, set, 0.0, h, 2L << k),
                simulated_states(sweeping_process(system, set), {.step = h, .t_end = 2.0, .scheme = EulerMoreau{}}));
        };
        EXPECT_NEAR(testing::observed_order(5, 9, difference), 1.0, 0.15) << set.index();
    }
}

// x' in 2 - x - N for x <= 1: x = 2 (1 - exp(-t)) until t = log 2, then 1.
TEST(CatchingUp, HasOrderOne) {
    const FirstOrderSystem system{.name = "system", .x0 = vector({0}), .A = matrix(1, 1, {-1}), .b = of_time({"2"})};
    const HalfSpace below{vector({-1}), of_time({"1"})};
    const auto error = [&](int k) {
        const double h = std::pow(2.0, -k);
        const Eigen::MatrixXd states = catch_up(system, below, 0.0, h, 1L << k);
        double largest = 0.0;
        for (Index i = 0; i < states.cols(); ++i) {
            const double t = static_cast<double>(i) * h;
            largest = std::max(largest, std::abs(states(0, i) - std::min(1.0, 2.0 - 2.0 * std::exp(-t))));
        }
        EXPECT_EQ(states(0, states.cols() - 1), 1.0);
        return largest;
    };
    EXPECT_NEAR(testing::observed_order(5, 10, error), 1.0, 0.1);
}

TEST(CatchingUp, NamesWhatDoesNotFit) {
    const auto message = [](const FirstOrderSystem& system, double h) {
        return testing::refusal([&] { catch_up(system, HalfSpace{vector({1}), {}}, 0.0, h, 1); });
    };
    EXPECT_EQ(message({.name = "point", .x0 = vector({1})}, 0.1), "accepted");
    EXPECT_EQ(message({.name = "point", .x0 = vector({1})}, -0.1), "catch_up: 1 steps of -0.1; both must be positive");
    EXPECT_EQ(message({.name = "point", .x0 = vector({1}), .M = matrix(1, 1, {2})}, 0.1),
              "catch_up: system 'point' has a matrix M; solve with it first");
    EXPECT_EQ(message({.name = "point", .x0 = vector({1, 1})}, 0.1),
              "system 'point': the set has 1 dimensions, x0 has 2 entries");
}

}  // namespace
}  // namespace saltus
