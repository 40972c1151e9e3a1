// Every affine problem of tests/data, through the file reader and every solver.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus {
namespace {

const std::set<std::string> unsolvable = {"lcp_Pang_isolated_sol_perturbed.dat"};

std::vector<std::filesystem::path> collection() {
    std::vector<std::filesystem::path> files;
    for (const std::string folder : {"lcp", "mlcp", "relay"})
        for (const auto& entry : std::filesystem::directory_iterator(SALTUS_TEST_DATA "/" + folder))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

AffineBox affine_view(const Problem& problem) {
    return std::visit(
        [](const auto& p) -> AffineBox {
            if constexpr (requires { AffineBox(p); }) return AffineBox(p);
            throw InvalidInput("not an affine problem");
        },
        problem);
}

SolveReport solve(const AffineSolverChoice& choice, const Problem& problem, Eigen::VectorXd& z) {
    const AffineBox box = affine_view(problem);
    z = Eigen::VectorXd::Zero(box.size());
    return std::visit([&](const auto& solver) { return solver.solve(box, z); }, choice);
}

// (4) of docs/theory.md, from the definition.
double judge(const Problem& problem, const Eigen::VectorXd& z) {
    const AffineBox box = affine_view(problem);
    const Eigen::VectorXd w = box.M.to_dense() * z + box.q;
    double worst = 0.0;
    for (Index i = 0; i < z.size(); ++i)
        worst = std::max(worst, std::abs(std::max(std::min(z[i] - box.lower(i), w[i]), z[i] - box.upper(i))));
    return worst / std::max(1.0, box.q.lpNorm<Eigen::Infinity>());
}

TEST(Collection, IsThere) { EXPECT_EQ(collection().size(), 28u); }

TEST(Collection, EveryFileIsSolvedByAutoOrRightlyReportedUnsolvable) {
    for (const auto& file : collection()) {
        const Problem problem = read_problem(file);
        Eigen::VectorXd z;
        const SolveReport report = solve(Auto{.tolerance = 1e-10}, problem, z);
        if (unsolvable.contains(file.filename())) {
            EXPECT_EQ(report.status, SolveStatus::no_solution) << file;
        } else {
            EXPECT_TRUE(report.converged()) << file << ": " << report.message;
            EXPECT_LE(judge(problem, z), 1e-10) << file;
        }
    }
}

TEST(Collection, NoSolverClaimsASolutionThatIsNone) {
    for (const auto& file : collection())
        for (const SolverInfo& info : affine_solvers()) {
            const Problem problem = read_problem(file);
            Eigen::VectorXd z;
            AffineSolverChoice choice = affine_solver(info.name);
            std::visit([](auto& solver) { solver.max_iterations = std::min(solver.max_iterations, 5000); }, choice);
            const SolveReport report = solve(choice, problem, z);
            const bool has_none = unsolvable.contains(file.filename());
            if (report.converged()) {
                EXPECT_LE(judge(problem, z), 1e-9) << file << " " << info.name;
            }
            EXPECT_FALSE(report.converged() && has_none) << info.name;
            EXPECT_FALSE(report.status == SolveStatus::no_solution && !has_none) << file << " " << info.name;
        }
}

}  // namespace
}  // namespace saltus
