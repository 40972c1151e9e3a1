#include "saltus/complementarity/one_step/clustered_nsgs.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/one_step/clusters.hpp"
#include "saltus/complementarity/one_step/nsgs.hpp"
#include "support/friction_law.hpp"
#include "support/same_bits.hpp"
#include "support/sanitized.hpp"
#include "support/sphere_packing.hpp"

namespace saltus::testing {
namespace {

using one_step::ClusteredNsgs;
using one_step::Clusters;
using one_step::Nsgs;

// Sweeps cycle in it: what follows tests the clusters.
FrictionProblem assembly_with_cycles() {
    return scattered_sphere_problem({.spheres = 400, .friction = 1.0, .seed = 2, .agitation = 0.1});
}

TEST(ClusteredNsgs, SolvesWhereSweepsCycle) {
    SALTUS_SKIP_IF_SANITIZED();
    const FrictionProblem problem = assembly_with_cycles();
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    EXPECT_FALSE(Nsgs{.max_iterations = 5000}.solve(problem, r).converged());
    r.setZero();
    const SolveReport report = ClusteredNsgs{.tolerance = 1e-10}.solve(problem, r);
    ASSERT_TRUE(report.converged()) << report.message;
    EXPECT_LE(residual(problem, r), 1e-10);
    EXPECT_LE(law_violation(problem, r), 1e-7);
}

// A cluster of all blocks is the whole problem.
TEST(ClusteredNsgs, ASweepOverOneClusterSolvesTheProblem) {
    const FrictionProblem problem = sphere_packing(20, 0.3);
    const OneStepView view(problem);
    Clusters clusters(view);
    EXPECT_EQ(clusters.largest(), 0);
    for (int k = 0; k < 20 && clusters.largest() < view.blocks(); ++k)
        clusters.grow(Eigen::VectorXd::Ones(view.blocks()), 0.999);
    ASSERT_EQ(clusters.largest(), view.blocks());
    Eigen::VectorXd r = Eigen::VectorXd::Zero(view.size());
    clusters.sweep(r, 1e-10);
    EXPECT_LE(residual(problem, r), 1e-10);
}

// At a solution a sweep moves nothing, whatever the clusters: the loads of the parts on each other are complete.
TEST(ClusteredNsgs, SolutionsAreFixedPointsForAnyClusters) {
    const FrictionProblem problem = sphere_packing(60, 0.1);
    const OneStepView view(problem);
    Eigen::VectorXd solution = Eigen::VectorXd::Zero(view.size());
    ASSERT_TRUE((Nsgs{.tolerance = 1e-13}.solve(view, solution).converged()));
    Random random(3);
    Clusters clusters(view);
    for (int k = 0; k < 4; ++k) {
        clusters.grow(random.vector(view.blocks(), 0.0, 1.0), 0.02);
        Eigen::VectorXd r = solution;
        clusters.sweep(r, 1e-12);
        EXPECT_LE((r - solution).norm(), 1e-8 * solution.norm()) << clusters.largest() << " blocks";
    }
}

TEST(ClusteredNsgs, SaysWhenAClusterIsTooLarge) {
    const FrictionProblem problem = assembly_with_cycles();
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    const SolveReport report = ClusteredNsgs{.largest_cluster = 1}.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::stalled);
    EXPECT_NE(report.message.find("use interior-point"), std::string::npos) << report.message;
}

// Spheres that fly apart: r = 0, from a guess far away and with a period too short for any progress.
TEST(ClusteredNsgs, FindsThatNothingTouches) {
    FrictionProblem problem = sphere_packing(60, 0.5);
    problem.q = Eigen::VectorXd::Zero(problem.q.size());
    for (Index i = 0; i < problem.contacts(); ++i) problem.q[3 * i] = 1.0;
    Eigen::VectorXd r = Eigen::VectorXd::Ones(problem.q.size());
    const SolveReport report = ClusteredNsgs{.period = 2, .progress = 1e-9, .largest_cluster = 1000}.solve(problem, r);
    ASSERT_TRUE(report.converged()) << report.message;
    EXPECT_EQ(r.norm(), 0.0);
}

TEST(ClusteredNsgs, SameBitsAgain) {
    const FrictionProblem problem = assembly_with_cycles();
    Eigen::VectorXd first = Eigen::VectorXd::Zero(problem.q.size()), second = first;
    ClusteredNsgs{}.solve(problem, first);
    ClusteredNsgs{}.solve(problem, second);
    EXPECT_TRUE(same_values(first, second));
}

TEST(ClusteredNsgs, RefusesOptions) {
    const FrictionProblem problem = sphere_packing(5, 0.3);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    EXPECT_THROW(ClusteredNsgs{.period = 1}.solve(problem, r), InvalidInput);
    EXPECT_THROW(ClusteredNsgs{.share = 0.0}.solve(problem, r), InvalidInput);
    EXPECT_THROW(ClusteredNsgs{.progress = 1.0}.solve(problem, r), InvalidInput);
}

}  // namespace
}  // namespace saltus::testing
