#include "saltus/complementarity/nonlinear/ncp.hpp"

#include <gtest/gtest.h>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/nonlinear/newton_josephy.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "support/nonlinear_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

struct NaturalNewton : SemismoothNewton {};
struct FischerBurmeisterNewton : SemismoothNewton {
    FischerBurmeisterNewton() { function = Function::fischer_burmeister; }
};

template <class Solver>
class McpSolverTest : public ::testing::Test {};
using AllSolvers = ::testing::Types<NaturalNewton, FischerBurmeisterNewton, NewtonJosephy>;
TYPED_TEST_SUITE(McpSolverTest, AllSolvers);

double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

TYPED_TEST(McpSolverTest, SolvesKojimaShindo) {
    const Ncp problem = testing::kojima_shindo();
    const Eigen::Vector4d first(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5), second(1.0, 0.0, 3.0, 0.0);
    EXPECT_LE(residual(problem, first), 1e-15);
    EXPECT_EQ(residual(problem, second), 0.0);
    for (const double start : {0.0, 0.5, 1.0, 10.0}) {
        Eigen::VectorXd z = Eigen::VectorXd::Constant(4, start);
        const SolveReport report = TypeParam{}.solve(problem, z);
        ASSERT_TRUE(report.converged()) << start << ' ' << report.residual << ' ' << report.iterations;
        EXPECT_LE(std::min(distance(z, first), distance(z, second)), 1e-9) << z.transpose();
    }
}

TYPED_TEST(McpSolverTest, SolvesJosephy) {
    const Ncp problem = testing::josephy();
    const Eigen::Vector4d solution(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
    EXPECT_LE(residual(problem, solution), 1e-15);
    for (const double start : {0.0, 1.0, 10.0, 100.0}) {
        Eigen::VectorXd z = Eigen::VectorXd::Constant(4, start);
        ASSERT_TRUE(TypeParam{}.solve(problem, z).converged()) << start;
        EXPECT_LE(distance(z, solution), 1e-9);
    }
}

TYPED_TEST(McpSolverTest, FindsTheNashEquilibrium) {
    for (const double start : {1.0, 10.0, 100.0}) {
        Eigen::VectorXd z = Eigen::VectorXd::Constant(5, start);
        const SolveReport report = TypeParam{}.solve(testing::nash_cournot(), z);
        ASSERT_TRUE(report.converged()) << start << ' ' << report.residual << ' ' << report.message;
        EXPECT_LE(distance(z, testing::nash_cournot_solution()), 1e-4);
    }
}

TYPED_TEST(McpSolverTest, FindsTheOnlySolutionOfMonotoneProblemsWithAllKindsOfBounds) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 12);
        const bool sparse = random.coin();
        const auto [problem, solution] = testing::monotone_mcp(n, random, sparse, seed % 3 == 0 ? 0.5 : 0.0);
        EXPECT_LE(residual(problem, solution), 1e-14);
        Eigen::VectorXd z = random.vector(n, -3.0, 3.0);
        const SolveReport report = TypeParam{}.solve(problem, z);
        ASSERT_TRUE(report.converged()) << seed << ' ' << report.residual << ' ' << report.message;
        EXPECT_LE(report.residual, 1e-10);
        EXPECT_LE(distance(z, solution), 1e-7) << seed;
    }
}

TYPED_TEST(McpSolverTest, ConvergesQuadraticallyNearAStrictlyComplementarySolution) {
    const Ncp problem = testing::josephy();
    const Eigen::Vector4d solution(std::sqrt(6.0) / 2.0, 0.0, 0.0, 0.5);
    TypeParam solver;
    solver.tolerance = 1e-300;
    double last = 0.1;
    for (int iterations = 1; iterations <= 6; ++iterations) {
        Eigen::VectorXd z = solution + Eigen::Vector4d(0.05, 0.05, 0.05, 0.05);
        solver.max_iterations = iterations;
        solver.solve(problem, z);
        const double error = distance(z, solution);
        EXPECT_LE(error, std::max(10.0 * last * last, 1e-14)) << iterations;
        last = error;
    }
    EXPECT_LE(last, 1e-14);
}

TYPED_TEST(McpSolverTest, AnExactGuessTakesNoIteration) {
    Random random(7);
    const auto [problem, solution] = testing::monotone_mcp(8, random);
    Eigen::VectorXd z = solution;
    const SolveReport report = TypeParam{}.solve(problem, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(z, solution);
}

TYPED_TEST(McpSolverTest, KeepsTheHistoryOfItsResidual) {
    for (const double start : {0.0, 1.0, 10.0}) {
        const Eigen::VectorXd guess = Eigen::VectorXd::Constant(4, start);
        expect_one_number_an_iteration(testing::expect_history(TypeParam{}, testing::josephy(), guess));
        testing::expect_residuals_of_iterates(TypeParam{}, testing::josephy(), guess);
    }
}

TYPED_TEST(McpSolverTest, AProblemWithoutUnknownsIsSolved) {
    const Ncp problem{0, [](const auto&, auto&) {}, [](const auto&, Matrix&) {}};
    Eigen::VectorXd z(0);
    EXPECT_TRUE(TypeParam{}.solve(problem, z).converged());
}

TYPED_TEST(McpSolverTest, AProblemWithoutSolutionIsNotSolved) {
    // w_1 = z_1^2 - z_2 + 2, w_2 = z_1 - 1 - z_1^2 < 0: the second row can never be met.
    const Ncp problem{
        2,
        [](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F << z[0] * z[0] - z[1] + 2.0, z[0] - 1.0 - z[0] * z[0]; },
        [](const Eigen::VectorXd& z, Matrix& J) {
            J = Eigen::Matrix2d{{2.0 * z[0], -1.0}, {1.0 - 2.0 * z[0], 0.0}};
        }};
    Eigen::VectorXd z = Eigen::Vector2d(1.0, 1.0);
    const SolveReport report = TypeParam{}.solve(problem, z);
    EXPECT_TRUE(report.status == SolveStatus::stalled || report.status == SolveStatus::iteration_limit);
    EXPECT_GT(report.residual, 0.1);
    EXPECT_TRUE(z.allFinite());
    EXPECT_EQ(report.residual, residual(problem, z));
}

TYPED_TEST(McpSolverTest, AStepToWhereFIsNotANumberIsShortened) {
    // F = log z has its zero at 1; Newton's step from 4 goes to 4 - 4 log 4 < 0, where log is NaN.
    const Mcp problem{[](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F[0] = std::log(z[0]); },
                      [](const Eigen::VectorXd& z, Matrix& J) { J = Eigen::MatrixXd::Constant(1, 1, 1.0 / z[0]); },
                      Eigen::VectorXd::Constant(1, -infinity), Eigen::VectorXd::Constant(1, infinity)};
    Eigen::VectorXd z = Eigen::VectorXd::Constant(1, 4.0);
    EXPECT_TRUE(TypeParam{}.solve(problem, z).converged());
    EXPECT_NEAR(z[0], 1.0, 1e-9);
}

TYPED_TEST(McpSolverTest, TheCallersMistakesHaveTheirMessage) {
    const auto message = [](const McpView& problem, Eigen::VectorXd z) -> std::string {
        try {
            TypeParam{}.solve(problem, z);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "none";
    };
    const auto identity = [](const Eigen::VectorXd& z, Matrix& J) {
        J = Eigen::MatrixXd::Identity(z.size(), z.size());
    };
    const auto copy = [](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F = z; };
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
    const std::string name(TypeParam::name);

    const Ncp two_values{3, [](const auto&, Eigen::VectorXd& F) { F.setOnes(2); }, identity};
    EXPECT_EQ(message(two_values, zero), "Ncp: F returned 2 values, the problem has 3 unknowns");
    const Ncp unset{3, [](const auto&, Eigen::VectorXd& F) { F[0] = F[2] = 1.0; }, identity};
    EXPECT_EQ(message(unset, zero), name + ": F[1] is nan at the guess; start where F is defined");
    const Ncp small_jacobian{3, copy, [](const auto&, Matrix& J) { J = Eigen::MatrixXd::Zero(3, 2); }};
    EXPECT_EQ(message(small_jacobian, zero), "Ncp: jacobian returned a 3 x 2 matrix, the problem has 3 unknowns");
    EXPECT_EQ(message(Ncp{3, copy, {}}, zero), "Ncp: jacobian is empty; give a callable");
    EXPECT_EQ(message(Ncp{3, {}, identity}, zero), "Ncp: F is empty; give a callable");
    EXPECT_EQ(message(Ncp{3, copy, identity}, Eigen::VectorXd::Zero(2)),
              name + ": the guess z has 2 entries but the Ncp has 3");
    const Mcp empty_interval{copy, identity, Eigen::VectorXd::Ones(3), zero};
    EXPECT_EQ(message(empty_interval, zero),
              "Mcp: the interval [lower, upper] of variable 0 is [1, 0]; it must not be empty");
    const Mcp missing_upper{copy, identity, zero, Eigen::VectorXd(0)};
    EXPECT_EQ(message(missing_upper, zero), "Mcp: lower has 3 and upper 0 entries");
}

TEST(NewtonJosephy, SolvesAnAffineProblemInOneStep) {
    Random random(3);
    const Eigen::MatrixXd M = testing::random_matrix(testing::MatrixClass::positive_definite, 10, random);
    const Lcp lcp = testing::lcp_with_solution(M, random);
    const Ncp ncp{10, [&](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F = lcp.M * z + lcp.q; },
                  [&](const Eigen::VectorXd&, Matrix& J) { J = lcp.M; }};
    Eigen::VectorXd z = Eigen::VectorXd::Zero(10);
    const SolveReport report = NewtonJosephy{}.solve(ncp, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LE(residual(lcp, z), 1e-10);
}

TEST(NewtonJosephy, EvaluatesFInTheBoxOnly) {
    const Ncp problem = testing::nash_cournot();
    const Ncp guarded{5,
                      [&](const Eigen::VectorXd& z, Eigen::VectorXd& F) {
                          EXPECT_GE(z.minCoeff(), 0.0);
                          problem.F(z, F);
                      },
                      problem.jacobian};
    Eigen::VectorXd z{{200.0, 1.0, 1.0, 1.0, -1.0}};
    EXPECT_TRUE(NewtonJosephy{}.solve(guarded, z).converged());
}

TEST(Mcp, ResidualIsTheNaturalMap) {
    const Mcp problem{[](const Eigen::VectorXd&, Eigen::VectorXd& F) { F << 3.0, -0.25, 5.0, -7.0; },
                      [](const Eigen::VectorXd&, Matrix& J) { J = Eigen::MatrixXd::Zero(4, 4); },
                      Eigen::Vector4d(0.0, -1.0, -infinity, 2.0), Eigen::Vector4d(infinity, 1.0, infinity, 2.0)};
    // z - mid(l, z - w, u) = 0.5 - 0, 0 - 0.25, 5, 2 - 2.
    EXPECT_EQ(residual(problem, Eigen::Vector4d(0.5, 0.0, 9.0, 2.0)), 5.0);
}

}  // namespace
}  // namespace saltus
