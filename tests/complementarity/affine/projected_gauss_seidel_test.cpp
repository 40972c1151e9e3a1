#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/core/check.hpp"
#include "support/allocations.hpp"
#include "support/obstacle.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::HemisphereObstacle;
using testing::MatrixClass;
using testing::Random;

TEST(ProjectedGaussSeidel, SolvesSymmetricPositiveDefiniteForEveryRelaxation) {
    for (const double relaxation : {0.3, 1.0, 1.7})
        for (const bool symmetric : {false, true})
            for (const Index n : {1, 2, 10, 30}) {
                Random random(static_cast<unsigned>(n));
                const Eigen::MatrixXd M = random_matrix(MatrixClass::symmetric_positive_definite, n, random) +
                                          Eigen::MatrixXd::Identity(n, n);
                const BoxVi box = testing::random_box(M, random);
                const ProjectedGaussSeidel solver{
                    .max_iterations = 100000, .relaxation = relaxation, .symmetric = symmetric};
                Eigen::VectorXd dense = Eigen::VectorXd::Zero(n), sparse = dense;
                EXPECT_TRUE(solver.solve(box, dense).converged()) << n << " " << relaxation;
                const BoxVi sparse_box{Matrix(M).to_sparse(), box.q, box.lower, box.upper};
                EXPECT_TRUE(solver.solve(sparse_box, sparse).converged());
                // |z - z*| <= (1 + |M|) / c |natural residual|, c = 1 the modulus of M: Facchinei, Pang 2003,
                // th. 2.3.3.
                const double scale = std::max(1.0, box.q.lpNorm<Eigen::Infinity>()) * std::sqrt(n);
                EXPECT_LE((dense - sparse).norm(), 2.0 * (1.0 + M.norm()) * solver.tolerance * scale);
            }
}

// f(z) = z.Mz/2 + q.z falls in every sweep: Cottle, Pang, Stone 1992, theorem 5.3.4.
TEST(ProjectedGaussSeidel, EverySweepLowersTheEnergy) {
    for (unsigned seed = 0; seed < 100; ++seed)
        for (const bool symmetric : {false, true}) {
            Random random(seed);
            const Index n = random.integer(2, 20);
            const Eigen::MatrixXd M = random_matrix(MatrixClass::symmetric_positive_definite, n, random);
            const Lcp lcp{M, random.vector(n)};
            const auto energy = [&](const Eigen::VectorXd& z) { return 0.5 * z.dot(M * z) + lcp.q.dot(z); };
            const ProjectedGaussSeidel solver{
                .tolerance = 1e-6, .max_iterations = 1, .relaxation = 1.6, .symmetric = symmetric};
            Eigen::VectorXd z = random.vector(n, 0.0, 1.0);
            for (int sweep = 0; sweep < 30; ++sweep) {
                const double before = energy(z);
                if (solver.solve(lcp, z).iterations == 0) break;  // solved: no sweep was needed
                EXPECT_LT(energy(z), before) << "seed " << seed;
            }
        }
}

TEST(ProjectedGaussSeidel, ConvergesForDiagonallyDominantUnsymmetric) {
    Random random(12);
    Eigen::MatrixXd M = random.matrix(15, 15);
    M.diagonal().setConstant(16.0);
    const Lcp lcp = lcp_with_solution(M, random);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(15);
    EXPECT_TRUE(ProjectedGaussSeidel{}.solve(lcp, z).converged());
}

TEST(ProjectedGaussSeidel, OverRelaxationSavesMostSweepsOnAGrid) {
    const HemisphereObstacle membrane{.side = 50};
    const BoxVi problem = membrane.problem();
    const auto sweeps = [&](const ProjectedGaussSeidel& solver) {
        Eigen::VectorXd z = problem.lower;
        const SolveReport report = solver.solve(problem, z);
        EXPECT_TRUE(report.converged());
        return report.iterations;
    };
    const double optimal = 2.0 / (1.0 + std::sin(std::numbers::pi / 51.0));  // Young's, for the Laplacian itself
    const int plain = sweeps({.tolerance = 1e-8});
    EXPECT_GT(plain, 5 * sweeps({.tolerance = 1e-8, .relaxation = optimal}));
    // A symmetric iteration is two passes and a product: the line search pays.
    EXPECT_GT(plain, 3 * sweeps({.tolerance = 1e-8, .symmetric = true}));
}

TEST(ProjectedGaussSeidel, SweepsDoNotAllocate) {
    Random random(13);
    const Eigen::MatrixXd M = random_matrix(MatrixClass::symmetric_positive_definite, 40, random);
    const Lcp dense{M, random.vector(40)}, sparse{Matrix(M).to_sparse(), dense.q};
    for (const bool symmetric : {false, true}) {
        const auto allocations_of = [&](const Lcp& lcp, int sweeps) {
            return testing::allocations_in([&] {
                Eigen::VectorXd z = Eigen::VectorXd::Zero(40);
                ProjectedGaussSeidel{.tolerance = 1e-300, .max_iterations = sweeps, .symmetric = symmetric}.solve(lcp,
                                                                                                                  z);
            });
        };
        EXPECT_EQ(allocations_of(dense, 2), allocations_of(dense, 12));
        EXPECT_EQ(allocations_of(sparse, 2), allocations_of(sparse, 12));
        EXPECT_GT(allocations_of(dense, 2), 0);  // the counter counts
    }
}

TEST(ProjectedGaussSeidel, ExactGuessTakesNoIteration) {
    const Lcp lcp{Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-3.0, 0.0)};
    Eigen::VectorXd z = Eigen::Vector2d(1.5, 0.0);
    const SolveReport report = ProjectedGaussSeidel{}.solve(lcp, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
}

TEST(ProjectedGaussSeidel, SaysWhyAProblemIsUnsuitable) {
    const auto report_of = [](const auto& problem, const ProjectedGaussSeidel& solver = {}) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
        return solver.solve(problem, z);
    };
    const Lcp negative{Eigen::MatrixXd::Constant(1, 1, -1.0), Eigen::VectorXd::Constant(1, -1.0)};
    EXPECT_EQ(report_of(negative).status, SolveStatus::unsuitable_problem);
    EXPECT_NE(report_of(negative).message.find("M(0, 0) is -1"), std::string::npos);

    const Mlcp saddle{Eigen::Matrix2d{{1.0, -1.0}, {1.0, 0.0}}, Eigen::Vector2d(0.0, -1.0), {false, true}};
    EXPECT_EQ(report_of(saddle).status, SolveStatus::unsuitable_problem);
    EXPECT_NE(report_of(saddle).message.find("free"), std::string::npos);

    const Lcp skew{Eigen::Matrix2d{{1.0, 2.0}, {-2.0, 1.0}}, Eigen::Vector2d(-1.0, -1.0)};
    EXPECT_EQ(report_of(skew, {.symmetric = true}).status, SolveStatus::unsuitable_problem);
    EXPECT_THROW(report_of(skew, {.relaxation = 2.0}), InvalidInput);
    EXPECT_THROW(report_of(skew, {.relaxation = 0.0}), InvalidInput);
}

TEST(ProjectedGaussSeidel, DivergenceAndLimitsAreOutcomes) {
    // Positive definite, but the sweep amplifies by (M_12 / M_11)^2 = 9 in the interior.
    const Lcp skew{Eigen::Matrix2d{{1.0, -3.0}, {3.0, 1.0}}, Eigen::Vector2d(5.0, -25.0)};
    Mlcp free{skew.M, skew.q, {true, true}};
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    SolveReport report = ProjectedGaussSeidel{}.solve(free, z);
    EXPECT_EQ(report.status, SolveStatus::unsuitable_problem);  // a symmetric positive definite M never makes it so
    EXPECT_NE(report.message.find("diverge"), std::string::npos);
    EXPECT_TRUE(z.allFinite());

    z.setZero();
    report = ProjectedGaussSeidel{.max_iterations = 3}.solve(free, z);
    EXPECT_EQ(report.status, SolveStatus::iteration_limit);
    EXPECT_EQ(report.iterations, 3);
}

TEST(ProjectedGaussSeidel, NothingToSolve) {
    Eigen::VectorXd z(0);
    EXPECT_TRUE(ProjectedGaussSeidel{}.solve(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}, z).converged());
}

}  // namespace
}  // namespace saltus
