// The friction and rolling problems of running simulations, by the default solver.
#include <gtest/gtest.h>

#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/one_step_auto.hpp"
#include "saltus/io/problem/problem_file.hpp"
#include "support/friction_law.hpp"

namespace saltus {
namespace {

std::vector<std::filesystem::path> files_of_the_collection() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"friction2d", "friction3d", "rolling"})
        for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SALTUS_TEST_DATA) / folder))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

SolveReport solve(const FrictionProblem& problem, double tolerance) {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    SolveReport report = one_step::Auto{.tolerance = tolerance}.solve(problem, r);
    const double size = std::max({r.norm(), problem.q.norm(), (problem.W * r).norm()});
    if (report.converged()) {
        EXPECT_LE(testing::law_violation(problem, r), 1e-5 * size * std::max(1.0, size));
    }
    return report;
}

SolveReport solve(const GlobalFrictionProblem& problem, double tolerance) {
    Eigen::VectorXd v, r = Eigen::VectorXd::Zero(problem.b.size());
    return solve_global(one_step::Auto{.tolerance = tolerance}, problem, v, r);
}

// Friction problems only: the folders hold no others.
SolveReport solve(const auto&, double) {
    ADD_FAILURE() << "not a friction problem";
    return {};
}

TEST(FrictionCollection, AutoSolvesEveryFile) {
    const auto files = files_of_the_collection();
    ASSERT_EQ(files.size(), 35u);
    for (const auto& file : files) {
        const Problem problem = read_problem(file);
        const SolveReport report = std::visit([](const auto& p) { return solve(p, 1e-8); }, problem);
        EXPECT_TRUE(report.converged()) << file << ": " << report.residual << ' ' << report.message;
    }
}

TEST(FrictionCollection, AutoSolvesNineOfTenFilesToTwelveDigits) {
    const auto files = files_of_the_collection();
    std::size_t solved = 0;
    for (const auto& file : files) {
        const Problem problem = read_problem(file);
        const SolveReport report = std::visit([](const auto& p) { return solve(p, 1e-12); }, problem);
        solved += report.converged() ? 1 : 0;
    }
    EXPECT_GE(10 * solved, 9 * files.size()) << solved;
}

}  // namespace
}  // namespace saltus
