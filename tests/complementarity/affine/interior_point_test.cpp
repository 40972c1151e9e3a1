#include "saltus/complementarity/affine/interior_point.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/infeasibility.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/core/infinity.hpp"
#include "support/obstacle.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

Eigen::VectorXd vector_of(std::initializer_list<double> entries) {
    return Eigen::Map<const Eigen::VectorXd>(entries.begin(), static_cast<Index>(entries.size()));
}

SolveReport solve_from_zero(const AffineBox& problem, Eigen::VectorXd& z, const InteriorPoint& solver = {}) {
    z = Eigen::VectorXd::Zero(problem.size());
    return solver.solve(problem, z);
}

constexpr MatrixClass monotone_classes[] = {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite,
                                            MatrixClass::semidefinite, MatrixClass::copositive_plus};

class EitherStorage : public ::testing::TestWithParam<bool> {
protected:
    Matrix stored(const Eigen::MatrixXd& M) const { return GetParam() ? Matrix(Matrix(M).to_sparse()) : Matrix(M); }
};
INSTANTIATE_TEST_SUITE_P(InteriorPoint, EitherStorage, ::testing::Bool(),
                         [](const auto& storage) { return storage.param ? "sparse" : "dense"; });

TEST_P(EitherStorage, SolvesEveryMonotoneLcpThatHasASolution) {
    for (const MatrixClass kind : monotone_classes)
        for (unsigned seed = 0; seed < 60; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 40);
            Lcp lcp = lcp_with_solution(random_matrix(kind, n, random), random, 0.2);
            lcp.M = stored(lcp.M.dense());
            Eigen::VectorXd z;
            const SolveReport report = solve_from_zero(lcp, z);
            EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << report.message;
            EXPECT_LE(report.iterations, 30);
        }
}

// A monotone problem on a box is solvable or infeasible, and the method says which (the alternative (9)).
TEST_P(EitherStorage, EveryMonotoneBoxIsSolvedOrProvenInfeasible) {
    int infeasible = 0;
    for (const MatrixClass kind : monotone_classes)
        for (unsigned seed = 0; seed < 60; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 30);
            const BoxVi box = testing::random_box(stored(random_matrix(kind, n, random)), random);
            Eigen::VectorXd z;
            const SolveReport report = solve_from_zero(box, z);
            if (report.converged()) continue;
            ++infeasible;
            EXPECT_EQ(report.status, SolveStatus::no_solution) << "seed " << seed << ": " << report.message;
            EXPECT_TRUE(proves_infeasibility(box, report.certificate));
        }
    EXPECT_GT(infeasible, 10);
}

TEST_P(EitherStorage, AgreesWithTheActiveSetMethod) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        Random random(seed);
        const BoxVi box =
            testing::random_box(stored(random_matrix(MatrixClass::symmetric_positive_definite, 25, random)), random);
        Eigen::VectorXd interior, exterior = Eigen::VectorXd::Zero(25);
        ASSERT_TRUE(solve_from_zero(box, interior, {.tolerance = 1e-12}).converged());
        ASSERT_TRUE(PrimalDualActiveSet{.tolerance = 1e-12}.solve(box, exterior).converged());
        EXPECT_LT((interior - exterior).lpNorm<Eigen::Infinity>(), 1e-9);
    }
}

// min |x - a|^2 / 2 subject to x >= 0, sum x = 1: KKT as an Mlcp with a free multiplier and a zero block.
TEST_P(EitherStorage, ProjectsOnTheSimplex) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(4, 4);
    M.col(3) << -1.0, -1.0, -1.0, 0.0;
    M.row(3) << 1.0, 1.0, 1.0, 0.0;
    const Mlcp mlcp{stored(M), Eigen::Vector4d(-0.9, -0.5, 1.0, -1.0), {false, false, false, true}};
    Eigen::VectorXd z;
    ASSERT_TRUE(solve_from_zero(mlcp, z).converged());
    EXPECT_LT((z - Eigen::Vector4d(0.7, 0.3, 0.0, -0.2)).norm(), 1e-14);
}

// A linear program, M skew: min -x1 - 2 x2, x1 + x2 <= 4, x2 <= 3, x >= 0 has x = (1, 3), multipliers (1, 1).
TEST_P(EitherStorage, SolvesALinearProgram) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(4, 4);
    M.topRightCorner(2, 2) = Eigen::Matrix2d{{1.0, 0.0}, {1.0, 1.0}};
    M.bottomLeftCorner(2, 2) = -M.topRightCorner(2, 2).transpose();
    const Lcp lcp{stored(M), Eigen::Vector4d(-1.0, -2.0, 4.0, 3.0)};
    Eigen::VectorXd z;
    ASSERT_TRUE(solve_from_zero(lcp, z).converged());
    EXPECT_LT((z - Eigen::Vector4d(1.0, 3.0, 1.0, 1.0)).norm(), 1e-12);
}

// The same constraint twice: the multipliers are not unique, the KKT matrix is singular.
TEST_P(EitherStorage, AcceptsDependentConstraints) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(5, 5);
    M.topLeftCorner(3, 3).setIdentity();
    M.topRightCorner(3, 2).setConstant(-1.0);
    M.bottomLeftCorner(2, 3).setConstant(1.0);
    Eigen::VectorXd q(5), z;
    q << -0.9, -0.5, 1.0, -1.0, -1.0;
    const Mlcp mlcp{stored(M), q, {false, false, false, true, true}};
    ASSERT_TRUE(solve_from_zero(mlcp, z).converged());
    EXPECT_LT((z.head(3) - Eigen::Vector3d(0.7, 0.3, 0.0)).norm(), 1e-9);
    EXPECT_NEAR(z[3] + z[4], -0.2, 1e-9);
}

TEST_P(EitherStorage, BadlyScaledProblems) {
    for (const double scale : {1e-6, 1e6}) {
        Random random(4);
        const Eigen::MatrixXd M = random_matrix(MatrixClass::positive_definite, 20, random);
        const Lcp well = lcp_with_solution(M, random), scaled{stored(scale * M), well.q};  // z / scale solves it
        Eigen::VectorXd z, z_scaled;
        ASSERT_TRUE(solve_from_zero(well, z).converged());
        ASSERT_TRUE(solve_from_zero(scaled, z_scaled).converged());
        EXPECT_LT((z - scale * z_scaled).lpNorm<Eigen::Infinity>(), 1e-8);
    }
}

TEST(InteriorPoint, ReportsInfeasibleLcpWithCertificate) {
    // w_1 = -z_2 - 1 >= 0 is impossible: v = (1, 0) has M'v = (0, -1) <= 0, q.v = -1.
    const Lcp lcp{Eigen::Matrix2d{{0.0, -1.0}, {1.0, 0.0}}, vector_of({-1.0, 1.0})};
    Eigen::VectorXd z;
    const SolveReport report = solve_from_zero(lcp, z);
    ASSERT_EQ(report.status, SolveStatus::no_solution);
    const Eigen::VectorXd v = report.certificate;
    EXPECT_GE(v.minCoeff(), 0.0);
    EXPECT_LE((lcp.M.dense().transpose() * v).maxCoeff(), 1e-8);
    EXPECT_LT(lcp.q.dot(v), -0.5);

    const Mlcp equality{Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Ones(1), {true}};  // 0 z + 1 = 0
    EXPECT_EQ(solve_from_zero(equality, z).status, SolveStatus::no_solution);
}

TEST(InteriorPoint, OneVariable) {
    Eigen::VectorXd z;
    const auto lcp = [](double M, double q) {
        return Lcp{Eigen::MatrixXd::Constant(1, 1, M), Eigen::VectorXd::Constant(1, q)};
    };
    EXPECT_EQ(solve_from_zero(lcp(-1.0, -1.0), z).status, SolveStatus::unsuitable_problem);
    EXPECT_EQ(solve_from_zero(lcp(0.0, -1.0), z).status, SolveStatus::no_solution);
    EXPECT_TRUE(solve_from_zero(lcp(0.0, 1.0), z).converged());
    ASSERT_TRUE(solve_from_zero(lcp(2.0, -1.0), z).converged());
    EXPECT_DOUBLE_EQ(z[0], 0.5);
    EXPECT_TRUE(solve_from_zero(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}, z).converged());
    const BoxVi fixed{Eigen::MatrixXd::Constant(1, 1, -1.0), Eigen::VectorXd::Ones(1),
                      Eigen::VectorXd::Constant(1, 3.0), Eigen::VectorXd::Constant(1, 3.0)};
    ASSERT_TRUE(solve_from_zero(fixed, z).converged());
    EXPECT_EQ(z[0], 3.0);
}

TEST(InteriorPoint, ExactGuessTakesNoIteration) {
    Random random(5);
    const Lcp lcp = lcp_with_solution(random_matrix(MatrixClass::positive_definite, 20, random), random);
    Eigen::VectorXd z;
    ASSERT_TRUE(solve_from_zero(lcp, z).converged());
    const SolveReport again = InteriorPoint{}.solve(lcp, z);
    EXPECT_TRUE(again.converged());
    EXPECT_EQ(again.iterations, 0);
}

// The number of iterations hardly depends on the size, that of the plain active set method doubles.
TEST(InteriorPoint, IterationsDoNotGrowWithTheGrid) {
    for (const Index side : {10, 20, 40, 80}) {
        Eigen::VectorXd z;
        const SolveReport report =
            solve_from_zero(testing::HemisphereObstacle{side}.problem(), z, {.tolerance = 1e-12});
        EXPECT_TRUE(report.converged());
        EXPECT_LE(report.iterations, 12);
    }
}

TEST(Infeasibility, CertificateMustSeparate) {
    const Lcp feasible{Eigen::Matrix2d{{0.0, -1.0}, {1.0, 0.0}}, vector_of({1.0, 1.0})};
    const Lcp infeasible{feasible.M, vector_of({-1.0, 1.0})};
    const Eigen::VectorXd v = vector_of({2.0, 0.0}), other = vector_of({0.0, 1.0});
    EXPECT_FALSE(proves_infeasibility(feasible, v));
    EXPECT_TRUE(proves_infeasibility(infeasible, v));
    EXPECT_FALSE(proves_infeasibility(infeasible, other));
    EXPECT_FALSE(proves_infeasibility(infeasible, -v));
    EXPECT_FALSE(proves_infeasibility(infeasible, Eigen::VectorXd::Zero(2)));
    // Bounded below by z_2 >= -2, w_1 = -z_2 - 1 >= 0 holds at z_2 = -2; not when z_2 >= 0.
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(2, infinity);
    EXPECT_FALSE(proves_infeasibility(BoxVi{infeasible.M, infeasible.q, vector_of({0.0, -2.0}), upper}, v));
    EXPECT_TRUE(proves_infeasibility(BoxVi{infeasible.M, infeasible.q, vector_of({0.0, -0.5}), upper}, v));
    EXPECT_EQ(recession_part(infeasible, vector_of({4.0, -1.0})), vector_of({1.0, 0.0}));
}

}  // namespace
}  // namespace saltus
