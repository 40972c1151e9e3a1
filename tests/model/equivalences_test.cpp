#include "saltus/model/equivalences.hpp"
#include "saltus/core/infinity.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "saltus/core/check.hpp"
#include "saltus/model/formulations.hpp"
#include "support/first_order_models.hpp"
#include "support/random_problems.hpp"
#include "support/refusal.hpp"
#include "support/same_derivatives.hpp"
#include "support/simulated_states.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::largest_difference;
using testing::matrix;
using testing::of_time;
using testing::Random;
using testing::refusal;
using testing::simulated_states;
using testing::vector;

constexpr EulerMoreau middle{.theta = 0.5, .gamma = 0.5};

// The circuit with a Zener diode of 000, (1.60): x is charge and current, lambda the voltage of the diode in [0, Vz],
// 0 where the current is positive.
struct Zener {
    double R = 0.1, L = 1.0, C = 1.0 / (4.0 * std::numbers::pi * std::numbers::pi), Vz = 1.0;

    Model relay() const {
        return testing::linear_system(vector({1, 1}), matrix(2, 2, {0, 1, -1 / (L * C), -R / L}),
                                      matrix(2, 1, {0, 1 / L}), matrix(1, 2, {0, 1}), {}, {0.0, Vz});
    }
    // The two fields of 000, (1.76), with the sign of Vz corrected; the step is 1 where the current is positive.
    Model switched() const {
        const Symbols symbols{.variables = {{"x", 2}, {"t"}}, .constants = {{"R", R}, {"L", L}, {"C", C}, {"Vz", Vz}}};
        const Function positive = Expressions({"x[1]", "-R/L*x[1] - x[0]/(L*C)"}, symbols);
        const Function negative = Expressions({"x[1]", "-R/L*x[1] - x[0]/(L*C) + Vz/L"}, symbols);
        return filippov({.name = "system", .x0 = vector({1, 1})}, Expressions({"x[1]"}, symbols), {negative, positive});
    }
    // The inclusion, step by step: the intersection of the two graphs in 000, (1.83).
    Eigen::MatrixXd inclusion(double h, Index steps) const {
        Eigen::MatrixXd x(2, steps + 1);
        x.col(0) = vector({1, 1});
        const double a = 1.0 / (1.0 + h * R / L + h * h / (L * C));
        for (Index k = 0; k < steps; ++k) {
            const double b = a * (h / (L * C) * x(0, k) - x(1, k));
            const double lambda = Interval{0.0, Vz}.project(b * L / (a * h));
            x(1, k + 1) = -b + a * h / L * lambda;
            x(0, k + 1) = x(0, k) + h * x(1, k + 1);
        }
        return x;
    }
};

// 000, secs. 1.2.2 and 1.2.3: the formulations of the circuit give the same trajectory.
TEST(Equivalences, TheZenerCircuitInSixForms) {
    for (const Zener& zener : {Zener{}, Zener{.R = 0.3, .L = 2.0, .Vz = 3.0}}) {
        const TimeStepping options{.step = 5e-3, .t_end = 12.0, .scheme = EulerMoreau{}};
        const Eigen::MatrixXd inclusion = zener.inclusion(5e-3, 2400);
        const Model relay = zener.relay();
        EXPECT_LE(largest_difference(simulated_states(relay, options), inclusion), 1e-12);
        EXPECT_LE(largest_difference(simulated_states(to_complementarity(relay), options), inclusion), 1e-12);
        EXPECT_LE(largest_difference(simulated_states(to_mixed_complementarity(relay), options), inclusion), 1e-12);
        EXPECT_LE(largest_difference(simulated_states(with_bounds(relay, {-1.0, 1.0}), options), inclusion), 1e-12);
        EXPECT_LE(largest_difference(simulated_states(zener.switched(), options), inclusion), 1e-7);
        EXPECT_LE(std::abs(inclusion(1, 2400)), 1e-12);  // it slides in the end
    }
}

// The matrices (1.75) of 000, where B must have 1 / L in place of 1.
TEST(ToComplementarity, GivesTheMatricesOfTheBook) {
    const Zener zener{.L = 2.0, .Vz = 3.0};
    const Model model = to_complementarity(zener.relay());
    const Interaction& diode = model.interactions[0];
    EXPECT_EQ(diode.B.to_dense(), matrix(2, 2, {0, 0, 0.5, 0}).dense());
    EXPECT_EQ(diode.C.to_dense(), matrix(2, 2, {0, 1, 0, 0}).dense());
    EXPECT_EQ(diode.D.to_dense(), matrix(2, 2, {0, 1, -1, 0}).dense());
    const double t = 0.0;
    Eigen::VectorXd g(2);
    diode.e.value(&t, g.data());
    EXPECT_EQ(g, vector({0, 3}));
}

// Two systems, two interactions, one on both, with laws of every kind and D positive definite.
Model random_model(Random& random, std::vector<Interval> laws) {
    const Index m = std::ssize(laws);
    const auto definite = [&] { return testing::random_matrix(testing::MatrixClass::positive_definite, m, random); };
    Model model;
    model.name = "random";
    model.systems.push_back({.name = "one",
                             .x0 = random.vector(2),
                             .A = random.matrix(2, 2),
                             .b = of_time({"sin(t)", "1"}),
                             .M = matrix(2, 2, {2, 0.5, 0.5, 1})});
    model.systems.push_back({.name = "two", .x0 = random.vector(1), .A = random.matrix(1, 1)});
    model.interactions.push_back({.name = "both",
                                  .systems = {1, 0},
                                  .C = random.matrix(m, 3),
                                  .D = definite(),
                                  .B = random.matrix(3, m),
                                  .e = of_time(std::vector<std::string>(laws.size(), "cos(3*t)")),
                                  .law = laws});
    model.interactions.push_back(
        {.name = "single", .C = random.matrix(m, 2), .D = definite(), .B = random.matrix(2, m), .law = laws});
    return model;
}

const std::vector<Interval> every_law{
    {}, {-1.0, 1.0}, {0.5, 2.0}, {-infinity, 0.3}, {0.1, infinity}, testing::equation};

TEST(Equivalences, HoldForLawsOfEveryKind) {
    Random random(1);
    for (int trial = 0; trial < 10; ++trial) {
        const Model model = random_model(random, every_law);
        for (const EulerMoreau& scheme : {EulerMoreau{}, middle}) {
            const TimeStepping options{.step = 0.02, .t_end = 2.0, .scheme = scheme};
            const Eigen::MatrixXd states = simulated_states(model, options);
            const double tolerance = 1e-9 * (1.0 + states.lpNorm<Eigen::Infinity>());
            EXPECT_LE(largest_difference(simulated_states(to_complementarity(model), options), states), tolerance);
            EXPECT_LE(largest_difference(simulated_states(to_mixed_complementarity(model), options), states),
                      tolerance);
            EXPECT_LE(largest_difference(simulated_states(with_bounds(model, {0.0, 3.0}), options), states), tolerance);
            EXPECT_LE(largest_difference(simulated_states(without_equations(model), options), states), tolerance);
            EXPECT_LE(largest_difference(simulated_states(to_differential_equation(model), options), states),
                      1e2 * tolerance);
        }
    }
}

TEST(Equivalences, LeaveOnlyTheLawsTheyPromise) {
    Random random(2);
    const Model model = random_model(random, every_law);
    for (const Interaction& interaction : to_complementarity(model).interactions)
        for (Index i = 0; i < interaction.rows(); ++i) {
            const Interval law = interaction.law_of(i);
            EXPECT_TRUE(law.is_free() || (law.lower == 0.0 && law.upper == infinity));
        }
    for (const Interaction& interaction : to_mixed_complementarity(model).interactions)
        for (Index i = 0; i < interaction.rows(); ++i)
            EXPECT_FALSE(std::isfinite(interaction.law_of(i).lower) && std::isfinite(interaction.law_of(i).upper));
    const Model without = without_equations(model);
    EXPECT_EQ(without.rows(), model.rows() - 2);
    EXPECT_EQ(without.systems[0].name, "one+two");
    EXPECT_EQ(to_differential_equation(model).rows(), 0);
}

// x' = -x^3 + r, r = (1 + x^2) lambda, y = exp(x) - 2 + lambda + lambda^3 / 10, lambda in [-3, -1].
Model nonlinear_relay() {
    const Symbols symbols{.variables = {{"x"}, {"l"}, {"t"}}, .constants = {}};
    Model model;
    model.systems.push_back({.name = "system", .x0 = vector({2})});
    model.systems[0].f = Expressions({"-x^3"}, {.variables = {{"x"}, {"t"}}, .constants = {}});
    model.interactions.push_back({.name = "relay", .B = matrix(1, 1, {0.5}), .law = {{-3.0, -1.0}}});
    model.interactions[0].h = Expressions({"exp(x) - 2 + l + 0.1*l^3 + sin(5*t)"}, symbols);
    model.interactions[0].g = Expressions({"(1 + x^2)*l"}, symbols);
    return model;
}

TEST(Equivalences, HoldForNonlinearRelations) {
    const Model model = nonlinear_relay();
    const TimeStepping options{.step = 0.01, .t_end = 3.0, .scheme = EulerMoreau{}};
    const Eigen::MatrixXd states = simulated_states(model, options);
    EXPECT_LE(largest_difference(simulated_states(to_complementarity(model), options), states), 1e-7);
    EXPECT_LE(largest_difference(simulated_states(to_mixed_complementarity(model), options), states), 1e-7);
    EXPECT_LE(largest_difference(simulated_states(with_bounds(model, {-1.0, 1.0}), options), states), 1e-7);
    // lambda = -2 + mu
    Random random(3);
    testing::expect_same_derivatives(with_bounds(model, {-1.0, 1.0}).interactions[0].h,
                                     Expressions({"exp(x) - 2 + (l - 2) + 0.1*(l - 2)^3 + sin(5*t)"},
                                                 {.variables = {{"x"}, {"l"}, {"t"}}, .constants = {}}),
                                     random);
}

// x' = -x + 2 l, 0 = x + 4 l - t: the equation x' = -3/2 x + t / 2 without l.
TEST(WithoutEquations, LeavesAnOrdinaryDifferentialEquation) {
    const Model model = testing::linear_system(vector({1}), matrix(1, 1, {-1}), matrix(1, 1, {2}), matrix(1, 1, {1}),
                                               matrix(1, 1, {4}), testing::equation, of_time({"-t"}));
    const Model equation = without_equations(model);
    EXPECT_TRUE(equation.interactions.empty());
    EXPECT_EQ(equation.systems[0].A(0, 0), -1.5);
    const double t = 3.0;
    double b = 0.0;
    equation.systems[0].b.value(&t, &b);
    EXPECT_EQ(b, 1.5);
    const TimeStepping options{.step = 0.01, .t_end = 1.0, .scheme = middle};
    EXPECT_LE(largest_difference(simulated_states(equation, options), simulated_states(model, options)), 1e-13);
}

// 000, prop. 1.4: circuit (c) as a complementarity system and as the proximation (1.39).
TEST(ToSweepingProcess, ProximationAndComplementarityAreTheSame) {
    const Circuit circuit{.R = 0.1};
    const double h = 1e-3, LC = circuit.L * circuit.C, a = 1.0 + h * circuit.R / circuit.L + h * h / LC;
    const TimeStepping options{.step = h, .t_end = 5.0, .scheme = EulerMoreau{}};
    const Eigen::MatrixXd states = simulated_states(circuit.c(), options);
    Eigen::MatrixXd prox(2, states.cols());
    prox.col(0) = vector({1, 0});
    for (Index k = 0; k + 1 < prox.cols(); ++k) {
        prox(1, k + 1) = std::min(0.0, (prox(1, k) - h / LC * prox(0, k)) / a);
        prox(0, k + 1) = prox(0, k) + h * prox(1, k + 1);
    }
    EXPECT_LE(largest_difference(states, prox), 1e-12);
}

// 000, (1.27): in z = R x the complementarity systems of circuits are evolution inequalities.
TEST(ToSweepingProcess, IsTheSystemInOtherVariables) {
    Random random(4);
    std::vector<Model> models{Circuit{.R = 0.1}.c(), Circuit{}.d()};
    for (int trial = 0; trial < 10; ++trial) {  // M^-1 B = P^-1 C'
        const Eigen::MatrixXd P = testing::random_matrix(testing::MatrixClass::symmetric_positive_definite, 4, random),
                              M = testing::random_matrix(testing::MatrixClass::positive_definite, 4, random),
                              C = random.matrix(2, 4);
        models.push_back(testing::linear_system(random.vector(4), random.matrix(4, 4), M * P.inverse() * C.transpose(),
                                                C, {}, testing::complementarity, of_time({"sin(3*t)", "1 - t"})));
        models.back().systems[0].M = M;
        models.back().systems[0].b = of_time({"1", "cos(t)", "0", "-1"});
    }
    for (const Model& model : models) {
        const SweepingForm form = to_sweeping_process(model);
        EXPECT_TRUE(is_symmetric(form.R, 1e-12));
        const TimeStepping options{.step = 1e-2, .t_end = 3.0, .scheme = EulerMoreau{.measures = true}};
        const Eigen::MatrixXd z = simulated_states(sweeping_process(form.system, form.set), options);
        const Eigen::MatrixXd states = form.R * simulated_states(model, options);
        EXPECT_LE(largest_difference(z, states), 1e-9 * (1.0 + states.lpNorm<Eigen::Infinity>()));
        for (Index k = 1; k < z.cols(); ++k)
            ASSERT_LE((project(form.set, 1e-2 * static_cast<double>(k), z.col(k)) - z.col(k)).norm(),
                      1e-9 * (1.0 + z.col(k).norm()));
    }
}

// Circuits (a) and (b) as equations with a Lipschitz right-hand side, 003 (54).
TEST(ToDifferentialEquation, HasTheTrajectoriesOfTheCircuits) {
    for (const Model& model : {Circuit{}.a(), Circuit{}.b()}) {
        const Model equation = to_differential_equation(model);
        const TimeStepping options{.step = 5e-3, .t_end = 5.0, .scheme = middle};
        EXPECT_LE(largest_difference(simulated_states(equation, options), simulated_states(model, options)), 1e-7);
    }
}

// y = (x1 + x2 / 2 + sin t + 2 l1 + l2, x2 - x1 + 4 l2), l1 in [-0.1, 0.1], l2 in [-100, 100], r = (l1 - l2, -3 l1):
// the second row gives l2, and the first the rest to l1.
TEST(ToDifferentialEquation, HasTheRightDerivatives) {
    Model model =
        testing::linear_system(vector({0, 0}), {}, matrix(2, 2, {1, -1, -3, 0}), matrix(2, 2, {1, 0.5, -1, 1}),
                               matrix(2, 2, {2, 1, 0, 4}), {}, of_time({"sin(t)", "0"}));
    model.interactions[0].law = {{-0.1, 0.1}, {-100.0, 100.0}};
    const std::string l2 = "((x[0] - x[1])/4)", l1 = "max(-0.1, min(0.1, -(x[0] + x[1]/2 + sin(t) + " + l2 + ")/2))";
    Random random(5);
    testing::expect_same_derivatives(
        to_differential_equation(model).systems[0].f,
        Expressions({l1 + " - " + l2, "-3*" + l1}, {.variables = {{"x", 2}, {"t"}}, .constants = {}}), random);
}

TEST(Equivalences, SayWhatTheyNeed) {
    EXPECT_EQ(refusal([] { without_equations(nonlinear_relay()); }),
              "without_equations: model '' has functions of x or lambda; it must be linear");
    const Model pendulum =
        testing::linear_system(vector({1}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, testing::equation);
    EXPECT_EQ(refusal([&] { without_equations(pendulum); }),
              "without_equations: D of the 1 equations of model 'test' is singular; they are not of index 1");
    EXPECT_EQ(refusal([] { to_sweeping_process(Circuit{}.a()); }),
              "to_sweeping_process: D of model 'test' is not zero; take to_differential_equation() where D is regular");
    EXPECT_EQ(
        refusal([] { to_sweeping_process(testing::relay_spiral()); }),
        "to_sweeping_process: model 'test' has laws other than [0, inf), which are not normal cones of a set of x");
    Model reversed = Circuit{}.c();
    reversed.interactions[0].B = matrix(2, 1, {0, 1});
    EXPECT_EQ(refusal([&] { to_sweeping_process(reversed); }),
              "to_sweeping_process: C M^-1 B of model 'test' is not symmetric positive definite");
    EXPECT_EQ(refusal([] { to_differential_equation(Circuit{}.c()); }),
              "to_differential_equation: D of model 'test' is not known to be a P-matrix; a principal minor is 0");
    EXPECT_EQ(refusal([] {
                  with_bounds(Zener{}.relay(), {0.0, infinity});
              }),
              "with_bounds: the bounds are [0, inf]; give two numbers, the smaller first");
}

}  // namespace
}  // namespace saltus
