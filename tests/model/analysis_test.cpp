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
TEST(Equilibria, OfTheCircuits) {
    const auto expect_half_line = [](const Equilibria& found) {
        bool has_half_line = false;
        for (const Equilibria::Piece& piece : found.pieces) {
            if (piece.direction.size() == 0) {
                EXPECT_LE(piece.point.norm(), 1e-12);
                continue;
            }
            has_half_line = true;
            EXPECT_LE(std::abs(piece.direction[1]), 1e-12);
            const bool is_forward = piece.direction[0] < 0.0;
            EXPECT_TRUE(std::isinf(is_forward ? piece.most : piece.least));
            const double end = is_forward ? piece.least : piece.most;
            EXPECT_LE((piece.point + end * piece.direction).norm(), 1e-12);
        }
        EXPECT_TRUE(has_half_line);
        EXPECT_TRUE(found.is_complete);
    };
    expect_half_line(equilibria(Circuit{}.a(), 0.0));
    expect_half_line(equilibria(Circuit{.R = 0.1}.c(), 0.0));
    const Equilibria found = equilibria(Circuit{}.d(), 0.0);
    EXPECT_TRUE(found.is_complete);
    ASSERT_FALSE(found.pieces.empty());
    for (const Equilibria::Piece& piece : found.pieces) {
        EXPECT_EQ(piece.direction.size(), 0);
        EXPECT_LE(piece.point.norm(), 1e-12);
    }
}

}  // namespace
}  // namespace saltus
