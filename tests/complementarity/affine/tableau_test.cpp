#include "saltus/complementarity/affine/tableau.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/principal_pivoting.hpp"
#include "support/allocations.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

TEST(Tableau, SolvesEveryPMatrixProblemUpToItsCapacity) {
    for (const MatrixClass kind : {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite,
                                   MatrixClass::p_matrix, MatrixClass::m_matrix})
        for (unsigned seed = 0; seed < 100; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, tableau_capacity);
            const Lcp lcp = testing::lcp_with_solution(testing::random_matrix(kind, n, random), random);
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            EXPECT_GE(solve_on_tableau(lcp.M.dense(), lcp.q, z), 0) << "class " << int(kind) << " seed " << seed;
            EXPECT_LE(residual(lcp, z), 1e-10) << "class " << int(kind) << " seed " << seed;
        }
}

// Exchanging every wrong index at once cycles here from {0} to {1} to {2} (Ben Gharbia, Gilbert 2012): only the guard,
// which then exchanges one at a time, finds z = 0.
TEST(Tableau, BlockExchangesThatCycleAreBroken) {
    const Eigen::Matrix3d M{{1.0, 0.0, 2.0}, {2.0, 1.0, 0.0}, {0.0, 2.0, 1.0}};
    Eigen::VectorXd z = Eigen::Vector3d(1.0, 0.0, 0.0), other = z;
    EXPECT_GE(solve_on_tableau(M, Eigen::Vector3d::Ones(), z), 0);
    EXPECT_EQ(z, Eigen::Vector3d::Zero());
    EXPECT_TRUE(PrincipalPivoting{}.solve(Lcp{M, Eigen::Vector3d::Ones()}, other).converged());
    EXPECT_EQ(other, Eigen::Vector3d::Zero());
}

TEST(Tableau, LeavesWhatIsNoPMatrix) {
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    EXPECT_EQ(solve_on_tableau(-Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1.0, -1.0), z), -1);
    EXPECT_EQ(z, Eigen::Vector2d::Zero());
}

TEST(Tableau, AutoAllocatesNothingForSmallProblems) {
    Random random(1);
    const Lcp lcp{testing::random_matrix(MatrixClass::positive_definite, 8, random), random.vector(8)};
    Eigen::VectorXd z = Eigen::VectorXd::Zero(8);
    SolveReport report;
    EXPECT_EQ(testing::allocations_in([&] { report = Auto{}.solve(lcp, z); }), 0);
    EXPECT_EQ(report.solver, "tableau-pivoting");
}

}  // namespace
}  // namespace saltus
