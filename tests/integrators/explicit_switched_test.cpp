#include "saltus/integrators/explicit_stepper.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/simulation/time_stepping.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"
#include "support/sanitized.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::vector;

constexpr ExplicitSwitched euler{}, runge_kutta{.stages = 4};

// x2' = ... + lambda, lambda in [0, 1]: the Zener circuit of 000, (1.60); slides at x2 = 0 once 0 <= x1 / C <= 1, which
// it reaches sooner from a smaller charge than that of the book.
Model zener() {
    const Circuit circuit{.R = 0.1};
    return testing::linear_system(vector({0.1, 0.1}), circuit.c().systems[0].A, matrix(2, 1, {0, 1}),
                                  matrix(1, 2, {0, 1}), {}, {0.0, 1.0});
}

double end_of(const Model& model, const Scheme& scheme, double t_end, long steps) {
    const TimeStepping options{.step = t_end / static_cast<double>(steps), .t_end = t_end, .scheme = scheme};
    return simulate(model, options).trajectory.channel("system.x[0]").tail(1)[0];
}

TEST(ExplicitSwitched, HasItsOrderWhereNothingSwitches) {
    const double t_end = 0.3;  // circuit (a) switches at 0.3956
    const auto order = [&](const Scheme& scheme) {
        const double exact = end_of(Circuit{}.a(), runge_kutta, t_end, 1 << 15);
        return testing::observed_order(
            5, 9, [&](int k) { return std::abs(end_of(Circuit{}.a(), scheme, t_end, 1L << k) - exact); });
    };
    EXPECT_NEAR(order(euler), 1.0, 0.15);
    EXPECT_NEAR(order(runge_kutta), 4.0, 0.3);
}

// 000, fig. 1.4: the scheme of order 4 loses it across the kink of the right-hand side. (x1(5) is known exactly.)
TEST(ExplicitSwitched, LosesItsOrderAtASwitch) {
    SALTUS_SKIP_IF_SANITIZED();
    const double exact = -0.485895555;
    const double order = testing::observed_order(
        5, 9, [&](int k) { return std::abs(end_of(Circuit{}.a(), runge_kutta, 5.0, 100L << k) - exact); });
    EXPECT_LT(order, 3.0);
}

// 000, figs 1.12 to 1.19, h = 5e-3: explicit schemes chatter about x2 = 0, a band keeps them beside it, the implicit
// one is exactly there.
TEST(ExplicitSwitched, ChattersWhereTheImplicitSchemeSlides) {
    struct Seen {
        double current;  // the largest of the last 500 steps
        Index switches;  // in these
    };
    const auto see = [](const Scheme& scheme) {
        const Simulation run = simulate(zener(), {.step = 5e-3, .t_end = 10.0, .scheme = scheme});
        const auto is_late = [](const Switch& s) { return s.t > 7.5; };
        return Seen{run.trajectory.channel("system.x[1]").tail(500).cwiseAbs().maxCoeff(),
                    std::ranges::count_if(run.trajectory.switches, is_late)};
    };
    const Seen implicit_scheme = see(EulerMoreau{});
    EXPECT_EQ(implicit_scheme.current, 0.0);
    EXPECT_EQ(implicit_scheme.switches, 0);
    const Seen chattering = see(euler);
    EXPECT_GT(chattering.current, 1e-4);
    EXPECT_GT(chattering.switches, 100);
    EXPECT_GT(see(runge_kutta).current, 1e-4);
    const Seen beside = see(ExplicitSwitched{.stages = 1, .band = 1e-2});
    EXPECT_GT(beside.current, 1e-4);
    EXPECT_LT(beside.switches, 20);
}

// Filippov's rule inside the band: x' in -sgn x + t slides until t = 1 and leaves.
TEST(ExplicitSwitched, LeavesTheSlidingModeInTime) {
    Model model = testing::linear_system(vector({0}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, testing::relay);
    model.systems[0].b = testing::of_time({"t"});
    const Simulation run = simulate(model, {.step = 1e-3, .t_end = 3.0, .scheme = euler});
    const Eigen::VectorXd x = run.trajectory.channel("system.x[0]");
    for (Index k = 0; k < x.size(); ++k) {
        const double late = std::max(0.0, run.trajectory.times[static_cast<std::size_t>(k)] - 1.0);
        ASSERT_NEAR(x[k], 0.5 * late * late, 3e-3);
    }
    EXPECT_EQ(x.head(1000).cwiseAbs().maxCoeff(), 0.0);
}

// x' = 2 lambda, lambda in -sgn(x - sin t): on the moving surface 2 lambda = cos t.
TEST(ExplicitSwitched, FollowsASurfaceThatMoves) {
    const Model model = testing::linear_system(vector({0}), {}, matrix(1, 1, {2}), matrix(1, 1, {1}), {},
                                               testing::relay, testing::of_time({"-sin(t)"}));
    Model nonlinear = model;
    nonlinear.interactions[0].C = nonlinear.interactions[0].D = {};
    nonlinear.interactions[0].e = {};
    nonlinear.interactions[0].h =
        Expressions({"x[0] - sin(t)"}, {.variables = {{"x", 1}, {"l", 1}, {"t"}}, .constants = {}});
    for (const Model& m : {model, nonlinear}) {
        const Simulation run =
            simulate(m, {.step = 1e-3, .t_end = 6.0, .scheme = ExplicitSwitched{.stages = 1, .band = 1e-2}});
        const Eigen::VectorXd lambda = run.trajectory.channel("interaction.lambda[0]");
        for (Index k = 0; k < lambda.size(); ++k)
            ASSERT_NEAR(2.0 * lambda[k], std::cos(run.trajectory.times[static_cast<std::size_t>(k)]), 1e-9) << k;
    }
}

TEST(ExplicitSwitched, RefusesWhatHasNoExplicitMultiplier) {
    const auto message = [](const Model& model, const ExplicitSwitched& scheme) {
        return testing::refusal([&] { ExplicitStepper(model, scheme, 0.1); });
    };
    EXPECT_NE(message(Circuit{}.c(), euler).find("interaction 'interaction', row 0: y does not depend on lambda"),
              std::string::npos);
    EXPECT_NE(message(zener(), {.stages = 3}).find("stages is 3"), std::string::npos);
    EXPECT_NE(message(zener(), {.band = -1.0}).find("band is -1"), std::string::npos);
}

TEST(ExplicitSwitched, StopsWhereItIsUnstable) {
    Model model = testing::linear_system(vector({1}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}), {},
                                         testing::relay);
    Model solved = model;  // y depends on lambda: the laws are a problem in each step
    solved.interactions[0].D = matrix(1, 1, {1});
    for (const Model& m : {model, solved}) {
        const Simulation run = simulate(m, {.step = 10.0, .t_end = 1e5, .scheme = euler});
        EXPECT_EQ(run.report.end, RunReport::End::failed);
        EXPECT_NE(run.report.failure.solve.message.find("no longer finite"), std::string::npos);
        EXPECT_EQ(size(run.report.failure.problem), 0);  // no problem is the cause
    }
}

}  // namespace
}  // namespace saltus
