#include "saltus/complementarity/one_step/proximal_point.hpp"

#include <gtest/gtest.h>

#include "support/random_one_step.hpp"

namespace saltus::one_step {
namespace {

using testing::random_contacts;
using testing::random_mixture;

TEST(ProximalPoint, SolvesHyperstaticProblems) {  // 12 contacts of a body with 6 degrees of freedom
    for (const int dimension : {2, 3, 5}) {
        for (unsigned seed = 0; seed < 30; ++seed) {
            const FrictionProblem problem = random_contacts(seed, 12, dimension, 6, 0.3);
            Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
            const SolveReport report = ProximalPoint{.tolerance = 1e-12}.solve(problem, r);
            EXPECT_TRUE(report.converged()) << "dimension " << dimension << " seed " << seed << ' ' << report.residual;
        }
    }
}

TEST(ProximalPoint, SolvesAMixtureOfLaws) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const OneStepProblem problem = random_mixture(seed, 40);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        EXPECT_TRUE((ProximalPoint{.tolerance = 1e-12}.solve(problem, r).converged())) << "seed " << seed;
    }
}

// The law itself at the solution, contact by contact, written again: the proximal term has vanished.
TEST(ProximalPoint, LeavesNoTraceOfTheProximalTerm) {
    const FrictionProblem problem = random_contacts(7, 12, 3, 6, 0.5);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    ASSERT_TRUE((ProximalPoint{.tolerance = 1e-13}.solve(problem, r).converged()));
    const Eigen::VectorXd u = problem.W * r + problem.q;
    int closed = 0;
    for (Index i = 0; i < problem.contacts(); ++i) {
        const Eigen::Vector3d r_i = r.segment<3>(3 * i), u_i = u.segment<3>(3 * i);
        EXPECT_GE(r_i[0], -1e-10);
        EXPECT_GE(u_i[0], -1e-10);
        EXPECT_NEAR(r_i[0] * u_i[0], 0.0, 1e-10);
        const Eigen::Vector2d r_T = r_i.tail<2>(), u_T = u_i.tail<2>();
        EXPECT_LE(r_T.norm(), problem.mu[i] * r_i[0] + 1e-10);
        EXPECT_NEAR(r_T.dot(u_T), -problem.mu[i] * r_i[0] * u_T.norm(), 1e-10);  // greatest dissipation
        closed += r_i[0] > 1e-6;
    }
    EXPECT_GT(closed, 0);
}

TEST(ProximalPoint, TakesNoIterationFromTheSolution) {
    const FrictionProblem problem = random_contacts(3, 12, 3, 6, 0.3);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    ASSERT_TRUE((ProximalPoint{.tolerance = 1e-12}.solve(problem, r).converged()));
    const Eigen::VectorXd solution = r;
    EXPECT_EQ(ProximalPoint{}.solve(problem, r).iterations, 0);
    EXPECT_EQ(r, solution);
}

TEST(ProximalPoint, RefusesOptionsThatMakeNoSense) {
    const FrictionProblem problem = random_contacts(1, 2, 3, 6, 0.3);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
    EXPECT_THROW((ProximalPoint{.alpha = 0.0}.solve(problem, r)), InvalidInput);
    EXPECT_THROW((ProximalPoint{.decrease = 2.0}.solve(problem, r)), InvalidInput);
    EXPECT_THROW((ProximalPoint{.accuracy = 1.0}.solve(problem, r)), InvalidInput);
    EXPECT_THROW((ProximalPoint{.newton_iterations = 0}.solve(problem, r)), InvalidInput);
}

}  // namespace
}  // namespace saltus::one_step
