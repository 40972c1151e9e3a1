#include "saltus/complementarity/affine/primal_dual_active_set.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"
#include "saltus/core/check.hpp"
#include "support/allocations.hpp"
#include "support/obstacle.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::HemisphereObstacle;
using testing::MatrixClass;
using testing::Random;

SolveReport solve_by_active_set(const AffineBox& problem, Eigen::VectorXd& z, const PrimalDualActiveSet& solver = {}) {
    z = Eigen::VectorXd::Zero(problem.size());
    return solver.solve(problem, z);
}

class ActiveSetStorage : public ::testing::TestWithParam<bool> {
protected:
    Matrix stored(const Eigen::MatrixXd& M) const { return GetParam() ? Matrix(Matrix(M).to_sparse()) : Matrix(M); }
};
INSTANTIATE_TEST_SUITE_P(PrimalDualActiveSet, ActiveSetStorage, ::testing::Bool(),
                         [](const auto& storage) { return storage.param ? "sparse" : "dense"; });

// The energy falls at every iteration (14), so that no symmetric positive definite problem is lost, however few sweeps.
TEST_P(ActiveSetStorage, SolvesEverySymmetricPositiveDefiniteProblem) {
    for (const int sweeps : {1, 2, 40})
        for (unsigned seed = 0; seed < 200; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 30);
            const Matrix M = stored(random_matrix(MatrixClass::symmetric_positive_definite, n, random));
            const BoxVi box = testing::random_box(M, random);
            Eigen::VectorXd z;
            EXPECT_TRUE(solve_by_active_set(box, z, {.sweeps = sweeps}).converged()) << "seed " << seed;
            const Lcp degenerate = lcp_with_solution(M.to_dense(), random, 0.3);
            EXPECT_TRUE(solve_by_active_set(degenerate, z, {.sweeps = sweeps}).converged()) << "seed " << seed;
        }
}

TEST_P(ActiveSetStorage, SolvesEveryMMatrixWithAndWithoutSweeps) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 30);
        const Lcp lcp = lcp_with_solution(random_matrix(MatrixClass::m_matrix, n, random), random, 0.2);
        Eigen::VectorXd z, plain;
        EXPECT_TRUE(solve_by_active_set(Lcp{stored(lcp.M.dense()), lcp.q}, z).converged()) << "seed " << seed;
        EXPECT_TRUE(solve_by_active_set(lcp, plain, {.sweeps = 0}).converged()) << "seed " << seed;
        EXPECT_LT((z - plain).lpNorm<Eigen::Infinity>(), 1e-8);
    }
}

// Strongly monotone, not symmetric: no theorem for cold starts, but a guess with the right set is solved at once.
TEST_P(ActiveSetStorage, TheRightSetTakesOneFactorization) {
    for (const MatrixClass kind : {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite,
                                   MatrixClass::p_matrix, MatrixClass::m_matrix}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 20);
            Eigen::VectorXd solution(n), w = Eigen::VectorXd::Zero(n);
            for (Index i = 0; i < n; ++i) {
                solution[i] = random.coin() ? random.uniform(0.5, 1.0) : 0.0;
                if (solution[i] == 0.0) w[i] = random.uniform(0.5, 1.0);
            }
            const Matrix M = stored(random_matrix(kind, n, random));
            const Lcp lcp{M, w - M * solution};
            Eigen::VectorXd z = solution * (1.0 + 1e-5);
            const SolveReport report = PrimalDualActiveSet{}.solve(lcp, z);
            EXPECT_TRUE(report.converged());
            EXPECT_LE(report.iterations, 1);
            EXPECT_LT((z - solution).lpNorm<Eigen::Infinity>(), 1e-9);
            EXPECT_EQ(PrimalDualActiveSet{}.solve(lcp, z).iterations, 0);  // the exact guess
        }
    }
}

// Equality-constrained projection: min |x - a|^2 / 2, x >= 0, sum x = 1. Its multiplier is a free variable with a zero
// diagonal; the answer is x = max(a + t, 0) with sum 1.
TEST_P(ActiveSetStorage, ProjectsOnTheSimplex) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(4, 4);
    M.col(3) << -1.0, -1.0, -1.0, 0.0;
    M.row(3) << 1.0, 1.0, 1.0, 0.0;
    const Mlcp mlcp{stored(M), Eigen::Vector4d(-0.9, -0.5, 1.0, -1.0), {false, false, false, true}};
    Eigen::VectorXd z;
    ASSERT_TRUE(solve_by_active_set(mlcp, z).converged());
    EXPECT_LT((z - Eigen::Vector4d(0.7, 0.3, 0.0, -0.2)).norm(), 1e-14);
}

TEST(PrimalDualActiveSet, ConvergesToTheRadialSolutionOfTheObstacleProblem) {
    const auto error_on = [](Index side) {
        const HemisphereObstacle membrane{side};
        const BoxVi problem = membrane.problem();
        Eigen::VectorXd z;
        const SolveReport report = solve_by_active_set(problem, z, {.tolerance = 1e-12});
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, 6);  // the plain method: 13 and 26
        return (z - membrane.sample(HemisphereObstacle::solution)).lpNorm<Eigen::Infinity>();
    };
    EXPECT_NEAR(HemisphereObstacle::contact_radius(), 0.69796514821, 1e-10);
    const double coarse = error_on(49), fine = error_on(99);
    EXPECT_LT(fine, 1e-3);
    EXPECT_LT(fine, coarse / 2.0);
}

// M an M-matrix: the solution is the least element of { z >= l : M z + q >= 0 } (Cottle, Pang, Stone 1992, th. 3.11.6).
TEST(PrimalDualActiveSet, SolutionIsTheLeastFeasiblePointAndThatOfGaussSeidel) {
    const BoxVi problem = HemisphereObstacle{20}.problem();
    Eigen::VectorXd z, other;
    ASSERT_TRUE(solve_by_active_set(problem, z).converged());
    BoxVi loaded = problem;  // a solution for a larger load -q is feasible for the smaller one
    loaded.q -= Random(1).vector(z.size(), 0.0, 0.01);
    ASSERT_TRUE(solve_by_active_set(loaded, other).converged());
    EXPECT_GE((other - z).minCoeff(), -1e-12);

    other = problem.lower;
    ASSERT_TRUE((ProjectedGaussSeidel{.tolerance = 1e-12, .relaxation = 1.7}.solve(problem, other)).converged());
    EXPECT_LT((other - z).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(PrimalDualActiveSet, SolvesWithAWorkspaceDoNotAllocate) {
    Random random(3);
    const Lcp lcp{random_matrix(MatrixClass::symmetric_positive_definite, 100, random), random.vector(100)};
    PrimalDualActiveSet::Workspace workspace;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(100);
    ASSERT_TRUE(PrimalDualActiveSet{}.solve(lcp, z, workspace).converged());
    SolveReport report;
    EXPECT_EQ(testing::allocations_in([&] {
                  z.setZero();
                  report = PrimalDualActiveSet{}.solve(lcp, z, workspace);
              }),
              0);
    EXPECT_TRUE(report.converged());
    EXPECT_GE(report.iterations, 1);
}

TEST(PrimalDualActiveSet, AWorkspaceServesProblemsOfDifferentSizeAndStorage) {
    PrimalDualActiveSet::Workspace workspace;
    for (const Index n : {5, 30, 1, 12}) {
        Random random(static_cast<unsigned>(n));
        const Matrix M = random_matrix(MatrixClass::symmetric_positive_definite, n, random);
        const Lcp dense = lcp_with_solution(M.dense(), random), sparse{M.to_sparse(), dense.q};
        Eigen::VectorXd first = Eigen::VectorXd::Zero(n), second = first;
        EXPECT_TRUE(PrimalDualActiveSet{}.solve(dense, first, workspace).converged());
        EXPECT_TRUE(PrimalDualActiveSet{}.solve(sparse, second, workspace).converged());
        EXPECT_LT((first - second).norm(), 1e-9);
    }
}

TEST(PrimalDualActiveSet, SaysWhenSetsCycle) {
    // A P-matrix on which the plain method runs through {1}, {2}, {3}, {1}, ...: Ben Gharbia, Gilbert 2012.
    const Lcp lcp{Eigen::Matrix3d{{1.0, 0.0, 2.0}, {2.0, 1.0, 0.0}, {0.0, 2.0, 1.0}},
                  Eigen::VectorXd::Constant(3, -1.0)};
    Eigen::VectorXd z = Eigen::VectorXd::Unit(3, 0);
    const SolveReport report = PrimalDualActiveSet{.sweeps = 0}.solve(lcp, z);
    EXPECT_EQ(report.status, SolveStatus::stalled);
    EXPECT_NE(report.message.find("cycle"), std::string::npos);
}

TEST(PrimalDualActiveSet, SaysWhenABlockIsSingular) {
    Eigen::VectorXd z;
    const Lcp flat{Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Constant(1, -1.0)};  // no solution
    EXPECT_EQ(solve_by_active_set(flat, z).status, SolveStatus::stalled);
    EXPECT_NE(solve_by_active_set(flat, z).message.find("singular"), std::string::npos);
    const Lcp falling{Eigen::MatrixXd::Constant(1, 1, -1.0), Eigen::VectorXd::Constant(1, -1.0)};  // no solution
    EXPECT_FALSE(solve_by_active_set(falling, z).converged());
    const Lcp two{Eigen::MatrixXd::Constant(1, 1, -1.0), Eigen::VectorXd::Constant(1, 1.0)};  // z = 0 and z = 1
    EXPECT_TRUE(solve_by_active_set(two, z).converged());
    EXPECT_EQ(solve_by_active_set(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}, z).status, SolveStatus::converged);
}

TEST(PrimalDualActiveSet, RefusesOptionsOutOfRange) {
    const Lcp lcp{Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Constant(1, -1.0)};
    Eigen::VectorXd z;
    EXPECT_THROW(solve_by_active_set(lcp, z, {.relaxation = 2.0}), InvalidInput);
    EXPECT_THROW(solve_by_active_set(lcp, z, {.sweeps = -1}), InvalidInput);
}

}  // namespace
}  // namespace saltus
