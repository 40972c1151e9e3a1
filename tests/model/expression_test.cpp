#include "saltus/model/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <thread>

#include "saltus/core/check.hpp"
#include "support/allocations.hpp"
#include "support/random_expressions.hpp"

namespace saltus {
namespace {

using testing::Random;
using testing::RandomExpression;

const double nan = std::numeric_limits<double>::quiet_NaN();

const Symbols xy{{{"x"}, {"y"}}, {{"k", 3.0}}};

Eigen::VectorXd values(const Expressions& expressions, const Eigen::VectorXd& in) {
    Eigen::VectorXd out(expressions.outputs()), scratch(expressions.scratch_size());
    expressions.evaluate(in.data(), out.data(), scratch.data());
    return out;
}

Eigen::MatrixXd jacobian(const Expressions& expressions, const Eigen::VectorXd& in) {
    Eigen::VectorXd scratch = Eigen::VectorXd::Constant(expressions.scratch_size(), nan);  // its contents do not matter
    Eigen::VectorXd out(expressions.outputs());
    Eigen::MatrixXd result = Eigen::MatrixXd::Constant(expressions.outputs(), expressions.inputs(), nan);
    expressions.jacobian(in.data(), out.data(), result.data(), scratch.data());
    const Eigen::VectorXd expected = values(expressions, in);
    for (Index i = 0; i < out.size(); ++i) EXPECT_TRUE(out[i] == expected[i] || std::isnan(expected[i]));
    return result;
}

double value(const std::string& text, double x = 0.0, double y = 0.0) {
    return values(Expressions({text}, xy), Eigen::Vector2d(x, y))[0];
}

Eigen::RowVector2d gradient(const std::string& text, double x, double y = 0.0) {
    return jacobian(Expressions({text}, xy), Eigen::Vector2d(x, y));
}

TEST(Expression, OperatorsBindAsInMathematics) {
    const std::pair<const char*, double> cases[] = {
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"7 - 4 - 2", 1},
        {"8/4/2", 1},
        {"2*8/4", 4},
        {"8/4*2", 4},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"2^-1", 0.5},
        {"2**3**2", 512},
        {"2^-2^2", 0.0625},
        {"-2^-2", -0.25},
        {"--3", 3},
        {"- -3", 3},
        {"+3", 3},
        {"2 - -3", 5},
        {"2*-3", -6},
        {"2*3^2", 18},
        {"!0", 1},
        {"!2", 0},
        {"!!2", 1},
        {"!0 + 1", 2},
        {"-!0", -1},
        {"!2^2", 0},
        {"1 < 2", 1},
        {"2 < 1", 0},
        {"2 <= 2", 1},
        {"3 <= 2", 0},
        {"2 > 2", 0},
        {"3 > 2", 1},
        {"2 >= 2", 1},
        {"2 >= 3", 0},
        {"1 + 1 == 2", 1},
        {"1 != 1", 0},
        {"(1 < 2) == 1", 1},
        {"1 || 0 && 0", 1},
        {"(1 || 0) && 0", 0},
        {"1 < 2 && 3 < 2", 0},
        {"not 1 > 2", 1},
        {"!1 > 2", 0},
        {"not 1 and 0", 0},
        {"not (1 and 0)", 1},
        {"1 and not 0", 1},
        {"0 or 2", 1},
        {"not not 3", 1},
        {"not 1 == 2 and 1", 1},
        {"1 ? 2 : 3", 2},
        {"0 ? 2 : 3", 3},
        {"0 ? 1 : 0 ? 2 : 3", 3},
        {"1 ? 0 ? 4 : 5 : 6", 5},
        {"1 < 2 ? 3 : 4", 3},
        {"1 + (0 ? 1 : 2)", 3},
        {"1 ? 2 : 3 + 4", 2},
        {"0 || 1 ? 2 : 3", 2},
        {"2 - 1 ? 7 : 8", 7},
        {"1?2:3", 2},
        {" \t\n1\r\n+ 1 ", 2},
        {"((((((1))))))", 1},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(value(text), expected) << text;
    // The same of variables, so that no constant is worked out while reading.
    for (const auto& [text, expected] : cases) {
        std::string variable;
        for (const char c : std::string_view(text))
            variable += c == '0' ? "x" : c >= '1' && c <= '9' ? fmt::format("({}*y)", c) : std::string(1, c);
        EXPECT_EQ(value(variable, 0.0, 1.0), expected) << variable;
    }
}

TEST(Expression, NumbersAreReadToTheLastBit) {
    EXPECT_EQ(value(".5"), 0.5);
    EXPECT_EQ(value("1."), 1.0);
    EXPECT_EQ(value("1e-3"), 1e-3);
    EXPECT_EQ(value("1.25E+2"), 125.0);
    EXPECT_EQ(value("0.1"), 0.1);
    EXPECT_EQ(value("1.7976931348623157e308"), std::numeric_limits<double>::max());
    EXPECT_EQ(value("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Expression, NamesAreThoseOfTheUserFirst) {
    EXPECT_EQ(value("pi"), std::numbers::pi);
    EXPECT_EQ(value("e"), std::numbers::e);
    EXPECT_EQ(value("k*x", 2.0), 6.0);
    const Symbols own{{{"e"}, {"step"}}, {{"pi", 3.0}}};
    EXPECT_EQ(values(Expressions({"pi + e + step(step)*step"}, own), Eigen::Vector2d(10.0, 100.0))[0], 113.0);
}

TEST(Expression, ArgumentsAreTheVariablesStackedInOrder) {
    const Expressions expressions({"q[0]", "q[2]", "t", "one[0]", "q[1] - v[1]", "7"},
                                  {{{"q", 3}, {"t"}, {"one", 1}, {"v", 2}}, {}});
    EXPECT_EQ(expressions.inputs(), 7);
    EXPECT_EQ(expressions.outputs(), 6);
    const Eigen::VectorXd in{{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}};
    EXPECT_EQ(values(expressions, in), (Eigen::VectorXd{{1.0, 4.0, 8.0, 16.0, -62.0, 7.0}}));
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 7);
    expected(0, 0) = expected(1, 2) = expected(2, 3) = expected(3, 4) = expected(4, 1) = 1.0;
    expected(4, 6) = -1.0;
    EXPECT_EQ(jacobian(expressions, in), expected);
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 7; ++j) EXPECT_EQ(expressions.depends_on(i, j), expected(i, j) != 0.0) << i << ' ' << j;
    EXPECT_THROW(static_cast<void>(expressions.depends_on(6, 0)), InvalidInput);
    EXPECT_THROW(static_cast<void>(expressions.depends_on(0, 7)), InvalidInput);
}

TEST(Expression, NoTextsAreNoOutputs) {
    const Expressions none({}, xy);
    EXPECT_EQ(none.outputs(), 0);
    EXPECT_EQ(none.inputs(), 2);
    EXPECT_EQ(jacobian(none, Eigen::Vector2d(1.0, 2.0)).size(), 0);
    EXPECT_EQ(Expressions().inputs(), 0);
}

TEST(Expression, MinimaAndMaximaOfManyArguments) {
    EXPECT_EQ(value("min(3, x, 2, y)", 1.0, 5.0), 1.0);
    EXPECT_EQ(value("max(3, x, 2, y)", 1.0, 5.0), 5.0);
    EXPECT_EQ(gradient("max(3, x, 2, y^2)", 1.0, 5.0), Eigen::RowVector2d(0.0, 10.0));
    EXPECT_EQ(gradient("min(x, y)", 1.0, 1.0), Eigen::RowVector2d(1.0, 0.0));  // the first where they meet
    for (const char* text : {"min(x, y)", "min(y, x)", "max(x, y)", "max(y, x)"})
        EXPECT_TRUE(std::isnan(value(text, nan, 1.0))) << text;
}

TEST(Expression, RemaindersLieBetweenZeroAndTheDivisor) {
    EXPECT_EQ(value("mod(x, y)", 7.0, 3.0), 1.0);
    EXPECT_EQ(value("mod(x, y)", -7.0, 3.0), 2.0);
    EXPECT_EQ(value("mod(x, y)", -6.0, 3.0), 0.0);
    EXPECT_EQ(value("mod(x, y)", 7.0, -3.0), -2.0);  // in (-3, 0]
    EXPECT_EQ(gradient("mod(x, y)", -7.0, 3.0), Eigen::RowVector2d(1.0, 3.0));
    Random random(1);
    for (int trial = 0; trial < 10000; ++trial) {
        const double b = std::exp(random.uniform(-20.0, 20.0)),
                     a = random.uniform() * std::exp(random.uniform(-50.0, 30.0));
        const double r = value("mod(x, y)", a, b);
        EXPECT_TRUE(r >= 0.0 && r < b) << a << ' ' << b << ' ' << r;
    }
}

TEST(Expression, WholePowersAreExactForAnyBase) {
    for (int n = -12; n <= 12; ++n)
        for (const double x : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 0.0, -0.5}) {
            if (x == 0.0 && n < 0) continue;
            double power = 1.0, slope = n == 0 ? 0.0 : n;  // n x^(n - 1); products of small whole numbers are exact
            for (int k = 0; k < std::abs(n); ++k) power *= x;
            for (int k = 0; k < std::abs(n - 1); ++k) slope = n == 0 ? 0.0 : n > 0 ? slope * x : slope / x;
            if (n < 0) power = 1.0 / power;
            const std::string text = fmt::format("x^{}", n);
            EXPECT_EQ(value(text, x), power) << text << ' ' << x;
            EXPECT_NEAR(gradient(text, x)[0], slope, 4e-16 * std::abs(slope)) << text << ' ' << x;
        }
    EXPECT_EQ(gradient("x^y", 0.0, 2.0), Eigen::RowVector2d(0.0, 0.0));
    EXPECT_EQ(gradient("x^y", 3.0, 0.0), Eigen::RowVector2d(0.0, std::log(3.0)));
    EXPECT_EQ(gradient("x^y", -3.0, 2.0)[0], -6.0);
}

TEST(Expression, FunctionsInPiecesHaveTheDerivativeOfThePiece) {
    EXPECT_EQ(gradient("abs(x)", -2.0)[0], -1.0);
    EXPECT_EQ(gradient("abs(x)", 0.0)[0], 0.0);
    EXPECT_EQ(gradient("hypot(x, y)", 0.0), Eigen::RowVector2d(0.0, 0.0));
    for (const char* text : {"floor(x)", "ceil(x)", "sign(x)", "step(x)", "x < 1", "!x", "x && y", "x == 0"})
        for (const double x : {-1.5, 0.0, 1.0, 2.5}) EXPECT_EQ(gradient(text, x), Eigen::RowVector2d(0.0, 0.0)) << text;
    EXPECT_EQ(value("step(x)", 0.0), 1.0);
    EXPECT_EQ(value("step(x)", -1e-300), 0.0);
    EXPECT_EQ(value("sign(x)", 0.0), 0.0);
}

TEST(Expression, OnlyTheBranchTakenHasASay) {
    EXPECT_EQ(value("x > 0 ? sqrt(x) : -sqrt(-x)", 4.0), 2.0);
    EXPECT_EQ(gradient("x > 0 ? sqrt(x) : -sqrt(-x)", 4.0)[0], 0.25);
    EXPECT_EQ(gradient("x > 0 ? sqrt(x) : -sqrt(-x)", -4.0)[0], 0.25);
    EXPECT_EQ(gradient("x == 0 ? 1 : sin(x)/x", 0.0)[0], 0.0);
    EXPECT_EQ(gradient("if(x <= 0, 3*x, y*log(x))", -1.0, 2.0), Eigen::RowVector2d(3.0, 0.0));
    EXPECT_EQ(gradient("if(x <= 0, y*log(x), 3*x)", 1.0, 2.0), Eigen::RowVector2d(3.0, 0.0));
    EXPECT_EQ(gradient("(x > 0 ? log(x) : 2) * x", -1.0)[0], 2.0);
    // The same log(x), NaN, in a branch not taken and in one that is.
    EXPECT_TRUE(std::isnan(gradient("(y > 0 ? log(x) : 0) + (y > 0 ? 0 : log(x)) + x*(0/0)", -1.0)[0]));
    EXPECT_EQ(gradient("max(0, x > 0 ? 1/x : 1/0)", 2.0)[0], -0.25);
    EXPECT_EQ(value("(x ? y : 1) + (x ? y : 2)", 0.0, 5.0), 3.0);
    EXPECT_EQ(gradient("y > 0 ? (x > 0 ? log(x) : x) : sqrt(x)", -1.0, 1.0)[0], 1.0);
}

TEST(Expression, LongFlatTextsNeedNoStack) {
    std::string sum = "x", pieces, powers = "x";
    for (int k = 0; k < 100000; ++k) sum += k % 2 ? " - x" : " + y";
    for (int k = 0; k < 10000; ++k) pieces += fmt::format("x < {} ? {}*x : ", k, k);
    EXPECT_EQ(gradient(sum, 1.0, 1.0), Eigen::RowVector2d(-49999.0, 50000.0));
    EXPECT_EQ(gradient(pieces + "y", 41.5), Eigen::RowVector2d(42.0, 0.0));
    EXPECT_EQ(value(std::string(100000, '-') + "x", 2.0), 2.0);
}

// Central differences of two widths, extrapolated: f' up to O(h^4). Nothing where they differ: a jump or a kink is
// near.
std::optional<double> difference(const std::function<double(const double*)>& f, Eigen::VectorXd in, Index j) {
    const double at = in[j];
    const auto slope = [&](double h) {
        in[j] = at + h;
        const double above = f(in.data());
        in[j] = at - h;
        return (above - f(in.data())) / (2.0 * h);
    };
    const double wide = slope(2e-4), narrow = slope(1e-4);
    if (!(std::abs(wide - narrow) < 1e-4 * (1.0 + std::abs(narrow)))) return std::nullopt;
    return (4.0 * narrow - wide) / 3.0;
}

const Symbols of_random{{{"x", 3}, {"t"}}, {}};

TEST(Expression, RandomTextsHaveTheValuesAndDerivativesOfTheirMeaning) {
    Random random(7);
    int compared = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        const RandomExpression one = testing::random_expression(random, 4);
        const Expressions expressions({one.text}, of_random);
        const Eigen::VectorXd in = random.vector(4, -2.0, 2.0);
        const double expected = one.value(in.data()), found = values(expressions, in)[0];
        if (!std::isfinite(expected)) continue;
        ASSERT_NEAR(found, expected, 1e-9 * (1.0 + std::abs(expected))) << one.text << " at " << in.transpose();
        if (std::abs(expected) > 1e3) continue;
        const Eigen::MatrixXd derivatives = jacobian(expressions, in);
        for (Index j = 0; j < 4; ++j) {
            const auto slope = difference(one.value, in, j);
            if (!slope || std::abs(*slope) > 1e3) continue;
            EXPECT_NEAR(derivatives(0, j), *slope, 1e-6 * (1.0 + std::abs(*slope)))
                << one.text << " at " << in.transpose();
            compared += expressions.depends_on(0, j);
        }
    }
    EXPECT_GT(compared, 3000);
}

bool same_up_to_rounding(double a, double b) {  // sums may be in another order
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

TEST(Expression, OutputsTogetherAreThoseAlone) {  // although they share what they have in common
    Random random(8);
    std::vector<std::string> texts;
    for (int k = 0; k < 200; ++k) texts.push_back(testing::random_expression(random, 4).text);
    const Expressions together(texts, of_random);
    const Eigen::VectorXd in = random.vector(4, 0.1, 2.0);
    const Eigen::MatrixXd derivatives = jacobian(together, in);
    for (Index i = 0; i < 200; ++i) {
        const Expressions alone({texts[static_cast<std::size_t>(i)]}, of_random);
        const Eigen::MatrixXd expected = jacobian(alone, in);
        for (Index j = 0; j < 4; ++j) {
            EXPECT_TRUE(same_up_to_rounding(derivatives(i, j), expected(0, j))) << texts[i];
            EXPECT_EQ(together.depends_on(i, j), alone.depends_on(0, j)) << texts[i];
            EXPECT_TRUE(together.depends_on(i, j) || derivatives(i, j) == 0.0) << texts[i];
        }
    }
}

TEST(Expression, EvaluationAllocatesNothing) {
    const Expressions expressions({"-sin(x)/k + y^3", "x > 0 ? exp(x)*y : mod(x, 2)"}, xy);
    const Eigen::Vector2d in(0.3, 0.4);
    Eigen::Vector2d out;
    Eigen::Matrix2d J;
    Eigen::VectorXd scratch(expressions.scratch_size());
    EXPECT_EQ(testing::allocations_in([&] {
                  expressions.evaluate(in.data(), out.data(), scratch.data());
                  expressions.jacobian(in.data(), out.data(), J.data(), scratch.data());
              }),
              0);
}

TEST(Expression, ThreadsWithScratchOfTheirOwnDoNotDisturbEachOther) {
    Random random(9);
    std::vector<std::string> texts;
    for (int k = 0; k < 20; ++k) texts.push_back(testing::random_expression(random, 5).text);
    const Expressions expressions(texts, of_random);
    const auto checksum = [&](unsigned seed) {
        Random own(seed);
        Eigen::VectorXd scratch(expressions.scratch_size()), out(20);
        Eigen::MatrixXd J(20, 4);
        double sum = 0.0;
        for (int k = 0; k < 2000; ++k) {
            const Eigen::VectorXd in = own.vector(4);
            expressions.jacobian(in.data(), out.data(), J.data(), scratch.data());
            for (const double derivative : J.reshaped())
                if (std::isfinite(derivative)) sum += derivative;
        }
        return sum;
    };
    std::vector<double> found(4);
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 4; ++k) threads.emplace_back([&, k] { found[k] = checksum(k); });
    for (std::thread& thread : threads) thread.join();
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(found[k], checksum(k));
}

const Symbols circuit_symbols{{{"x", 2}, {"t"}, {"u"}}, {{"C", 4.0}, {"zero", 0.0}}};

std::optional<Eigen::MatrixXd> coefficients(const std::vector<std::string>& texts, Index first = 0, Index count = 2) {
    return Expressions(texts, circuit_symbols).affine_coefficients(first, count);
}

TEST(Expression, AffineTextsAreRecognisedWithTheirCoefficients) {
    const std::pair<const char*, Eigen::RowVector2d> cases[] = {
        {"x[1]/C + 2*(x[0] - t)", {2.0, 0.25}},
        {"x[0]^1", {1.0, 0.0}},
        {"(x[0]*2)/4", {0.5, 0.0}},
        {"3", {0.0, 0.0}},
        {"sin(t)*exp(u) + log(t)", {0.0, 0.0}},  // log(0) = -inf at the point where derivatives are taken
        {"log(t) - x[1]", {0.0, -1.0}},
        {"t > 1 ? u : u^2", {0.0, 0.0}},
        {"C > 1 ? x[0] : x[0]^2", {1.0, 0.0}},  // a condition on parameters
        {"t > 1 ? x[0] : x[0]", {1.0, 0.0}},
        {"zero*x[0] + (x[1] - x[1])", {0.0, 0.0}},
        {"-(-x[0]) - -x[1]*C^2", {1.0, 16.0}},
        {"x[0]*(2 + C) + x[1]/sqrt(C)", {6.0, 0.5}},
        {"if(t < 0, u, 2) + x[0]", {1.0, 0.0}},
    };
    for (const auto& [text, expected] : cases) {
        const auto found = coefficients({text});
        ASSERT_TRUE(found) << text;
        EXPECT_EQ(*found, expected) << text;
    }
    const auto both = coefficients({"x[0] - x[1]", "2*x[1] + t*u"});
    ASSERT_TRUE(both);
    EXPECT_EQ(*both, (Eigen::Matrix2d{{1.0, -1.0}, {0.0, 2.0}}));
}

TEST(Expression, WhatIsNotAffineWithConstantCoefficientsIsNot) {
    for (const char* text : {"t*x[0]",           "x[0]*x[1]",
                             "x[0]^2",           "x[0]/x[1]",
                             "1/x[0]",           "x[0]/t",
                             "sin(x[0])",        "abs(x[0])",
                             "x[0] > 0",         "t > 0 ? x[0] : 2*x[0]",
                             "x[0] > 0 ? 1 : 2", "x[0] > 0 ? x[1] : -x[1]",
                             "min(x[0], 1)",     "x[0]^C",
                             "2^x[0]",           "x[0]/zero",
                             "zero/x[0]",        "!x[0]",
                             "mod(x[0], 2)",     "x[0] + x[1]*x[1]",
                             "floor(x[1])"})
        EXPECT_FALSE(coefficients({text})) << text;
    EXPECT_FALSE(coefficients({"x[0]", "x[0]*x[1]"}));
}

TEST(Expression, AffineDependenceIsThatOnTheInputsAskedFor) {
    const std::string text = "t*x[0] + 3*u + x[1]";
    EXPECT_FALSE(coefficients({text}, 0, 2));
    EXPECT_FALSE(coefficients({text}, 2, 2));
    EXPECT_EQ(coefficients({text}, 1, 1), Eigen::MatrixXd::Constant(1, 1, 1.0));
    EXPECT_EQ(coefficients({text}, 3, 1), Eigen::MatrixXd::Constant(1, 1, 3.0));
    EXPECT_EQ(coefficients({text}, 0, 0), Eigen::MatrixXd(1, 0));
    EXPECT_THROW(coefficients({text}, 3, 2), InvalidInput);
    EXPECT_THROW(coefficients({text}, -1, 2), InvalidInput);
    EXPECT_THROW(coefficients({text}, 1, std::numeric_limits<Index>::max()), InvalidInput);
}

// Where random texts are said to be affine in x, f(x, t) = A x + f(0, t) at random points.
TEST(Expression, RandomAffineTextsAreWhatTheirCoefficientsSay) {
    Random random(10);
    int affine = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const RandomExpression one = testing::random_expression(random, 2);
        const Expressions expressions({one.text}, of_random);
        const auto A = expressions.affine_coefficients(0, 3);
        if (!A) continue;
        Eigen::VectorXd in = random.vector(4, -2.0, 2.0), rest = in;
        rest.head(3).setZero();
        const double expected = (*A * in.head(3))[0] + one.value(rest.data()), found = one.value(in.data());
        if (!std::isfinite(expected)) continue;
        EXPECT_NEAR(found, expected, 1e-12 * (1.0 + std::abs(expected))) << one.text;
        affine += !A->isZero();
    }
    EXPECT_GT(affine, 300);
}

// d_k = d_(k-1)^2 + 1 uses the definition before it twice: written out, the last is a text of 2^40 terms.
TEST(Expressions, DefinitionsAreReadOnce) {
    Symbols symbols{.variables = {{"x", 1}}};
    symbols.definitions["d0"] = "x[0]/4";
    for (int k = 1; k <= 40; ++k) symbols.definitions[fmt::format("d{}", k)] = fmt::format("d{0}*d{0}/2 + 0.1", k - 1);
    const Expressions last({"d40 + d40", "d39"}, symbols);
    double expected = 0.25;
    for (int k = 1; k <= 39; ++k) expected = expected * expected / 2.0 + 0.1;
    const double x = 1.0;
    double found[2];
    Eigen::VectorXd scratch(last.scratch_size());
    last.evaluate(&x, found, scratch.data());
    EXPECT_DOUBLE_EQ(found[1], expected);
    EXPECT_DOUBLE_EQ(found[0], 2.0 * (expected * expected / 2.0 + 0.1));
    EXPECT_LT(last.scratch_size(), 2 * 200);
}

}  // namespace
}  // namespace saltus
