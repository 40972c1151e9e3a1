#include "saltus/model/function_from.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "saltus/core/check.hpp"
#include "support/allocations.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

Eigen::VectorXd value(const Function& function, const Eigen::VectorXd& in) {
    Eigen::VectorXd out(function.outputs());
    function.value(in.data(), out.data());
    return out;
}

Eigen::MatrixXd jacobian(const Function& function, const Eigen::VectorXd& in) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Constant(function.outputs(), function.inputs(), 99.0);
    function.jacobian(in.data(), J.data());
    return J;
}

// The same function of (a, b, c) three times.
Function from_texts() {
    return Expressions({"sin(a)*b + exp(-c)", "a > b ? sqrt(a*a + b*b) : 3*c"}, {{{"a"}, {"b"}, {"c"}}, {}}, "f");
}

const auto generic = [](const auto& in, auto& out) {
    using std::exp, std::sin, std::sqrt;
    using Scalar = std::decay_t<decltype(out[0])>;
    const Scalar length = sqrt(in[0] * in[0] + in[1] * in[1]);
    out[0] = sin(in[0]) * in[1] + exp(-in[2]);
    if (in[0] > in[1])
        out[1] = length;
    else
        out[1] = 3.0 * in[2];
};

Function by_hand() {
    return Function::with_jacobian(3, 2, generic, [](const auto& in, auto& J) {
        const double a = in[0], b = in[1], length = std::hypot(a, b);
        J(0, 0) = std::cos(a) * b;
        J(0, 1) = std::sin(a);
        J(0, 2) = -std::exp(-in[2]);
        if (a > b)
            J(1, 0) = a / length, J(1, 1) = b / length;
        else
            J(1, 2) = 3.0;
    });
}

TEST(Function, TextsCallablesAndJacobiansByHandAgree) {
    const Function functions[] = {from_texts(), Function::from(3, 2, generic), by_hand()};
    Random random(1);
    for (int trial = 0; trial < 100; ++trial) {
        const Eigen::VectorXd in = random.vector(3);
        for (const Function& function : functions) {
            ASSERT_EQ(function.inputs(), 3);
            ASSERT_EQ(function.outputs(), 2);
            EXPECT_LT((value(function, in) - value(functions[2], in)).norm(), 1e-15);
            EXPECT_LT((jacobian(function, in) - jacobian(functions[2], in)).norm(), 1e-15);
        }
    }
}

TEST(Function, EvaluationAllocatesNothing) {
    const Eigen::Vector3d in(0.4, 0.3, 0.2);
    Eigen::Vector2d out;
    Eigen::Matrix<double, 2, 3> J;
    for (const Function& function : {from_texts(), Function::from(3, 2, generic), by_hand()})
        EXPECT_EQ(testing::allocations_in([&] {
                      function.value(in.data(), out.data());
                      function.jacobian(in.data(), J.data());
                  }),
                  0);
}

TEST(Function, ADefaultOneIsEmpty) {
    const Function nothing;
    EXPECT_TRUE(nothing.is_empty());
    EXPECT_EQ(nothing.inputs(), 0);
    EXPECT_EQ(nothing.outputs(), 0);
    nothing.value(nullptr, nullptr);
    nothing.jacobian(nullptr, nullptr);
    EXPECT_FALSE(from_texts().is_empty());
}

TEST(Function, ACopyIsAFunctionOfItsOwn) {
    for (const Function& original : {from_texts(), Function::from(3, 2, generic), by_hand()}) {
        Function copy;
        {
            const Function temporary = original;
            copy = temporary;
        }
        const Eigen::Vector3d in(0.4, 0.3, 0.2);
        EXPECT_EQ(value(copy, in), value(original, in));
        EXPECT_EQ(jacobian(copy, in), jacobian(original, in));
    }
}

TEST(Function, ThreadsWithCopiesDoNotDisturbEachOther) {
    for (const Function& original : {from_texts(), Function::from(3, 2, generic)}) {
        const auto sum = [](const Function& function, unsigned seed) {
            Random random(seed);
            double result = 0.0;
            for (int k = 0; k < 5000; ++k) {
                const Eigen::VectorXd in = random.vector(3);
                result += value(function, in).sum() + jacobian(function, in).sum();
            }
            return result;
        };
        std::vector<double> found(4);
        std::vector<std::thread> threads;
        for (unsigned k = 0; k < 4; ++k)
            threads.emplace_back([&found, &sum, k, copy = original] { found[k] = sum(copy, k); });
        for (std::thread& thread : threads) thread.join();
        for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(found[k], sum(original, k));
    }
}

TEST(Function, AnEntryThatACallableLeavesOutIsNaN) {
    const auto forgets = [](const auto& in, auto& out) { out[1] = in[0]; };
    const Function function = Function::from(1, 2, forgets);
    const Eigen::VectorXd in{{2.0}};
    EXPECT_TRUE(std::isnan(value(function, in)[0]));
    EXPECT_EQ(value(function, in)[1], 2.0);
    EXPECT_TRUE(std::isnan(jacobian(function, in)(0, 0)));
    EXPECT_EQ(jacobian(function, in)(1, 0), 1.0);
}

TEST(Function, ConstantsInCallablesHaveDerivativeZero) {
    const Function function = Function::from(2, 2, [](const auto& in, auto& out) {
        out[0] = 3.0;
        out[1] = in[1];
    });
    EXPECT_EQ(jacobian(function, Eigen::Vector2d(1.0, 2.0)), (Eigen::Matrix2d{{0.0, 0.0}, {0.0, 1.0}}));
}

TEST(Function, AffineDependenceIsKnownOfTexts) {
    const Function function = Expressions({"2*x[0] - x[1] + sin(t)"}, {{{"x", 2}, {"t"}}, {}});
    EXPECT_EQ(function.affine_coefficients(0, 2), (Eigen::MatrixXd{{2.0, -1.0}}));
    EXPECT_FALSE(function.affine_coefficients(2, 1));
    EXPECT_TRUE(function.expressions());
    const Function callable = Function::from(3, 2, generic);
    EXPECT_FALSE(callable.affine_coefficients(0, 3));
    EXPECT_TRUE(callable.affine_coefficients(3, 0));
    EXPECT_THROW(static_cast<void>(callable.affine_coefficients(2, 2)), InvalidInput);
    EXPECT_FALSE(callable.expressions());
}

TEST(Function, WrongCallablesAndSizesAreRefused) {
    const auto value = [](const auto&, auto&) {};
    EXPECT_THROW(Function::with_jacobian(1, 1, nullptr, value), InvalidInput);
    EXPECT_THROW(Function::with_jacobian(1, 1, value, nullptr), InvalidInput);
    EXPECT_THROW(Function::with_jacobian(-1, 1, value, value), InvalidInput);
    EXPECT_THROW(Function::from(1, -1, value), InvalidInput);
}

}  // namespace
}  // namespace saltus
