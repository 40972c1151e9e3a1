#include "saltus/complementarity/nonlinear/vi.hpp"

#include <gtest/gtest.h>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/nonlinear/projection_methods.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/core/check.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

void project_on_unit_ball(Eigen::VectorXd& z) { z /= std::max(1.0, z.norm()); }
void project_on_unit_box(Eigen::VectorXd& z) { z = z.cwiseMax(-1.0).cwiseMin(1.0); }
void stay(Eigen::VectorXd&) {}

// On {z >= 0, sum z = 1}: z - t, cut at zero, with the t that gives the sum 1.
void project_on_simplex(Eigen::VectorXd& z) {
    Eigen::VectorXd sorted = z;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0.0, threshold = 0.0;
    for (Index k = 0; k < z.size(); ++k) {
        sum += sorted[k];
        const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
        if (sorted[k] > candidate) threshold = candidate;
    }
    z = (z.array() - threshold).cwiseMax(0.0);
}

VectorFunction affine(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
    return [=](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F = M * z + q; };
}

template <class Solver>
class ViSolverTest : public ::testing::Test {};
using AllViSolvers = ::testing::Types<FixedPointProjection, ExtraGradient, HyperplaneProjection>;
TYPED_TEST_SUITE(ViSolverTest, AllViSolvers);

template <class Solver>
class MonotoneViSolverTest : public ::testing::Test {};
using MonotoneSolvers = ::testing::Types<ExtraGradient, HyperplaneProjection>;
TYPED_TEST_SUITE(MonotoneViSolverTest, MonotoneSolvers);

// F(z) = z - p: the solution is the projection of p.
TYPED_TEST(ViSolverTest, ProjectsOnBallBoxAndSimplex) {
    Random random(1);
    for (const auto& project : {project_on_unit_ball, project_on_unit_box, project_on_simplex})
        for (int trial = 0; trial < 10; ++trial) {
            const Eigen::VectorXd p = random.vector(6, -2.0, 2.0);
            const Vi problem{6, affine(Eigen::MatrixXd::Identity(6, 6), -p), project};
            Eigen::VectorXd z = random.vector(6), expected = p;
            project(expected);
            const SolveReport report = TypeParam{}.solve(problem, z);
            EXPECT_TRUE(report.converged());
            EXPECT_LE((z - expected).norm(), 10.0 * TypeParam{}.tolerance);
        }
}

TYPED_TEST(ViSolverTest, SolvesAConvexProgramOnTheBall) {
    // Minimise 1/2 z.D z - b.z, D = diag(1, 4), on the unit disc: (D + mu I) z = b, |z| = 1. With b = (1.2, 4.0), mu =
    // 1 gives z = (0.6, 0.8).
    const Vi problem{2, affine(Eigen::Vector2d(1.0, 4.0).asDiagonal(), -Eigen::Vector2d(1.2, 4.0)),
                     project_on_unit_ball};
    EXPECT_LE(residual(problem, Eigen::Vector2d(0.6, 0.8)), 1e-15);
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    EXPECT_TRUE(TypeParam{}.solve(problem, z).converged());
    EXPECT_LE((z - Eigen::Vector2d(0.6, 0.8)).norm(), 10.0 * TypeParam{}.tolerance);
}

TYPED_TEST(ViSolverTest, AgreesWithTheAffineSolversOnBoxes) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Eigen::MatrixXd M = random_matrix(MatrixClass::symmetric_positive_definite, 8, random);
        const Eigen::VectorXd q = random.vector(8, -4.0, 4.0), one = Eigen::VectorXd::Ones(8);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(8), expected = z;
        ASSERT_TRUE(SemismoothNewton{}.solve(BoxVi{M, q, -one, one}, expected).converged());
        const SolveReport report = TypeParam{.tolerance = 1e-8}.solve(Vi{8, affine(M, q), project_on_unit_box}, z);
        ASSERT_TRUE(report.converged()) << seed << ' ' << report.message;
        EXPECT_LE((z - expected).norm(), 1e-6) << seed;
    }
}

const Eigen::Matrix2d rotation{{0.0, 1.0}, {-1.0, 0.0}};

TYPED_TEST(MonotoneViSolverTest, SolvesTheRotation) {  // F(z) = R z, z.F(z) = 0: monotone, its only zero is 0
    Eigen::VectorXd z = Eigen::Vector2d(1.0, 1.0);
    EXPECT_TRUE(TypeParam{}.solve(Vi{2, affine(rotation, Eigen::Vector2d::Zero()), stay}, z).converged());
    EXPECT_LE(z.norm(), 2.0 * TypeParam{}.tolerance);  // |F(z)| = |z|
}

TEST(FixedPointProjection, IsDefeatedByTheRotation) {  // |z - rho R z|^2 = (1 + rho^2) |z|^2
    Eigen::VectorXd z = Eigen::Vector2d(1.0, 1.0);
    const SolveReport report = FixedPointProjection{}.solve(Vi{2, affine(rotation, Eigen::Vector2d::Zero()), stay}, z);
    EXPECT_FALSE(report.converged());
    EXPECT_GT(z.norm(), 1.0);
}

TYPED_TEST(MonotoneViSolverTest, FindsTheMixedStrategiesOfAMatrixGame) {
    // Rock, paper, scissors with weights: min over x, max over y of x.A y on two simplices; A skew, so that the value
    // is 0 and the optimal strategies of both players are (3, 2, 1) / 6 up to order: A p = 0.
    const Eigen::Matrix3d A{{0.0, 1.0, -2.0}, {-1.0, 0.0, 3.0}, {2.0, -3.0, 0.0}};
    const Eigen::Vector3d p = Eigen::Vector3d(3.0, 2.0, 1.0) / 6.0;
    ASSERT_LE((A * p).norm(), 1e-15);
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
    M.topRightCorner(3, 3) = A;
    M.bottomLeftCorner(3, 3) = -A.transpose();
    const Vi game{6, affine(M, Eigen::VectorXd::Zero(6)), [](Eigen::VectorXd& z) {
                      Eigen::VectorXd x = z.head(3), y = z.tail(3);
                      project_on_simplex(x);
                      project_on_simplex(y);
                      z << x, y;
                  }};
    Eigen::VectorXd z = Eigen::VectorXd::Unit(6, 0) + Eigen::VectorXd::Unit(6, 4);
    ASSERT_TRUE(TypeParam{.tolerance = 1e-8}.solve(game, z).converged());
    EXPECT_LE((z.head(3) - p).norm(), 1e-6);
    EXPECT_LE((z.tail(3) - p).norm(), 1e-6);
}

TYPED_TEST(MonotoneViSolverTest, SolvesUnsymmetricMonotoneBoxProblems) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Eigen::MatrixXd M = random_matrix(MatrixClass::positive_definite, 8, random);
        const Eigen::VectorXd q = random.vector(8, -4.0, 4.0), one = Eigen::VectorXd::Ones(8);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(8), expected = z;
        ASSERT_TRUE(SemismoothNewton{}.solve(BoxVi{M, q, -one, one}, expected).converged());
        const SolveReport report = TypeParam{.tolerance = 1e-8}.solve(Vi{8, affine(M, q), project_on_unit_box}, z);
        ASSERT_TRUE(report.converged()) << seed << ' ' << report.message;
        EXPECT_LE((z - expected).norm(), 1e-6) << seed;
    }
}

TYPED_TEST(MonotoneViSolverTest, AdaptsItsStepToTheSizeOfF) {
    for (const double size : {1e-4, 1e4}) {
        const Eigen::MatrixXd M = size * (rotation + 0.5 * Eigen::Matrix2d::Identity());
        const Eigen::VectorXd solution = Eigen::Vector2d(1.0, -2.0);
        Eigen::VectorXd z = Eigen::Vector2d::Zero();
        TypeParam solver;
        solver.tolerance = 1e-10 * size;
        const SolveReport report = solver.solve(Vi{2, affine(M, -M * solution), stay}, z);
        EXPECT_TRUE(report.converged()) << size;
        EXPECT_LE(report.iterations, 300) << size;
        EXPECT_LE((z - solution).norm(), 1e-9) << size;
    }
}

TYPED_TEST(ViSolverTest, AnExactGuessTakesNoIteration) {
    Eigen::VectorXd z = Eigen::Vector2d(0.6, 0.8);
    const Vi problem{2, affine(Eigen::Matrix2d::Identity(), -Eigen::Vector2d(1.2, 1.6)), project_on_unit_ball};
    EXPECT_EQ(TypeParam{}.solve(problem, z).iterations, 0);
    Eigen::VectorXd none(0);
    EXPECT_TRUE(TypeParam{}.solve(Vi{0, affine(Eigen::MatrixXd(0, 0), none), stay}, none).converged());
}

TYPED_TEST(ViSolverTest, KeepsTheHistoryOfItsResidual) {
    const Vi problem{2, affine(Eigen::Vector2d(1.0, 4.0).asDiagonal(), -Eigen::Vector2d(1.2, 4.0)),
                     project_on_unit_ball};
    const Eigen::VectorXd guess = Eigen::Vector2d(0.1, -0.2);
    expect_one_number_an_iteration(testing::expect_history(TypeParam{}, problem, guess));
    testing::expect_residuals_of_iterates(TypeParam{}, problem, guess);
}

TYPED_TEST(ViSolverTest, AProblemWithoutSolutionIsNotSolved) {  // F = 1 on the line: no zero
    Eigen::VectorXd z = Eigen::VectorXd::Zero(1);
    const SolveReport report =
        TypeParam{.max_iterations = 500}.solve(Vi{1, [](const auto&, Eigen::VectorXd& F) { F[0] = 1.0; }, stay}, z);
    EXPECT_TRUE(report.status == SolveStatus::stalled || report.status == SolveStatus::iteration_limit);
    EXPECT_EQ(report.residual, 1.0);
}

TYPED_TEST(ViSolverTest, TheCallersMistakesHaveTheirMessage) {
    const auto message = [](const Vi& problem, Eigen::VectorXd z, double first_step = 1.0) -> std::string {
        try {
            TypeParam{.first_step = first_step}.solve(problem, z);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "none";
    };
    const std::string name(TypeParam::name);
    const auto identity = [](const Eigen::VectorXd& z, Eigen::VectorXd& F) { F = z; };
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
    EXPECT_EQ(message(Vi{3, {}, stay}, zero), "Vi: F is empty; give a callable");
    EXPECT_EQ(message(Vi{3, identity, {}}, zero), "Vi: project is empty; give a callable");
    EXPECT_EQ(message(Vi{2, identity, stay}, zero), name + ": the guess z has 3 entries but the Vi has 2");
    EXPECT_EQ(message(Vi{3, [](const auto&, Eigen::VectorXd& F) { F.setZero(1); }, stay}, zero),
              "Vi: F returned 1 values, the problem has 3 unknowns");
    EXPECT_EQ(message(Vi{3, identity, [](Eigen::VectorXd& z) { z.setZero(4); }}, zero),
              "Vi: project returned 4 values, the problem has 3 unknowns");
    EXPECT_EQ(message(Vi{3, [](const auto&, Eigen::VectorXd& F) { F[0] = 1.0; }, stay}, zero),
              name + ": F[1] is nan at the guess; start where F is defined");
    EXPECT_EQ(message(Vi{3, identity, stay}, zero, 0.0), name + ": first_step is 0; it must be positive and finite");
}

}  // namespace
}  // namespace saltus
