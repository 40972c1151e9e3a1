#include "saltus/model/formulations.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "support/first_order_models.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"
#include "support/same_derivatives.hpp"
#include "support/simulated_states.hpp"

namespace saltus {
namespace {

using testing::largest_difference;
using testing::matrix;
using testing::of_time;
using testing::Random;
using testing::refusal;
using testing::simulated_states;
using testing::vector;

constexpr EulerMoreau midpoint{.theta = 0.5, .gamma = 0.5};

// A function of (x, t), n states.
Function of_state(std::vector<std::string> texts, Index n) {
    return Expressions(texts, {.variables = {{"x", n}, {"t"}}, .constants = {}});
}

// x_k in K(t_k) at all samples but the first.
void expect_inside(const MovingSet& set, const Eigen::MatrixXd& states, double h, double tolerance) {
    for (Index k = 1; k < states.cols(); ++k)
        ASSERT_LE((project(set, static_cast<double>(k) * h, states.col(k)) - states.col(k)).norm(), tolerance) << k;
}

// A half-space x1 >= sin(t) + t / 4 pushes the point up where it rises and leaves it where it falls.
TEST(SweepingProcess, OfAHalfSpaceIsTheRunningMaximum) {
    const double h = 0.01;
    const Model model = sweeping_process({.name = "point", .x0 = vector({0.3, 2})},
                                         HalfSpace{vector({1, 0}), of_time({"-sin(t) - t/4"})});
    const Eigen::MatrixXd states = simulated_states(model, {.step = h, .t_end = 12.0, .scheme = EulerMoreau{}});
    double largest = 0.3;
    for (Index k = 1; k < states.cols(); ++k) {
        const double t = static_cast<double>(k) * h;
        largest = std::max(largest, std::sin(t) + t / 4.0);
        ASSERT_NEAR(states(0, k), largest, 1e-13);
        ASSERT_EQ(states(1, k), 2.0);
    }
}

TEST(SweepingProcess, StaysInAMovingPolyhedron) {
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
        const Polyhedron set{random.matrix(5, 3), of_time({"1 + sin(t)", "1 + cos(t)", "1", "1.5 - t/4", "0.5"})};
        const Model model = sweeping_process(
            {.name = "point", .x0 = vector({0, 0, 0}), .A = random.matrix(3, 3), .b = of_time({"cos(3*t)", "1", "-1"})},
            set);
        ASSERT_TRUE(model.is_linear());
        expect_inside(set, simulated_states(model, {.step = 0.02, .t_end = 4.0, .scheme = EulerMoreau{}}), 0.02, 1e-9);
    }
}

// The disk |x - (v t, 0)| <= R touches a point on its axis at its rear and pushes it along: x1 = max(0, v t - R).
TEST(SweepingProcess, ADiskPushesAPointAlongALine) {
    const double h = 0.01, v = 2.0, R = 0.5;
    const Ball disk{of_time({"2*t", "0"}), of_time({"0.5"})};
    const Eigen::MatrixXd states = simulated_states(sweeping_process({.name = "point", .x0 = vector({0, 0})}, disk),
                                                    {.step = h, .t_end = 2.0, .scheme = EulerMoreau{}});
    for (Index k = 1; k < states.cols(); ++k) {
        ASSERT_NEAR(states(0, k), std::max(0.0, v * static_cast<double>(k) * h - R), 1e-8);
        ASSERT_EQ(states(1, k), 0.0);
    }
    expect_inside(disk, states, h, 1e-8);
}

// A point beside the axis is drawn along a tractrix: with x - c = R (-cos p, sin p), x' is normal to the circle where
// R p' = -v sin p, so that tan(p / 2) = tan(p0 / 2) exp(-v t / R).
TEST(SweepingProcess, ADiskDrawsAPointAlongATractrix) {
    const double v = 2.0, R = 0.5, start = 1.2;
    const Ball disk{of_time({"2*t", "0"}), of_time({"0.5"})};
    const Model model =
        sweeping_process({.name = "point", .x0 = R * vector({-std::cos(start), std::sin(start)})}, disk);
    const double p = 2.0 * std::atan(std::tan(start / 2.0) * std::exp(-v / R));
    const Eigen::VectorXd exact = vector({v - R * std::cos(p), R * std::sin(p)});
    EXPECT_NEAR(testing::observed_order(5, 9,
                                        [&](int k) {
                                            const Eigen::MatrixXd states = simulated_states(
                                                model,
                                                {.step = std::pow(2.0, -k), .t_end = 1.0, .scheme = EulerMoreau{}});
                                            return (states.rightCols(1) - exact).norm();
                                        }),
                1.0, 0.05);
}

// x' = P_T(F): from (0.5, 0.2), F = (1, -1), in the unit square the point slides along its floor, then rests in the
// corner.
TEST(ProjectedDynamicalSystem, SlidesAlongTheBoundary) {
    const Model model =
        projected_dynamical_system({.name = "point", .x0 = vector({0.5, 0.2}), .b = of_time({"1", "-1"})},
                                   Box{of_time({"0", "0"}), of_time({"1", "1"})});
    const double h = 0.01;
    const Eigen::MatrixXd states = simulated_states(model, {.step = h, .t_end = 1.0, .scheme = EulerMoreau{}});
    for (Index k = 1; k < states.cols(); ++k) {
        const double t = static_cast<double>(k) * h;
        ASSERT_NEAR(states(0, k), std::min(1.0, 0.5 + t), 1e-13);
        ASSERT_NEAR(states(1, k), std::max(0.0, 0.2 - t), 1e-13);
    }
}

// (x_(k+1) - x_k - h F(x_(k+1))).(k - x_(k+1)) >= 0 for all k in K, at every step.
TEST(EvolutionInequality, HoldsAtEveryStep) {
    Random random(2);
    const Polyhedron set{matrix(3, 2, {1, 1, -1, 0, 0, -1}), of_time({"1", "1", "1"})};  // a triangle
    const Eigen::MatrixXd A = random.matrix(2, 2, -2.0, 2.0);
    const double h = 0.05;
    const Eigen::MatrixXd states = simulated_states(
        evolution_inequality({.name = "point", .x0 = vector({0, 0}), .A = A, .b = of_time({"2", "-1"})}, set),
        {.step = h, .t_end = 5.0, .scheme = EulerMoreau{}});
    double most = 0.0;
    for (Index k = 1; k < states.cols(); ++k) {
        const Eigen::VectorXd x = states.col(k), r = x - states.col(k - 1) - h * (A * x + vector({2, -1}));
        most = std::max(most, r.norm());
        for (int trial = 0; trial < 10; ++trial)
            ASSERT_GE(r.dot(project(set, 0.0, random.vector(2, -5.0, 5.0)) - x), -1e-12);
    }
    EXPECT_GT(most, 1e-3);  // the boundary was reached
}

// x' = 2 - sgn x from -1: slope 3 until t = 1/3, then 1; x' in -sgn x + t: slides until t = 1, then (t - 1)^2 / 2.
TEST(Filippov, CrossesSlidesAndLeaves) {
    const Function s = of_state({"x[0]"}, 1);
    const Model crossing =
        filippov({.name = "system", .x0 = vector({-1})}, s, {of_state({"3"}, 1), of_state({"1"}, 1)});
    EXPECT_NEAR(simulated_states(crossing, {.step = 1.0 / 3000, .t_end = 2.0, .scheme = EulerMoreau{}}).rightCols(1)(0),
                5.0 / 3.0, 1e-8);
    const Model sliding =
        filippov({.name = "system", .x0 = vector({0})}, s, {of_state({"1 + t"}, 1), of_state({"t - 1"}, 1)});
    EXPECT_NEAR(simulated_states(sliding, {.step = 1e-3, .t_end = 1.0, .scheme = EulerMoreau{}}).rightCols(1)(0), 0.0,
                1e-9);
    EXPECT_NEAR(simulated_states(sliding, {.step = 1e-3, .t_end = 3.0, .scheme = EulerMoreau{}}).rightCols(1)(0), 2.0,
                2e-3);
}

// f- = (0, 2), f+ = (3, -1) about x2 = 0: the convex combination that stays is 1/3 f- + 2/3 f+ = (2, 0).
TEST(Filippov, SlidesWithTheConvexCombination) {
    const Model model = filippov({.name = "system", .x0 = vector({0, 1})}, of_state({"x[1]"}, 2),
                                 {of_state({"0", "2"}, 2), of_state({"3", "-1"}, 2)});
    const Simulation run = simulate(model, {.step = 1e-2, .t_end = 2.0, .scheme = EulerMoreau{}});
    ASSERT_EQ(run.report.end, RunReport::End::reached);
    EXPECT_NEAR(run.trajectory.channel("system.x[0]").tail(1)[0], 5.0, 1e-8);
    EXPECT_NEAR(run.trajectory.channel("system.x[1]").tail(1)[0], 0.0, 1e-9);
    EXPECT_NEAR(run.trajectory.channel("switch.lambda[0]").tail(1)[0], 2.0 / 3.0, 1e-7);
}

// Four fields on the quadrants. From (1, 1) by (-2, -1) to (0, 1/2) at t = 1/2; then along x1 = 0 by
// 1/2 (-2, -1) + 1/2 (2, -1) into the origin at t = 1, where (1 - 2 a)(1 + b) = 0, 3/2 (1 - b) - b = 0: (1/2, 3/5).
TEST(Filippov, SlidesOnTheIntersectionOfTwoSurfaces) {
    const Model model = filippov(
        {.name = "system", .x0 = vector({1, 1})}, of_state({"x[0]", "x[1]"}, 2),
        {of_state({"1", "2"}, 2), of_state({"-1", "1"}, 2), of_state({"2", "-1"}, 2), of_state({"-2", "-1"}, 2)});
    const Simulation run = simulate(model, {.step = 1e-2, .t_end = 1.5, .scheme = EulerMoreau{}});
    ASSERT_EQ(run.report.end, RunReport::End::reached) << run.report.failure.solve.message;
    const Eigen::VectorXd x0 = run.trajectory.channel("system.x[0]"), x1 = run.trajectory.channel("system.x[1]");
    for (Index k = 0; k < x0.size(); ++k) {
        const double t = 1e-2 * static_cast<double>(k);
        ASSERT_NEAR(x0[k], std::max(0.0, 1.0 - 2.0 * t), 1e-8) << k;
        ASSERT_NEAR(x1[k], std::max(0.0, 1.0 - t), 1e-8) << k;
    }
    EXPECT_NEAR(run.trajectory.channel("switch.lambda[0]").tail(1)[0], 0.5, 1e-7);
    EXPECT_NEAR(run.trajectory.channel("switch.lambda[1]").tail(1)[0], 0.6, 1e-7);
}

// The products of (135) by hand, and their derivatives.
TEST(Filippov, HasTheRightDerivatives) {
    const Model model = filippov(
        {.name = "system", .x0 = vector({1})}, of_state({"x[0] - t", "x[0]*t"}, 1),
        {of_state({"x[0]^2"}, 1), of_state({"t*x[0]"}, 1), of_state({"sin(t)"}, 1), of_state({"exp(x[0])"}, 1)});
    const Symbols symbols{.variables = {{"x"}, {"a"}, {"b"}, {"t"}}, .constants = {}};
    Random random(3);
    testing::expect_same_derivatives(model.interactions[0].h, Expressions({"t - x", "-x*t"}, symbols), random);
    testing::expect_same_derivatives(
        model.interactions[0].g,
        Expressions({"(1 - a)*(1 - b)*x^2 + a*(1 - b)*t*x + (1 - a)*b*sin(t) + a*b*exp(x)"}, symbols), random);
}

// x' = v, v' = -x - 3 max(0, x): half a period of frequency 1, half of frequency 2.
std::vector<AffineField> unilateral_spring() {
    return {{matrix(2, 2, {0, 1, -1, 0}).dense(), vector({0, 0})},
            {matrix(2, 2, {0, 1, -4, 0}).dense(), vector({0, 0})}};
}

TEST(PiecewiseAffine, ContinuousPiecesAreAComplementaritySystem) {
    const Model model = piecewise_affine({.name = "mass", .x0 = vector({0, 1})}, matrix(1, 2, {1, 0}).dense(),
                                         vector({0}), unilateral_spring());
    ASSERT_TRUE(model.is_linear());
    EXPECT_EQ(model.interactions[0].D(0, 0), 1.0);
    const auto error = [&](int k) {
        const double half = std::numbers::pi / 2.0, h = half / std::pow(2.0, k);
        const Eigen::MatrixXd states = simulated_states(model, {.step = h, .t_end = 3.0 * half, .scheme = midpoint});
        return (states.rightCols(1) - vector({0, 1})).norm();
    };
    EXPECT_NEAR(testing::observed_order(5, 9, error), 2.0, 0.1);
    EXPECT_LE(error(9), 1e-4);
}

TEST(PiecewiseAffine, IsFilippovsSystemOfItsFields) {
    const TimeStepping options{.step = 0.01, .t_end = 6.0, .scheme = EulerMoreau{}};
    const FirstOrderSystem mass{.name = "mass", .x0 = vector({0, 1})};
    EXPECT_LE(largest_difference(
                  simulated_states(
                      piecewise_affine(mass, matrix(1, 2, {1, 0}).dense(), vector({0}), unilateral_spring()), options),
                  simulated_states(filippov(mass, of_state({"x[0]"}, 2),
                                            {of_state({"x[1]", "-x[0]"}, 2), of_state({"x[1]", "-4*x[0]"}, 2)}),
                                   options)),
              1e-7);

    // A spring beyond x1 = 0.2 and dry friction, two hyperplanes: one continuous, one a constant jump.
    const Eigen::MatrixXd normals = matrix(2, 2, {1, 0, 0, 1}).dense(), free = matrix(2, 2, {0, 1, -1, 0}).dense(),
                          stiff = matrix(2, 2, {0, 1, -4, 0}).dense();
    const Eigen::VectorXd offsets = vector({-0.2, 0});
    const Model model = piecewise_affine(
        mass, normals, offsets,
        {{free, vector({0, 0.3})}, {stiff, vector({0, 0.9})}, {free, vector({0, -0.3})}, {stiff, vector({0, 0.3})}});
    ASSERT_TRUE(model.is_linear());
    EXPECT_EQ(model.interactions[0].law_of(1).upper, 1.0);
    EXPECT_LE(
        largest_difference(
            simulated_states(model, options),
            simulated_states(filippov(mass, of_state({"x[0] - 0.2", "x[1]"}, 2),
                                      {of_state({"x[1]", "-x[0] + 0.3"}, 2), of_state({"x[1]", "-4*x[0] + 0.9"}, 2),
                                       of_state({"x[1]", "-x[0] - 0.3"}, 2), of_state({"x[1]", "-4*x[0] + 0.3"}, 2)}),
                             options)),
        1e-7);

    // A jump that depends on x and does not vanish on the surface: not linear.
    const Model jumping = piecewise_affine(mass, matrix(1, 2, {0, 1}).dense(), vector({0}),
                                           {{free, vector({0, 0.3})}, {stiff, vector({0, -0.3})}});
    ASSERT_FALSE(jumping.is_linear());
    EXPECT_LE(
        largest_difference(
            simulated_states(jumping, options),
            simulated_states(filippov(mass, of_state({"x[1]"}, 2),
                                      {of_state({"x[1]", "-x[0] + 0.3"}, 2), of_state({"x[1]", "-4*x[0] - 0.3"}, 2)}),
                             options)),
        1e-9);
}

// The disk as a gradient system: another scaling of the constraint, another multiplier, the same x.
TEST(GradientComplementaritySystem, IsTheSweepingProcessOfItsSet) {
    const FirstOrderSystem point{.name = "point", .x0 = vector({0, 0.1}), .f = of_state({"-x[1]", "x[0]^3"}, 2)};
    const Model gradient = gradient_complementarity_system(point, 1, [](const auto& in, auto& s) {
        const auto& t = in[2];
        s[0] = 1.0 - (in[0] - 2.0 * t) * (in[0] - 2.0 * t) - in[1] * in[1];
    });
    const TimeStepping options{.step = 0.01, .t_end = 2.0, .scheme = EulerMoreau{}};
    EXPECT_LE(largest_difference(
                  simulated_states(gradient, options),
                  simulated_states(sweeping_process(point, Ball{of_time({"2*t", "0"}), of_time({"1"})}), options)),
              1e-7);
}

// Down the parabola x2 >= x1^2 by (0, -1): lambda = 1 / (1 + 4 x1^2), and log(x1) + 2 x1^2 + 2 t is constant.
TEST(GradientComplementaritySystem, SlidesDownAParabola) {
    const Model model =
        gradient_complementarity_system({.name = "point", .x0 = vector({1, 1}), .b = of_time({"0", "-1"})}, 1,
                                        [](const auto& in, auto& s) { s[0] = in[1] - in[0] * in[0]; });
    const auto error = [&](int k) {
        const Eigen::VectorXd x =
            simulated_states(model, {.step = std::pow(2.0, -k), .t_end = 1.0, .scheme = EulerMoreau{}}).rightCols(1);
        EXPECT_NEAR(x[1], x[0] * x[0], 1e-9);
        return std::abs(std::log(x[0]) + 2.0 * x[0] * x[0] + 2.0 - 2.0);
    };
    EXPECT_NEAR(testing::observed_order(5, 9, error), 1.0, 0.05);
}

// The second derivatives, against those by hand: r = (-2 x1 l0, l0 + cos(x2) t l1).
TEST(GradientComplementaritySystem, HasTheRightDerivatives) {
    const Model model =
        gradient_complementarity_system({.name = "point", .x0 = vector({1, 1})}, 2, [](const auto& in, auto& s) {
            using std::sin;
            s[0] = in[1] - in[0] * in[0];
            s[1] = in[2] * sin(in[1]);
        });
    const Function by_hand = Expressions({"-2*x[0]*l[0]", "l[0] + cos(x[1])*t*l[1]"},
                                         {.variables = {{"x", 2}, {"l", 2}, {"t"}}, .constants = {}});
    Random random(4);
    testing::expect_same_derivatives(model.interactions[0].g, by_hand, random);
}

Function unicycle() { return of_state({"cos(x[2])", "sin(x[2])", "0", "0", "0", "1 + t"}, 3); }

// x' = (cos a, sin a) u0, a' = (1 + t) u1 with u = (1 + t, 1): the unit circle, an arc t + t^2 / 2.
TEST(ControlledSystem, FollowsItsInput) {
    const Model model =
        controlled_system({.name = "car", .x0 = vector({0, 0, 0})}, unicycle(), of_time({"1 + t", "1"}));
    const double arc = 2.0 + 2.0;
    const Eigen::VectorXd exact = vector({std::sin(arc), 1.0 - std::cos(arc), arc});
    const auto error = [&](int k) {
        const TimeStepping options{.step = 2.0 * std::pow(2.0, -k), .t_end = 2.0, .scheme = midpoint};
        return (simulated_states(model, options).rightCols(1) - exact).norm();
    };
    EXPECT_NEAR(testing::observed_order(5, 9, error), 2.0, 0.05);

    Random random(5);
    testing::expect_same_derivatives(model.systems[0].f,
                                     of_state({"cos(x[2])*(1 + t)", "sin(x[2])*(1 + t)", "1 + t"}, 3), random);
}

// x' = (1 + x^2) u, u in -sgn x: x = tan(pi/4 - t) from 1, then rests in 0.
TEST(ControlledSystem, TakesItsControlFromALaw) {
    const Model model = controlled_system({.name = "system", .x0 = vector({1})}, of_state({"1 + x[0]^2"}, 1),
                                          {.name = "control", .C = matrix(1, 1, {1}), .law = {{-1.0, 1.0}}});
    const Eigen::MatrixXd states = simulated_states(model, {.step = 1e-3, .t_end = 1.0, .scheme = EulerMoreau{}});
    EXPECT_NEAR(states(0, 500), std::tan(std::numbers::pi / 4.0 - 0.5), 2e-3);
    EXPECT_NEAR(states(0, 1000), 0.0, 1e-9);
    Random random(6);
    testing::expect_same_derivatives(
        model.interactions[0].g, Expressions({"(1 + x^2)*u"}, {.variables = {{"x"}, {"u"}, {"t"}}, .constants = {}}),
        random);
}

// A nonlinear equation of index 1, as a literal: x' = -l, 0 = l + l^3 - x; log(l) + 3/2 l^2 + t is constant.
TEST(AlgebraicEquation, OfIndexOneIsARow) {
    Model model;
    model.systems.push_back({.name = "system", .x0 = vector({2})});
    model.interactions.push_back({.name = "equation", .B = matrix(1, 1, {-1}), .law = {testing::equation}});
    model.interactions[0].h = Expressions({"l + l^3 - x"}, {.variables = {{"x"}, {"l"}, {"t"}}, .constants = {}});
    const auto error = [&](int k) {
        const Simulation run = simulate(model, {.step = std::pow(2.0, -k), .t_end = 1.0, .scheme = midpoint});
        const double l = run.trajectory.channel("equation.lambda[0]").tail(1)[0];
        return std::abs(std::log(l) + 1.5 * l * l + 1.0 - 1.5);
    };
    EXPECT_NEAR(testing::observed_order(4, 8, error), 2.0, 0.05);
}

TEST(Formulations, NameWhatDoesNotFit) {
    const FirstOrderSystem system{.name = "system", .x0 = vector({0, 0})};
    EXPECT_EQ(refusal([&] {
                  sweeping_process(system, HalfSpace{vector({1}), {}});
              }),
              "system 'system': the set has 1 dimensions, x0 has 2 entries");
    EXPECT_EQ(refusal([&] {
                  filippov(system, of_state({"x[0]"}, 2), {of_state({"1", "1"}, 2)});
              }),
              "filippov: 1 switching functions make 2 pieces; 1 fields are given");
    EXPECT_EQ(refusal([&] {
                  filippov(system, of_state({"x[0]"}, 2), {of_state({"1", "1"}, 2), of_state({"1"}, 2)});
              }),
              "filippov: field 1 takes 3 numbers and returns 1; it must take 3 (x, t) and return 2");
    EXPECT_EQ(refusal([&] {
                  piecewise_affine(system, matrix(1, 2, {1, 0}).dense(), vector({0}), {unilateral_spring()[0]});
              }),
              "piecewise affine: 1 hyperplanes make 2 cells; 1 fields are given");
    EXPECT_EQ(refusal([&] {
                  piecewise_affine(system, matrix(1, 2, {0, 0}).dense(), vector({1}), unilateral_spring());
              }),
              "piecewise affine: row 0 of normals is zero; give a direction");
    EXPECT_EQ(
        refusal([&] { controlled_system(system, of_state({"1"}, 2), of_time({"1"})); }),
        "controlled system: T takes 3 numbers and returns 1; for 2 states and 1 controls it must take 3 (x, t) and "
        "return 2, the columns of T one after the other");
    EXPECT_EQ(refusal([&] {
                  controlled_system(system, of_state({"1", "0"}, 2),
                                    {.name = "control", .C = matrix(1, 2, {1, 0}), .B = matrix(2, 1, {1, 0})});
              }),
              "controlled system: interaction 'control' has B or g already; T takes their place");
}

}  // namespace
}  // namespace saltus
