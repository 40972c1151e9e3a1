#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

class SemismoothNewtonTest : public ::testing::TestWithParam<SemismoothNewton::Function> {
protected:
    const SemismoothNewton solver{.function = GetParam()};
};
INSTANTIATE_TEST_SUITE_P(BothFunctions, SemismoothNewtonTest,
                         ::testing::Values(SemismoothNewton::Function::natural,
                                           SemismoothNewton::Function::fischer_burmeister));

Matrix maybe_sparse(const Eigen::MatrixXd& M, bool sparse) {
    return sparse ? Matrix(Eigen::SparseMatrix<double>(M.sparseView())) : Matrix(M);
}

TEST_P(SemismoothNewtonTest, SolvesEveryLcpWithAPMatrix) {
    for (const MatrixClass kind : {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite,
                                   MatrixClass::p_matrix, MatrixClass::m_matrix})
        for (unsigned seed = 0; seed < 40; ++seed) {
            Random random(seed);
            // A limit of the method: from n = 14 on some of these P-matrices take more than max_iterations (see
            // header).
            const Index n = random.integer(1, kind == MatrixClass::p_matrix ? 12 : 20);
            Lcp lcp = testing::lcp_with_solution(random_matrix(kind, n, random), random, seed % 4 == 0 ? 0.3 : 0.0);
            lcp.M = maybe_sparse(lcp.M.dense(), seed % 2 == 1);
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            const SolveReport report = solver.solve(lcp, z);
            EXPECT_TRUE(report.converged()) << int(kind) << ' ' << seed << ' ' << report.residual << report.message;
            EXPECT_EQ(report.residual, residual(lcp, z));
        }
}

TEST_P(SemismoothNewtonTest, SolvesMonotoneProblemsOfAnyRank) {  // M is singular: regularisation
    for (const MatrixClass kind : {MatrixClass::semidefinite, MatrixClass::copositive_plus})
        for (unsigned seed = 0; seed < 40; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 12);
            Lcp lcp = testing::lcp_with_solution(random_matrix(kind, n, random), random);
            lcp.M = maybe_sparse(lcp.M.dense(), seed % 2 == 1);
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            const SolveReport report = solver.solve(lcp, z);
            EXPECT_TRUE(report.converged()) << int(kind) << ' ' << seed << ' ' << report.residual << report.message;
        }
}

// -w in N_[l, u](z) with intervals of all kinds and a known z; positive definite M: no other solution.
TEST_P(SemismoothNewtonTest, FindsTheOnlySolutionInABoxOfAnyKind) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 15);
        BoxVi problem{random_matrix(MatrixClass::positive_definite, n, random), Eigen::VectorXd(n), random.vector(n),
                      Eigen::VectorXd(n)};
        problem.upper = problem.lower + random.vector(n, 0.0, 2.0);
        Eigen::VectorXd solution(n), w(n);
        for (Index i = 0; i < n; ++i) {
            if (random.coin(0.3)) problem.lower[i] = -infinity;
            if (random.coin(0.3)) problem.upper[i] = infinity;
            if (random.coin(0.1)) problem.lower[i] = problem.upper[i] = 0.25;
            const double t = random.uniform(-2.0, 2.0);  // z = mid(l, t, u), w = z - t solve the problem
            solution[i] = Interval{problem.lower[i], problem.upper[i]}.project(t);
            w[i] = solution[i] - t;
        }
        problem.q = w - problem.M * solution;
        Eigen::VectorXd z = random.vector(n);
        ASSERT_TRUE(solver.solve(problem, z).converged()) << seed;
        EXPECT_LE((z - solution).lpNorm<Eigen::Infinity>(), 1e-7) << seed;
    }
}

TEST_P(SemismoothNewtonTest, SolvesAnMlcpInAnyOrder) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 12);
        Lcp lcp = testing::lcp_with_solution(random_matrix(MatrixClass::positive_definite, n, random), random);
        Mlcp problem{lcp.M, lcp.q, std::vector<bool>(n)};
        for (Index i = 0; i < n; ++i) problem.free[i] = random.coin();
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        EXPECT_TRUE(solver.solve(problem, z).converged()) << seed;
    }
}

TEST_P(SemismoothNewtonTest, IsNotDisturbedByUnits) {  // rows and columns of sizes from 1e-6 to 1e6
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Eigen::MatrixXd M = random_matrix(MatrixClass::positive_definite, 10, random);
        const Lcp lcp = testing::lcp_with_solution(M, random);
        Eigen::VectorXd scale(10);
        for (Index i = 0; i < 10; ++i) scale[i] = std::pow(10.0, random.integer(-6, 6));
        const Lcp scaled{scale.asDiagonal() * M, scale.cwiseProduct(lcp.q)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(10);
        EXPECT_TRUE(solver.solve(scaled, z).converged()) << seed;
    }
}

TEST_P(SemismoothNewtonTest, AnExactGuessTakesNoIteration) {
    const Lcp lcp{Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-4.0, -5.0)};
    Eigen::VectorXd z = Eigen::Vector2d(1.0, 2.0);
    EXPECT_EQ(solver.solve(lcp, z).iterations, 0);
}

TEST_P(SemismoothNewtonTest, SmallestProblems) {
    Eigen::VectorXd z(0);
    EXPECT_TRUE(solver.solve(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}, z).converged());
    const auto solve_one = [&](double M, double q) {
        Eigen::VectorXd one = Eigen::VectorXd::Zero(1);
        return solver.solve(Lcp{Eigen::MatrixXd::Constant(1, 1, M), Eigen::VectorXd::Constant(1, q)}, one);
    };
    EXPECT_TRUE(solve_one(2.0, -1.0).converged());
    EXPECT_TRUE(solve_one(0.0, 1.0).converged());
    for (const double M : {0.0, -1.0}) {  // w = M z - 1 < 0 for all z >= 0
        const SolveReport report = solve_one(M, -1.0);
        EXPECT_TRUE(report.status == SolveStatus::stalled || report.status == SolveStatus::iteration_limit);
        EXPECT_GT(report.residual, 0.1);
    }
}

TEST(SemismoothNewton, TheNaturalMapTakesOneStepFromTheRightActiveSet) {
    Random random(5);
    const Lcp lcp = testing::lcp_with_solution(random_matrix(MatrixClass::positive_definite, 30, random), random);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(30);
    ASSERT_TRUE(SemismoothNewton{}.solve(lcp, z).converged());
    z *= 1.01;
    const SolveReport report = SemismoothNewton{}.solve(lcp, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LE(report.residual, 1e-14);
}

TEST(SemismoothNewton, RefusesAWindowOfZero) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(1);
    const Lcp lcp{Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Ones(1)};
    EXPECT_THROW(SemismoothNewton{.window = 0}.solve(lcp, z), InvalidInput);
}

}  // namespace
}  // namespace saltus
