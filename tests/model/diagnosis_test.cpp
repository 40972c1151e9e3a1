#include "saltus/model/diagnosis.hpp"

#include <gtest/gtest.h>

#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/model/function_from.hpp"
#include "support/first_order_models.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::vector;

// What 004 says about each kind of system, and the scheme it prescribes.
TEST(Diagnosis, FindsTheSmoothnessOfTheCircuits) {
    const auto smoothness = [](const Model& model) { return diagnose(model).smoothness; };
    EXPECT_EQ(smoothness(Circuit{}.a()), Smoothness::differentiable);
    EXPECT_EQ(smoothness(Circuit{}.b()), Smoothness::differentiable);
    EXPECT_EQ(smoothness(Circuit{}.c()), Smoothness::absolutely_continuous);
    EXPECT_EQ(smoothness(Circuit{}.d()), Smoothness::bounded_variation);  // x0 is against the diode
    EXPECT_EQ(smoothness(testing::relay_spiral()), Smoothness::absolutely_continuous);
    Model jumping = Circuit{}.c();
    jumping.interactions[0].e = testing::of_time({"t < 5 ? 0 : 1"});
    EXPECT_EQ(smoothness(jumping), Smoothness::bounded_variation);
    jumping.interactions[0].e = testing::of_time({"1 + sin(t)"});
    EXPECT_EQ(smoothness(jumping), Smoothness::absolutely_continuous);
}

TEST(Diagnosis, KnowsWhetherTheStartSatisfiesTheLaws) {
    EXPECT_EQ(diagnose(Circuit{}.c()).has_start, Answer::yes);
    EXPECT_EQ(diagnose(Circuit{}.d()).has_start, Answer::no);
    const auto without_solution = [](double x0) {
        return testing::linear_system(vector({x0}), matrix(1, 1, {-1}), matrix(1, 1, {1}), matrix(1, 1, {1}),
                                      matrix(1, 1, {-1}), testing::complementarity);
    };
    EXPECT_EQ(diagnose(without_solution(-1.0)).has_start, Answer::no);
    EXPECT_EQ(diagnose(without_solution(1.0)).has_start, Answer::yes);
    EXPECT_EQ(diagnose(without_solution(1.0)).has_unique_steps, Answer::no);
    EXPECT_EQ(diagnose(Circuit{}.c()).has_unique_steps, Answer::yes);
}

TEST(Diagnosis, LooksThroughAlgebraicEquations) {
    // lambda[1] = x[0] by an equation, y = lambda[0] + lambda[1]: the same as D = 1, C = 1.
    Model model = testing::linear_system(vector({1}), matrix(1, 1, {-1}), matrix(1, 2, {1, 0}), matrix(2, 1, {0, -1}),
                                         matrix(2, 2, {1, 1, 0, 1}), testing::complementarity);
    model.interactions[0].law = {testing::complementarity, testing::equation};
    EXPECT_EQ(diagnose(model).smoothness, Smoothness::differentiable);
    EXPECT_EQ(diagnose(model).has_unique_steps, Answer::yes);
}

// lambda[1] = 2 lambda[0] by an equation, and y = lambda[0] - lambda[1]: the same as D = -1, not a P-matrix.
TEST(Diagnosis, AnEquationMayTurnTheSign) {
    Model model = testing::linear_system(vector({1}), matrix(1, 1, {-1}), matrix(1, 2, {1, 0}), matrix(2, 1, {1, 0}),
                                         matrix(2, 2, {1, -1, -2, 1}), testing::complementarity);
    model.interactions[0].law = {testing::complementarity, testing::equation};
    EXPECT_EQ(diagnose(model).has_unique_steps, Answer::no);
    EXPECT_NE(diagnose(model).smoothness, Smoothness::differentiable);
    model.interactions[0].law = {testing::equation};  // both: an index-1 system, a differential equation
    EXPECT_EQ(diagnose(model).smoothness, Smoothness::differentiable);
}

TEST(Diagnosis, OfANonlinearModelIsThatOfItsLinearisation) {
    Model model = Circuit{}.c();
    model.systems[0].f = Function::from(3, 2, [](const auto& in, auto& out) {
        out[0] = in[0] * 0.0;
        out[1] = -in[0] * in[0] * in[0];
    });
    const Diagnosis diagnosis = diagnose(model);
    EXPECT_TRUE(diagnosis.is_linearised);
    EXPECT_EQ(diagnosis.degree.uniform, 1);
    EXPECT_EQ(diagnosis.smoothness, Smoothness::absolutely_continuous);
}

TEST(Diagnosis, NamesARowThatIsNotDefinedAtTheBeginning) {
    Model model = Circuit{}.c();
    model.name = "circuit";
    model.interactions[0].e = testing::of_time({"log(t - 1)"});
    EXPECT_EQ(
        testing::refusal([&] { diagnose(model); }).find("model 'circuit': interaction 'interaction', row 0: y is "),
        0u);
}

TEST(SchemeChoice, FollowsTheSmoothness) {
    const auto choice = [](const Model& model) { return describe(choose_scheme(model, diagnose(model)).scheme); };
    EXPECT_EQ(choice(Circuit{}.a()), "euler-moreau, theta = 0.5, gamma = 0.5");
    EXPECT_EQ(choice(Circuit{}.c()), "euler-moreau, theta = 1, gamma = 1");
    EXPECT_EQ(choice(Circuit{}.d()), "euler-moreau, theta = 1, gamma = 1, measures");
    Model third =
        testing::linear_system(vector({1, -1, 0}), matrix(3, 3, {0, 1, 0, 0, 0, 1, 0, 0, 0}), matrix(3, 1, {0, 0, 1}),
                               matrix(1, 3, {1, 0, 0}), {}, testing::complementarity);
    const SchemeChoice chosen = choose_scheme(third, diagnose(third));
    EXPECT_EQ(describe(chosen.scheme), "higher-order-sweeping");
    EXPECT_EQ(chosen.reason,
              "relative degree 3: backward Euler does not converge, using the higher-order sweeping process");
    third.systems[0].b = testing::of_time({"0", "0", "sin(t)"});
    EXPECT_EQ(choice(third), "euler-moreau, theta = 1, gamma = 1, measures");
}

TEST(SchemeChoice, WarnsOfWhatDoesNotConverge) {
    const auto warned = [](const Model& model, const Scheme& scheme, std::string_view text) {
        for (const std::string& warning : warnings(model, diagnose(model), scheme))
            if (warning.find(text) != std::string::npos) return true;
        return false;
    };
    EXPECT_TRUE(warned(Circuit{}.c(), EulerMoreau{.theta = 0.5, .gamma = 0.5}, "gamma = 0.5, but lambda may jump"));
    EXPECT_FALSE(warned(Circuit{}.a(), EulerMoreau{.theta = 0.5, .gamma = 0.5}, "gamma"));
    EXPECT_TRUE(warned(Circuit{}.d(), EulerMoreau{}, "measures = true"));
    EXPECT_TRUE(warned(Circuit{}.d(), EulerMoreau{.measures = true}, "x jumps there"));
    EXPECT_TRUE(warned(Circuit{}.a(), ExplicitSwitched{}, "explicit"));
    EXPECT_TRUE(warnings(Circuit{}.a(), diagnose(Circuit{}.a()), EulerMoreau{}).empty());
}

}  // namespace
}  // namespace saltus
