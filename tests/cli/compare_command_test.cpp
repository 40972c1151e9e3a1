#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "cli/limited_run.hpp"
#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Outcome;
using testing::run_saltus;
using testing::TemporaryFile;

const std::string data = SALTUS_TEST_DATA;
const std::string one_contact = data + "/friction3d/FrictionContact3D_1c.dat";

// A folder of its own for each object, removed with its contents.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(file_.path().string() + "_folder") { std::filesystem::create_directory(path_); }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    const std::filesystem::path& path() const { return path_; }

private:
    TemporaryFile file_;
    std::filesystem::path path_;
};

nlohmann::json compare_json(const std::string& arguments, int exit_code) {
    const Outcome outcome = run_saltus("solve --compare --json " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.errors;
    return nlohmann::json::parse(outcome.output)["comparisons"];
}

TEST(CompareCommand, RunsEverySolverOfTheFamilyOnEveryProblem) {
    const auto json = compare_json(data + "/relay " + one_contact, 0);
    ASSERT_EQ(json.size(), 2u);
    const auto &affine = json[0], &friction = json[1];
    EXPECT_EQ(affine["family"], "affine");
    EXPECT_EQ(affine["problems"].size(), 4u);
    EXPECT_EQ(friction["family"], "friction");
    EXPECT_EQ(friction["problems"][0]["contacts"], 1);
    EXPECT_EQ(friction["tolerance"], 1e-8);
    for (const auto& [family, solvers] :
         {std::pair(affine, affine_solvers()), std::pair(friction, one_step::solvers())})
        for (const auto& problem : family["problems"]) {
            ASSERT_EQ(problem["runs"].size(), solvers.size());
            for (std::size_t s = 0; s < solvers.size(); ++s) EXPECT_EQ(problem["runs"][s]["solver"], solvers[s].name);
        }
    for (const auto& run : friction["problems"][0]["runs"]) {
        if (run["status"] != "converged") continue;
        EXPECT_GT(run["seconds"].get<double>(), 0.0);
        EXPECT_LE(run["residual"].get<double>(), 1e-8);
    }
}

// Solvers of global problems are compared where all problems of friction are global.
TEST(CompareCommand, GlobalProblemsHaveSolversOfTheirOwn) {
    const std::string global = data + "/friction3d/GFC3D_Example1.dat";
    const auto has_admm = [](const nlohmann::json& comparison) {
        return std::ranges::count(comparison["solvers"], "global-admm") == 1;
    };
    const auto alone = compare_json(global, 0);
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0]["family"], "global-friction");
    EXPECT_TRUE(has_admm(alone[0]));
    EXPECT_EQ(alone[0]["problems"][0]["runs"].back()["status"], "converged");
    const auto together = compare_json(global + " " + one_contact, 0);
    ASSERT_EQ(together.size(), 1u);
    EXPECT_EQ(together[0]["family"], "friction");
    EXPECT_EQ(together[0]["problems"].size(), 2u);
    EXPECT_FALSE(has_admm(together[0]));
}

TEST(CompareCommand, FoldersAreSearchedThroughAndSorted) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "b/c");
    for (const std::string name : {"z.dat", "b/c/y.dat", "b/x.dat"})
        std::filesystem::copy_file(one_contact, folder.path() / name);
    std::ofstream(folder.path() / "remarks.txt") << "no problem";
    std::vector<std::string> files;
    const auto comparisons = compare_json(folder.path().string(), 0);
    for (const auto& problem : comparisons[0]["problems"]) files.push_back(problem["file"]);
    const std::string root = folder.path().string();
    EXPECT_EQ(files, (std::vector<std::string>{root + "/b/c/y.dat", root + "/b/x.dat", root + "/z.dat"}));
}

// The profile is recomputed here from the times.
TEST(CompareCommand, ProfileIsThatOfTheTimes) {
    const auto affine = compare_json(data + "/mlcp", 0)[0];
    const auto& problems = affine["problems"];
    for (std::size_t s = 0; s < affine["solvers"].size(); ++s) {
        const auto& profile = affine["profile"][s];
        EXPECT_EQ(profile["solver"], affine["solvers"][s]);
        for (const auto& point : profile["shares"]) {
            double within = 0.0;
            for (const auto& problem : problems) {
                double best = 1e300;
                for (const auto& run : problem["runs"])
                    if (run["status"] == "converged") best = std::min(best, run["seconds"].get<double>());
                const auto& run = problem["runs"][s];
                if (run["status"] == "converged" && run["seconds"].get<double>() / best <= point["tau"].get<double>())
                    within += 1.0;
            }
            EXPECT_EQ(point["share"].get<double>(), within / static_cast<double>(problems.size()));
        }
    }
}

TEST(CompareCommand, PrintsATableAndDrawsThePicture) {
    const TemporaryFile picture;
    const Outcome outcome = run_saltus("solve --compare --tolerance 1e-6 --profile " + picture.path().string() + " " +
                                       data + "/relay/relay_2x2.dat");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    for (const auto& solver : affine_solvers()) {
        EXPECT_NE(outcome.output.find(solver.name), std::string::npos);
        EXPECT_NE(contents(picture.path()).find(solver.name), std::string::npos);
    }
    EXPECT_NE(outcome.output.find("relay_2x2.dat"), std::string::npos);
    EXPECT_NE(outcome.output.find(" *"), std::string::npos);
    EXPECT_NE(contents(picture.path()).find("profile of 1 affine problems, tolerance 1e-06"), std::string::npos);
}

TEST(CompareCommand, ProblemsThatNobodySolvesSayOne) {
    const auto affine = compare_json(data + "/lcp/lcp_Pang_isolated_sol_perturbed.dat", 1)[0];
    for (const auto& profile : affine["profile"]) EXPECT_EQ(profile["solved"], 0.0);
    EXPECT_EQ(affine["problems"][0]["runs"][0]["status"], "no-solution");
}

TEST(CompareCommand, FilesThatCannotBeReadAreLeftOutAndSayTwo) {
    const TemporaryFile broken("3 1 0 3 3 nonsense");
    const Outcome outcome = run_saltus("solve --compare --json " + broken.path().string() + " " + one_contact);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.errors.find(broken.path().string() + ":1: "), std::string::npos) << outcome.errors;
    EXPECT_EQ(nlohmann::json::parse(outcome.output)["comparisons"][0]["problems"].size(), 1u);
}

TEST(CompareCommand, RefusesArgumentsThatMakeNoSense) {
    const TemporaryFolder empty;
    for (const std::string& arguments :
         {"--compare " + empty.path().string(), "--compare --solver pgs " + one_contact,
          "--compare --time-limit 0 " + one_contact, "--compare --time-limit nan " + one_contact,
          "--time-limit 1 " + one_contact, "--profile a.svg " + one_contact,
          "--compare --profile /nonexistent/a.svg " + one_contact, "--compare --tolerance -1 " + one_contact,
          "--compare --profile a.svg " + one_contact + " " + data + "/relay"}) {
        const Outcome outcome = run_saltus("solve " + arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments;
        EXPECT_NE(outcome.errors, "") << arguments;
    }
    EXPECT_FALSE(std::filesystem::exists("a.svg"));
}

Problem small_lcp() { return Lcp{Eigen::Matrix2d{{2, 1}, {1, 2}}, Eigen::Vector2d(-5, -6)}; }

TEST(LimitedRun, EndsASolveThatDoesNotEnd) {
    constexpr double an_hour = 3600.0;  // of solves repeated to measure their time
    const cli::LimitedRun run = cli::run_limited(small_lcp(), {}, an_hour, 0.1);
    EXPECT_EQ(run.outcome(), "time-limit");
    EXPECT_FALSE(run.is_solved());
}

TEST(LimitedRun, ReportsWhatTheSolverReports) {
    const cli::SolverOptions options{.solver = "pgs", .tolerance = 1e-12, .max_iterations = 3};
    const cli::LimitedRun run = cli::run_limited(small_lcp(), options, 0.0, 60.0);
    EXPECT_EQ(run.outcome(), "iteration-limit");
    EXPECT_EQ(run.iterations, 3);
    EXPECT_GT(run.residual, 1e-12);
    EXPECT_GT(run.seconds, 0.0);
    EXPECT_TRUE(cli::run_limited(small_lcp(), {}, 0.0, 60.0).is_solved());
}

TEST(LimitedRun, SurvivesASolverThatThrows) {
    const Problem broken = Lcp{Eigen::Matrix2d::Identity(), Eigen::Vector3d::Zero()};
    EXPECT_EQ(cli::run_limited(broken, {}, 0.0, 60.0).outcome(), "refused");
}

TEST(LimitedRun, RefusesProblemsThatAreNone) {
    FrictionProblem torn;
    torn.q = Eigen::VectorXd::Zero(3);
    torn.mu = Eigen::VectorXd::Ones(1);
    EXPECT_EQ(cli::run_limited(torn, {}, 0.0, 60.0).outcome(), "refused");
}

}  // namespace
}  // namespace saltus
