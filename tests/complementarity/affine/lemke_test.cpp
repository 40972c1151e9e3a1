#include "saltus/complementarity/affine/lemke.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/enumeration.hpp"
#include "saltus/complementarity/affine/infeasibility.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

TEST(Lemke, SolvesEveryRandomLcpOfAClassThatItProcesses) {
    for (const MatrixClass kind : testing::all_matrix_classes) {
        if (kind == MatrixClass::arbitrary) continue;
        for (unsigned seed = 0; seed < 200; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 30);
            const Lcp lcp = testing::lcp_with_solution(testing::random_matrix(kind, n, random), random, 0.3);
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            const SolveReport report = Lemke{}.solve(lcp, z);
            EXPECT_TRUE(report.converged()) << "class " << static_cast<int>(kind) << " seed " << seed << " n " << n
                                            << " " << to_string(report.status) << " " << report.residual;
        }
    }
}

TEST(Lemke, SolvesEveryProblemOnABoundedBoxWhateverTheMatrix) {
    for (unsigned seed = 0; seed < 500; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 15);
        const BoxVi relay{random.matrix(n, n), random.vector(n, -3.0, 3.0), Eigen::VectorXd::Constant(n, -1.0),
                          random.vector(n, 0.0, 1.0)};
        Eigen::VectorXd z = random.vector(n);  // any guess
        EXPECT_TRUE(Lemke{}.solve(relay, z).converged()) << "seed " << seed;
    }
}

TEST(Lemke, DoesNotCycleOnIntegerBoxes) {
    const BoxVi degenerate{Eigen::Matrix3d{{-1.0, 3.0, 1.0}, {0.0, 0.0, 0.0}, {6.0, -3.0, 0.0}},
                           Eigen::Vector3d(-3.0, -2.0, -2.0), Eigen::Vector3d(-1.0, -2.0, 0.0),
                           Eigen::Vector3d(1.0, -1.0, 1.0)};
    Eigen::VectorXd start = Eigen::Vector3d::Zero();
    EXPECT_TRUE(Lemke{}.solve(degenerate, start).converged());
    for (unsigned seed = 0; seed < 3000; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 5);
        const auto integers = [&](Index rows, Index columns, Index low, Index high) {
            return Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Index, Index) { return random.integer(low, high); })
                .eval();
        };
        const Eigen::MatrixXd M = integers(n, n, -3, 3);
        const Eigen::VectorXd q = integers(n, 1, -3, 3), lower = integers(n, 1, -2, 0), upper = integers(n, 1, 0, 2);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        EXPECT_TRUE(Lemke{}.solve(BoxVi{M, q, lower, upper}, z).converged()) << "seed " << seed;
    }
}

TEST(Lemke, IsIndifferentToTheUnitsOfEachVariable) {
    for (const Eigen::Vector2d& diagonal : {Eigen::Vector2d(1e6, 1e-6), Eigen::Vector2d(1e-12, 1.0)}) {
        const Lcp lcp{diagonal.asDiagonal().toDenseMatrix(), -Eigen::Vector2d::Ones()};
        Eigen::VectorXd z = Eigen::Vector2d::Zero();
        EXPECT_TRUE(Lemke{}.solve(lcp, z).converged());
        EXPECT_NEAR(z[0] * diagonal[0], 1.0, 1e-12);
        EXPECT_NEAR(z[1] * diagonal[1], 1.0, 1e-12);
    }
}

TEST(Lemke, SolvesMixedProblemsWhoseFreeBlockIsSingular) {
    // z = (x, v_1, v_2), M_FF = 0:  0 = v_1 + v_2 - 1,  0 <= v_1 _|_ 0.1 v_1 - x >= 0,  0 <= v_2 _|_ 0.3 v_2 - x >= 0.
    const Eigen::Matrix3d M{{0.0, 1.0, 1.0}, {-1.0, 0.1, 0.0}, {-1.0, 0.0, 0.3}};
    const Mlcp problem{M, Eigen::Vector3d(-1.0, 0.0, 0.0), {true, false, false}};
    Eigen::VectorXd z = Eigen::Vector3d::Zero();
    ASSERT_TRUE(Lemke{}.solve(problem, z).converged());
    // x = 0.1 v_1 = 0.3 v_2 and v_1 + v_2 = 1.
    EXPECT_NEAR(z[0], 0.075, 1e-14);
    EXPECT_NEAR(z[1], 0.75, 1e-14);
    EXPECT_NEAR(z[2], 0.25, 1e-14);
}

TEST(Lemke, RefusesEqualityRowsThatDependOnEachOther) {
    const Mlcp problem{Eigen::Matrix2d::Zero(), Eigen::Vector2d(1.0, 1.0), {true, true}};
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    EXPECT_EQ(Lemke{}.solve(problem, z).status, SolveStatus::unsuitable_problem);
}

TEST(Lemke, ProvesInfeasibilityOfSemidefiniteProblems) {
    int proven = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 10);
        const Lcp lcp{testing::random_matrix(MatrixClass::semidefinite, n, random), random.vector(n)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Lemke{}.solve(lcp, z);
        ASSERT_TRUE(report.converged() || report.status == SolveStatus::no_solution)
            << "seed " << seed << ": " << to_string(report.status);
        if (report.converged()) continue;
        ++proven;
        const Eigen::VectorXd& v = report.certificate;  // v >= 0, M'v <= 0, q.v < 0
        EXPECT_GE(v.minCoeff(), -1e-10 * v.maxCoeff());
        EXPECT_LE((lcp.M.dense().transpose() * v).maxCoeff(), 1e-9 * v.maxCoeff());
        EXPECT_LT(lcp.q.dot(v), 0.0);
    }
    EXPECT_GT(proven, 20);
}

TEST(Lemke, CallsARayAProofOnlyWhereThereIsNoSolution) {
    int proofs = 0, other_rays = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 6);
        const Lcp lcp{random.matrix(n, n), random.vector(n)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Lemke{}.solve(lcp, z);
        if (report.converged()) continue;
        ASSERT_EQ(report.certificate.size(), n);
        EXPECT_EQ(report.status == SolveStatus::no_solution, proves_infeasibility(lcp, report.certificate));
        if (report.status == SolveStatus::no_solution) {
            ++proofs;
            EXPECT_TRUE(Enumeration{}.solve_all(lcp).empty()) << "seed " << seed;
        } else {
            ++other_rays;
            EXPECT_EQ(report.status, SolveStatus::ray_termination);
        }
    }
    EXPECT_GT(proofs, 0);
    EXPECT_GT(other_rays, 0);
}

TEST(Lemke, DoesNotCycleWhereEveryRatioTies) {
    for (Index n = 2; n <= 40; n += 2) {  // q = -e, M of ones and rank 1: all ratios tie at every pivot
        const Lcp lcp{Eigen::MatrixXd::Ones(n, n), -Eigen::VectorXd::Ones(n)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Lemke{}.solve(lcp, z);
        EXPECT_TRUE(report.converged()) << n;
        EXPECT_LE(report.iterations, n);
        EXPECT_NEAR(z.sum(), 1.0, 1e-12);
    }
}

TEST(Lemke, TakesExponentiallyManyPivotsOnMurtysProblem) {  // Murty 1988, ch. 6: 2^n - 1 with this q
    const Index n = 6;
    Eigen::MatrixXd M = Eigen::MatrixXd::Constant(n, n, 2.0).triangularView<Eigen::StrictlyUpper>();
    M += Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd q(n);
    q << -126, -124, -120, -112, -96, -64;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    const SolveReport report = Lemke{}.solve(Lcp{M, q}, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 62);  // after the first, which enters t
}

TEST(Lemke, NeedsNoPivotFromTheRightActiveSet) {
    Random random(11);
    const Index n = 40;
    Lcp lcp = testing::lcp_with_solution(testing::random_matrix(MatrixClass::positive_definite, n, random), random);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    ASSERT_TRUE(Lemke{}.solve(lcp, z).converged());
    lcp.q += 1e-5 * random.vector(n);
    const SolveReport report = Lemke{}.solve(lcp, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
}

TEST(Lemke, SaysSoWhenItsPivotsRunOut) {
    Random random(12);
    const Index n = 30;
    const Lcp lcp{testing::random_matrix(MatrixClass::positive_definite, n, random), -random.vector(n, 0.1, 1.0)};
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    const SolveReport report = Lemke{.max_iterations = 3}.solve(lcp, z);
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_GT(report.residual, 1e-10);
}

TEST(Lemke, KeepsItsAccuracyOverHundredsOfPivots) {
    Random random(13);
    const Index n = 300;
    const Lcp lcp =
        testing::lcp_with_solution(testing::random_matrix(MatrixClass::positive_definite, n, random), random);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    const SolveReport report = Lemke{.tolerance = 1e-12}.solve(lcp, z);
    EXPECT_TRUE(report.converged()) << report.residual;
    EXPECT_GT(report.iterations, 100);
}

}  // namespace
}  // namespace saltus
