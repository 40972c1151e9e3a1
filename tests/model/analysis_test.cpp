#include "saltus/model/analysis.hpp"

#include <gtest/gtest.h>

#include "support/first_order_models.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::matrix;
using testing::vector;

// x''' = lambda, y = x.
Model triple_integrator() {
    return testing::linear_system(vector({1, -1, 0}), matrix(3, 3, {0, 1, 0, 0, 0, 1, 0, 0, 0}),
                                  matrix(3, 1, {0, 0, 1}), matrix(1, 3, {1, 0, 0}), {}, testing::complementarity);
}

TEST(RelativeDegree, IsTheNumberOfTheFirstMarkovParameter) {
    EXPECT_EQ(relative_degree(Circuit{}.a()).uniform, 0);
    EXPECT_EQ(relative_degree(Circuit{}.b()).uniform, 0);
    EXPECT_EQ(relative_degree(Circuit{}.c()).uniform, 1);
    EXPECT_EQ(relative_degree(Circuit{}.d()).uniform, 1);
    EXPECT_EQ(relative_degree(triple_integrator()).uniform, 3);
    EXPECT_EQ(relative_degree(testing::relay_spiral()).uniform, 1);
    const auto markov = markov_parameters(Circuit{}.c(), 2);
    EXPECT_EQ(markov[0](0, 0), 0.0);
    EXPECT_EQ(markov[1](0, 0), 1.0);  // 1 / L
}

// The mass matrix divides: 2 x' = lambda, y = x has C M^-1 B = 1/2.
TEST(RelativeDegree, CountsTheMassMatrix) {
    Model model =
        testing::linear_system(vector({1}), {}, matrix(1, 1, {1}), matrix(1, 1, {1}), {}, testing::complementarity);
    model.systems[0].M = matrix(1, 1, {2});
    EXPECT_EQ(markov_parameters(model, 2)[1](0, 0), 0.5);
}

TEST(RelativeDegree, OfDifferentRowsIsNotUniform) {
    const Model model =
        testing::linear_system(vector({1, 1}), matrix(2, 2, {0, 1, 0, 0}), matrix(2, 2, {1, 0, 0, 1}),
                               matrix(2, 2, {1, 0, 0, 0}), matrix(2, 2, {0, 0, 0, 1}), testing::complementarity);
    const RelativeDegree degree = relative_degree(model);
    EXPECT_FALSE(degree.uniform);
    EXPECT_EQ(degree.rows[0], 1);
    EXPECT_EQ(degree.rows[1], 0);
}

// Circuits of resistors, inductors and capacitors are passive; y = -x is the output of none.
TEST(Passivity, HoldsForCircuitsAndFailsWithTheWrongSign) {
    EXPECT_EQ(passivity(Circuit{}.c()), Answer::yes);
    EXPECT_EQ(passivity(Circuit{}.d()), Answer::yes);
    const auto first_order = [](double a, double c) {
        return testing::linear_system(vector({1}), matrix(1, 1, {a}), matrix(1, 1, {1}), matrix(1, 1, {c}), {},
                                      testing::complementarity);
    };
    EXPECT_EQ(passivity(first_order(-1.0, 1.0)), Answer::yes);
    EXPECT_EQ(passivity(first_order(0.0, 1.0)), Answer::yes);   // 1 / s
    EXPECT_EQ(passivity(first_order(-1.0, -1.0)), Answer::no);  // -1 / (s + 1)
    EXPECT_EQ(passivity(first_order(1.0, 1.0)), Answer::no);    // unstable
    EXPECT_EQ(passivity(triple_integrator()), Answer::no);
}

// The book, sec. 1.1.7: circuit (c) rests on the half line x1 <= 0, x2 = 0, and (d) in the origin. Of (a) it says the
// origin only, but its D - C A^-1 B is zero: there too the charge of a blocked capacitor stays.
// x1 <= 0, x2 = 0: each of 000 (1.11), (1.13) has this half line, once; (1.14) only the origin.
TEST(Equilibria, OfTheCircuits) {
    for (const Equilibria& found : {equilibria(Circuit{}.a(), 0.0), equilibria(Circuit{.R = 0.1}.c(), 0.0)}) {
        EXPECT_TRUE(found.is_complete);
        ASSERT_EQ(found.pieces.size(), 1u);
        const Equilibria::Piece& piece = found.pieces[0];
        ASSERT_EQ(piece.direction.size(), 2);
        EXPECT_LE((piece.direction - vector({-1, 0})).norm(), 1e-12);
        EXPECT_LE((piece.point + piece.least * piece.direction).norm(), 1e-12);
        EXPECT_TRUE(std::isinf(piece.most));
    }
    const Equilibria found = equilibria(Circuit{}.d(), 0.0);
    EXPECT_TRUE(found.is_complete);
    ASSERT_EQ(found.pieces.size(), 1u);
    EXPECT_EQ(found.pieces[0].direction.size(), 0);
    EXPECT_LE(found.pieces[0].point.norm(), 1e-12);
}

// x1' = x1, x2' = 0 with x2 >= 3, or x2 <= 3: a half line of equilibria to either side.
TEST(Equilibria, OfAHalfLineThatBeginsElsewhere) {
    for (const double sign : {1.0, -1.0}) {
        const Model model = testing::linear_system(vector({0, 3}), matrix(2, 2, {1, 0, 0, 0}), matrix(2, 1, {0, 1}),
                                                   matrix(1, 2, {0, sign}), {}, testing::complementarity,
                                                   testing::of_time({sign > 0.0 ? "-3" : "3"}));
        const Equilibria found = equilibria(model, 0.0);
        ASSERT_EQ(found.pieces.size(), 1u);
        const Equilibria::Piece& piece = found.pieces[0];
        ASSERT_EQ(piece.direction.size(), 2);
        EXPECT_TRUE(std::isinf(piece.most));
        EXPECT_LE((piece.direction - vector({0, sign})).norm(), 1e-12);
        EXPECT_LE((piece.point + piece.least * piece.direction - vector({0, 3})).norm(), 1e-12);
    }
}

// A relay that holds x = 0 against a spring of rest length 1: |x - 1| <= 1 with the relay at a bound or between.
TEST(Equilibria, OfARelayAreASegment) {
    Model model = testing::linear_system(vector({0, 0}), matrix(2, 2, {0, 1, -1, 0}), matrix(2, 1, {0, 1}),
                                         matrix(1, 2, {0, 1}), {}, testing::relay);
    model.systems[0].b = testing::of_time({"0", "1"});
    const Equilibria found = equilibria(model, 0.0);
    ASSERT_EQ(found.pieces.size(), 1u);
    const Equilibria::Piece& piece = found.pieces[0];
    ASSERT_EQ(piece.direction.size(), 2);
    const double a = piece.point[0] + piece.least * piece.direction[0];
    const double b = piece.point[0] + piece.most * piece.direction[0];
    EXPECT_NEAR(std::min(a, b), 0.0, 1e-12);
    EXPECT_NEAR(std::max(a, b), 2.0, 1e-12);
}

}  // namespace
}  // namespace saltus
