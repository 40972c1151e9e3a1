#include "saltus/simulation/time_stepping.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/stepper.hpp"
#include "support/first_order_models.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::vector;

TEST(TimeStepping, RecordsTheOneSwitchOfCircuitA) {
    const Simulation run =
        simulate(Circuit{}.a(),
                 {.step = 1e-4, .t_end = 5.0, .scheme = EulerMoreau{.theta = 0.5, .gamma = 0.5}, .record_every = 10});
    EXPECT_EQ(run.report.end, RunReport::End::reached);
    EXPECT_EQ(run.report.steps, 50000);
    EXPECT_EQ(run.report.switches, 1);
    EXPECT_LE(run.report.worst_residual, 1e-12);
    EXPECT_EQ(run.trajectory.samples(), 5001);
    ASSERT_EQ(run.trajectory.switches.size(), 1u);
    EXPECT_NEAR(run.trajectory.switches[0].t, 0.395557839655, 2e-4);
    EXPECT_EQ(run.trajectory.switches[0].from, Place::at_lower);
    EXPECT_EQ(run.trajectory.switches[0].to, Place::basic);
    EXPECT_NEAR(run.trajectory.channel("system.x[0]").tail(1)[0], -0.485895555, 1e-6);
    EXPECT_EQ(run.trajectory.channels.size(), 4u);
    EXPECT_THROW(run.trajectory.channel("system.y[0]"), InvalidInput);
}

TEST(TimeStepping, EndsAtTheEnd) {
    const Simulation run = simulate(Circuit{}.a(), {.step = 0.3, .t_end = 1.0});
    EXPECT_EQ(run.report.steps, 4);
    EXPECT_DOUBLE_EQ(run.trajectory.times.back(), 1.0);
    EXPECT_EQ(simulate(Circuit{}.a(), {.step = 0.1, .t_end = 0.3}).report.steps, 3);
}

// No solution for x < 0: the run stops there, with the problem and the reason, and keeps what was before.
TEST(TimeStepping, StopsAtAStepWithoutSolution) {
    Model model = testing::linear_system(vector({1}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                         matrix(1, 1, {-1}), testing::complementarity);
    model.systems[0].b = testing::of_time({"t < 0.5 ? 0 : -10"});
    const Simulation run = simulate(model, {.step = 1e-2, .t_end = 5.0});
    EXPECT_EQ(run.report.end, RunReport::End::failed);
    EXPECT_LT(run.report.t, 1.0);
    EXPECT_EQ(run.report.failure.solve.status, SolveStatus::no_solution);
    EXPECT_EQ(size(run.report.failure.problem), 1);
    EXPECT_EQ(run.trajectory.samples(), run.report.steps + 1);
}

// x' = -x + 2 u(t) + lambda, y = x - lambda: without solution while x < 0.
TEST(TimeStepping, TakesUnsolvedStepsOnlyIfToldTo) {
    Model model = testing::linear_system(vector({0.1}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                         matrix(1, 1, {-1}), testing::complementarity);
    model.systems[0].b = testing::of_time({"t < 1 ? -1 : 5"});
    TimeStepping options{.step = 1e-2, .t_end = 3.0, .scheme = EulerMoreau{}, .on_failure = OnFailure::take};
    std::vector<FailedStep> failures;
    const RunReport report =
        options.run(model, {.failed = [&](const FailedStep& failure) { failures.push_back(failure); }});
    EXPECT_EQ(report.end, RunReport::End::reached);
    EXPECT_GT(report.unsolved, 0);
    EXPECT_EQ(std::ssize(failures), report.unsolved);
    EXPECT_TRUE(failures[0].is_taken);
    EXPECT_EQ(failures[0].where, "interaction 'interaction', row 0");
    EXPECT_GT(report.worst_residual, 1e-3);
}

// x' = 10 arctan(200 - 100 x): Newton's method for a step of 1 from 0 goes to and fro and away, that for shorter ones
// not.
TEST(TimeStepping, DividesAStepThatFails) {
    Model model;
    model.name = "steep";
    model.systems.push_back({.name = "point",
                             .x0 = vector({0.0}),
                             .f = Expressions({"10*atan(200 - 100*x[0])"}, {.variables = {{"x", 1}, {"t"}}})});
    TimeStepping options{.step = 1.0, .t_end = 4.0, .scheme = EulerMoreau{}};
    const Simulation stopped = simulate(model, options);
    options.on_failure = OnFailure::retry;
    const Simulation retried = simulate(model, options);
    EXPECT_EQ(stopped.report.end, RunReport::End::failed);
    EXPECT_EQ(retried.report.end, RunReport::End::reached);
    EXPECT_GT(retried.report.retried, 0);
    EXPECT_EQ(retried.report.unsolved, 0);
    EXPECT_EQ(retried.trajectory.times.back(), 4.0);
    EXPECT_NEAR(retried.trajectory.channel("point.x[0]").tail(1)[0], 2.0, 1e-9);
}

// The measure of a step that was divided is that of its parts together: beside the system above, a point pushed against
// a wall by a unit force, sigma = h in every step.
TEST(TimeStepping, ADividedStepHasTheMeasureOfTheWhole) {
    Model model{.name = "steep, and a wall"};
    model.systems.push_back(
        {.name = "steep",
         .x0 = vector({0.0}),
         .f = Expressions({"10*atan(200 - 100*x[0])"}, {.variables = {{"x", 1}, {"t"}}, .constants = {}})});
    model.systems.push_back({.name = "pushed", .x0 = vector({0.0}), .b = testing::of_time({"-1"})});
    model.interactions.push_back({.name = "wall", .systems = {1}, .C = matrix(1, 1, {1}), .B = matrix(1, 1, {1})});
    const Simulation run = simulate(
        model, {.step = 0.5, .t_end = 2.0, .scheme = EulerMoreau{.measures = true}, .on_failure = OnFailure::retry});
    EXPECT_GT(run.report.retried, 0);
    const Eigen::VectorXd sigma = run.trajectory.channel("wall.sigma[0]");
    for (Index k = 1; k < sigma.size(); ++k) EXPECT_NEAR(sigma[k], 0.5, 1e-9) << k;
}

TEST(TimeStepping, CanBeInterrupted) {
    long told = 0;
    const RunReport report = TimeStepping{.step = 1e-5, .t_end = 5.0}.run(
        Circuit{}.a(), {.goes_on = [&](double, long) { return ++told < 3; }});
    EXPECT_EQ(report.end, RunReport::End::interrupted);
    EXPECT_LT(report.t, 1.0);
    EXPECT_GT(report.steps, 0);
}

// A ladder of N cells: small ones by maps, large ones by sparse factors, the same trajectory.
Model ladder(Index cells) {
    Model model;
    model.name = "ladder";
    Eigen::VectorXd x0 = Eigen::VectorXd::Zero(cells);
    x0[0] = 1.0;
    std::vector<Eigen::Triplet<double>> A, C, B, D;
    for (Index i = 0; i < cells; ++i) {
        A.emplace_back(i, i, -0.1);
        C.emplace_back(i, i, -1.0);  // y = x_(i+1) - x_i + lambda: a diode with a resistor from cell to cell
        if (i + 1 < cells) C.emplace_back(i, i + 1, 1.0);
        D.emplace_back(i, i, 1.0);
        B.emplace_back(i, i, -1.0);
        if (i + 1 < cells) B.emplace_back(i + 1, i, 1.0);
    }
    const auto sparse = [&](const auto& triplets) {
        Matrix::Sparse matrix(cells, cells);
        matrix.setFromTriplets(triplets.begin(), triplets.end());
        return Matrix(matrix);
    };
    model.systems.push_back({.name = "cells", .x0 = x0, .A = sparse(A)});
    model.interactions.push_back({.name = "diodes", .C = sparse(C), .D = sparse(D), .B = sparse(B)});
    return model;
}

TEST(Stepper, LargeModelsGiveWhatSmallOnesGive) {
    const Model model = ladder(30);
    LinearStepper small(model, {}, 0.05);
    SparseLinearStepper large(model, {}, 0.05);
    State a, b;
    for (int k = 0; k < 500; ++k) {
        ASSERT_NE(small.step(), StepOutcome::failed);
        ASSERT_NE(large.step(), StepOutcome::failed);
        small.read(a);
        large.read(b);
        ASSERT_LE((a.x - b.x).norm(), 1e-12) << k;
        ASSERT_LE((a.lambda - b.lambda).norm(), 1e-12) << k;
    }
    EXPECT_TRUE(std::holds_alternative<SparseLinearStepper>(make_stepper(ladder(200), EulerMoreau{}, 0.05)));
    EXPECT_TRUE(std::holds_alternative<LinearStepper>(make_stepper(model, EulerMoreau{}, 0.05)));
}

// The current of the first cell reaches the far ones as powers of h, below all rounding: no step after the first may
// look for another placement because of them.
TEST(Stepper, RoundingInFarCellsSwitchesNothing) {
    Model model = ladder(200);
    model.systems[0].x0.setZero();
    model.systems[0].b = Function::with_jacobian(
        1, 200,
        [](const Function::In&, Function::Out& out) {
            out.setZero();
            out[0] = 1.0;
        },
        [](const Function::In&, Function::OutMatrix&) {});
    SparseLinearStepper stepper(model, EulerMoreau{}, 0.02);
    long switched = 0;
    for (int k = 0; k < 200; ++k) switched += stepper.step() == StepOutcome::switched;
    EXPECT_LE(switched, 20);
    EXPECT_EQ(stepper.problem().q.size(), 200);  // that of the beginning: no step had a problem to solve
}

// Two cells with a diode between them: as one system of two states, and as two systems that an interaction couples, in
// either order (002, ch. 2: the blocks of W come from the same products).
TEST(Stepper, SystemsTiedByAnInteractionAreOneSystem) {
    const Model one = testing::linear_system(vector({1, 0}), matrix(2, 2, {-0.1, 0, 0, -0.5}), matrix(2, 1, {-1, 1}),
                                             matrix(1, 2, {-1, 1}), matrix(1, 1, {1}), testing::complementarity);
    const TimeStepping options{.step = 1e-2, .t_end = 5.0};
    const Trajectory expected = simulate(one, options).trajectory;
    for (const bool is_turned : {false, true}) {
        Model two{.name = "two"};
        two.systems.push_back({.name = "first", .x0 = vector({1}), .A = matrix(1, 1, {-0.1})});
        two.systems.push_back({.name = "second", .x0 = vector({0}), .A = matrix(1, 1, {-0.5})});
        const double sign = is_turned ? -1.0 : 1.0;
        two.interactions.push_back({.name = "diode",
                                    .systems = is_turned ? std::vector<Index>{1, 0} : std::vector<Index>{0, 1},
                                    .C = matrix(1, 2, {-sign, sign}),
                                    .D = matrix(1, 1, {1}),
                                    .B = matrix(2, 1, {-sign, sign})});
        const Trajectory found = simulate(two, options).trajectory;
        EXPECT_EQ(found.channel("first.x[0]"), expected.channel("system.x[0]"));
        EXPECT_EQ(found.channel("second.x[0]"), expected.channel("system.x[1]"));
        EXPECT_EQ(found.channel("diode.lambda[0]"), expected.channel("interaction.lambda[0]"));
        EXPECT_GT(found.channel("second.x[0]").maxCoeff(), 0.1);
    }
}

TEST(TimeStepping, RefusesBadOptionsByName) {
    const auto message = [](const TimeStepping& options) {
        return testing::refusal([&] { simulate(Circuit{}.a(), options); });
    };
    EXPECT_NE(message({.step = 0.0, .t_end = 1.0}).find("step is 0"), std::string::npos);
    EXPECT_NE(message({.step = 0.1, .t_end = -1.0}).find("t_end is -1"), std::string::npos);
    EXPECT_NE(message({.step = 0.1, .t_end = 1.0, .record_every = 0}).find("record_every is 0"), std::string::npos);
    EXPECT_NE(message({.step = 1e-30, .t_end = 1.0}).find("larger"), std::string::npos);
}

}  // namespace
}  // namespace saltus
