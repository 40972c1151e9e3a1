#include "saltus/complementarity/affine/affine_box.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"
#include "saltus/core/check.hpp"

namespace saltus {
namespace {

TEST(AffineBox, ResidualOfAnLcpIsTheMinimumOfZAndW) {
    const Lcp lcp{Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-5.0, -6.0)};
    EXPECT_NEAR(residual(lcp, Eigen::Vector2d(4.0 / 3.0, 7.0 / 3.0)), 0.0, 1e-15);
    EXPECT_DOUBLE_EQ(residual(lcp, Eigen::Vector2d::Zero()), 1.0);  // |(-5, -6)|_inf / 6
}

TEST(AffineBox, ARunToInfinityIsNoSolution) {  // w = -1 everywhere, but 1e17 - (1e17 + 1) rounds to 0
    const Lcp lcp{Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Constant(1, -1.0)};
    EXPECT_EQ(residual(lcp, Eigen::VectorXd::Constant(1, 1e17)), 1.0);
}

TEST(AffineBox, ResidualSeesTheSlackOfALargeVariable) {  // z - (z - w) would lose w
    const Eigen::VectorXd large = Eigen::VectorXd::Constant(1, 1e17);
    const BoxVi box{Eigen::MatrixXd::Constant(1, 1, 1e-17), Eigen::VectorXd::Constant(1, -2.0), large,
                    Eigen::VectorXd::Constant(1, std::numeric_limits<double>::infinity())};
    EXPECT_DOUBLE_EQ(residual(box, large), 0.5);  // w = -1 at the lower bound, |q| = 2
}

TEST(AffineBox, RoundingIsNoEvidenceOfASolution) {  // w = (1, 1) exactly; in double precision M z + q is arbitrary
    const Lcp lcp{Eigen::Matrix2d{{1.0, -1.0}, {-1.0, 1.0}}, Eigen::Vector2d(1.0, 1.0)};
    const Eigen::VectorXd z = Eigen::Vector2d(1e20, 1e20);
    EXPECT_GT(certified_residual(lcp, z, 1e-10), 1e-10);
    EXPECT_FALSE(conclude(lcp, z, 1e-10, {.status = SolveStatus::converged}).converged());
}

TEST(AffineBox, LargeEntriesBesideACertainSlackAreNoObstacle) {
    const Lcp lcp{Eigen::Matrix2d{{1.0, 0.0}, {1e11, 1.0}}, Eigen::Vector2d(-1.0, 0.0)};
    EXPECT_TRUE(is_solution(lcp, Eigen::Vector2d(1.0, 0.0), 1e-10));
}

TEST(ProjectedGaussSeidel, SolvesTwoByTwo) {
    const Lcp lcp{Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-5.0, -6.0)};
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    const SolveReport report = ProjectedGaussSeidel{}.solve(lcp, z);
    EXPECT_TRUE(report.converged());
    EXPECT_NEAR(z[0], 4.0 / 3.0, 1e-9);
}

}  // namespace
}  // namespace saltus
