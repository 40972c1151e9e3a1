#include "saltus/complementarity/affine/enumeration.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/principal_pivoting.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

Lcp lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) { return {M, q}; }

TEST(Enumeration, FindsTheSegmentOfSolutionsAtItsEnds) {  // Cottle, Pang, Stone: z_1 + z_2 = 1
    const auto all = Enumeration{}.solve_all(lcp(Eigen::Matrix2d::Ones(), Eigen::Vector2d(-1.0, -1.0)));
    ASSERT_GE(all.size(), 2u);
    for (const auto& z : all) EXPECT_NEAR(z.sum(), 1.0, 1e-12);
}

TEST(Enumeration, FindsASolutionThatOnlySingularPlacementsHave) {
    // w = (z_2 - 1, 1 - z_2, ...): only z_2 = 1 works, and column 2 of M_AA is zero in every placement with z_2 basic.
    const Eigen::Matrix3d M{{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    Eigen::VectorXd z = Eigen::Vector3d::Zero();
    const SolveReport report = Enumeration{}.solve(lcp(M, Eigen::Vector3d(-1.0, 0.0, 1.0)), z);
    EXPECT_TRUE(report.converged());
    EXPECT_NEAR(z[1], 1.0, 1e-12);
}

TEST(Enumeration, DecidesSingularBlocksOfFreeVariables) {
    const auto mlcp = [](const Eigen::MatrixXd& M, const Eigen::VectorXd& q, std::vector<bool> free) {
        return Mlcp{M, q, std::move(free)};
    };
    const Mlcp solvable[] = {
        mlcp(Eigen::Matrix2d{{3.0, -3.0}, {3.0, -3.0}}, Eigen::Vector2d(-6.0, -6.0), {true, true}),
        mlcp(Eigen::Matrix2d{{0.0, 3.0}, {0.0, 0.0}}, Eigen::Vector2d(-3.0, 0.0), {true, false}),
        mlcp(Eigen::Matrix2d{{0.0, 1.0}, {0.0, 0.0}}, Eigen::Vector2d(-1.0, 0.0), {true, true}),
        mlcp(Eigen::Matrix2d::Ones(), Eigen::Vector2d(-1.0, -1.0), {true, true}),
    };
    for (const Mlcp& problem : solvable) {
        EXPECT_FALSE(Enumeration{}.solve_all(problem).empty());
        Eigen::VectorXd z = Eigen::Vector2d::Zero();
        EXPECT_TRUE(Enumeration{}.solve(problem, z).converged());
    }
    Eigen::VectorXd z = Eigen::Vector2d::Zero();  // z_1 + z_2 = 1 and = 2
    const Mlcp contradictory = mlcp(Eigen::Matrix2d::Ones(), Eigen::Vector2d(-1.0, -2.0), {true, true});
    EXPECT_EQ(Enumeration{}.solve(contradictory, z).status, SolveStatus::no_solution);
}

TEST(Enumeration, ProvesThatThereIsNone) {
    const Eigen::Matrix3d M{{0.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}};
    Eigen::VectorXd z = Eigen::Vector3d::Zero();
    const SolveReport report = Enumeration{}.solve(lcp(M, Eigen::Vector3d(-1e-4, -1.0, 1.0)), z);
    EXPECT_EQ(report.status, SolveStatus::no_solution);
}

TEST(Enumeration, CountsOneSolutionForPMatricesAndAgreesWithPivoting) {
    using Rule = PrincipalPivoting::Rule;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 7);
        const MatrixClass kind = random.coin() ? MatrixClass::p_matrix : MatrixClass::positive_definite;
        const Lcp problem{testing::random_matrix(kind, n, random), random.vector(n)};
        const auto all = Enumeration{}.solve_all(problem);
        ASSERT_EQ(all.size(), 1u) << "seed " << seed;
        for (const Rule rule : {Rule::block, Rule::least_index, Rule::most_violated}) {
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            const SolveReport report = PrincipalPivoting{.rule = rule}.solve(problem, z);
            if (rule == Rule::most_violated && !report.converged()) continue;  // Bard's rule may cycle
            EXPECT_TRUE(report.converged()) << "seed " << seed << " rule " << static_cast<int>(rule);
            EXPECT_NEAR((z - all[0]).lpNorm<Eigen::Infinity>(), 0.0, 1e-8);
        }
    }
}

}  // namespace
}  // namespace saltus
