#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "saltus/core/version.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Outcome;
using testing::TemporaryFile;

const std::string problems = SALTUS_TEST_DATA;
const std::string two_by_two = problems + "/lcp/lcp_deudeu.dat";  // M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3), w = 0

Outcome saltus(const std::string& arguments) { return testing::run_saltus(arguments); }

nlohmann::json solve_json(const std::string& arguments, int exit_code) {
    const Outcome outcome = saltus("solve --json " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    return nlohmann::json::parse(outcome.output);
}

TEST(SolveCommand, PrintsOneJsonObject) {
    const auto json = solve_json(two_by_two + " --solver pgs", 0);
    EXPECT_EQ(json["problem"], "lcp");
    EXPECT_EQ(json["size"], 2);
    EXPECT_EQ(json["solver"], "pgs");
    EXPECT_EQ(json["status"], "converged");
    EXPECT_LE(json["residual"].get<double>(), 1e-10);
    EXPECT_GT(json["iterations"].get<int>(), 0);
    EXPECT_GT(json["seconds"].get<double>(), 0.0);
    EXPECT_NEAR(json["z"][0].get<double>(), 4.0 / 3.0, 1e-8);
    EXPECT_NEAR(json["z"][1].get<double>(), 7.0 / 3.0, 1e-8);
    EXPECT_NEAR(json["w"][0].get<double>(), 0.0, 1e-8);
    EXPECT_FALSE(json.contains("message"));
    EXPECT_FALSE(json.contains("certificate"));
}

TEST(SolveCommand, NumbersInJsonAreTheBitsOfTheSolver) {  // the residual of the printed z is the printed residual
    const auto json = solve_json(two_by_two + " --solver pgs --tolerance 1e-5", 0);
    const auto z = json["z"].get<std::vector<double>>();
    const Lcp lcp = std::get<Lcp>(read_problem(two_by_two));
    EXPECT_EQ(residual(lcp, Eigen::Vector2d(z[0], z[1])), json["residual"].get<double>());
    EXPECT_GT(json["residual"].get<double>(), 1e-10);
}

TEST(SolveCommand, KnowsMixedProblemsAndRelays) {
    EXPECT_EQ(solve_json(problems + "/mlcp/PDSym_mlcp.dat --solver pgs", 0)["problem"], "mlcp");
    const auto relay = solve_json(problems + "/relay/relay_2x2.dat --solver pgs", 0);  // M = I, q = (-1/2, 1/2)
    EXPECT_EQ(relay["problem"], "relay");
    EXPECT_EQ(relay["z"], (std::vector<double>{0.5, -0.5}));
}

Eigen::VectorXd vector_of(const nlohmann::json& json) {
    const auto values = json.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values));
}

// Both residuals are those of the printed r.
TEST(SolveCommand, SolvesFrictionProblems) {
    for (const std::string name : {"/friction3d/FrictionContact3D_1c.dat", "/friction3d/Capsules-i125-1213.hdf5",
                                   "/friction2d/FrictionContactProblem00031.dat", "/rolling/RFC3D_sphere_1.dat"}) {
        SCOPED_TRACE(name);
        const auto json = solve_json(problems + name, 0);
        const auto problem = std::get<FrictionProblem>(read_problem(problems + name));
        EXPECT_EQ(json["problem"], "friction");
        EXPECT_EQ(json["contacts"], problem.contacts());
        EXPECT_EQ(json["dimension"], problem.dimension());
        const Eigen::VectorXd r = vector_of(json["z"]);
        EXPECT_EQ(json["residual"].get<double>(), residual(problem, r));
        EXPECT_LE(json["residual"].get<double>(), 1e-8);
        EXPECT_EQ(json["residual_siconos"].get<double>(), unscaled_residual(problem, r));
        EXPECT_EQ(vector_of(json["w"]), velocity(problem, r));
        EXPECT_FALSE(json.contains("v"));
    }
}

TEST(SolveCommand, SolvesGlobalFrictionProblems) {  // M v = H r + f, u = H' v + b
    for (const std::string name : {"/friction3d/GFC3D_Example1.dat", "/friction3d/Box_Stacks-i0122-82-5.hdf5",
                                   "/rolling/Chute-ndof-768-nc-4-3.hdf5"}) {
        SCOPED_TRACE(name);
        const auto json = solve_json(problems + name, 0);
        const auto problem = std::get<GlobalFrictionProblem>(read_problem(problems + name));
        EXPECT_EQ(json["problem"], "global-friction");
        EXPECT_EQ(json["contacts"], problem.contacts());
        const Eigen::VectorXd v = vector_of(json["v"]), r = vector_of(json["z"]), Mv = problem.M * v;
        EXPECT_LE((Mv - problem.H * r - problem.f).norm(), 1e-8 * (1.0 + Mv.norm() + problem.f.norm()));
        EXPECT_LE((vector_of(json["w"]) - problem.H.transpose() * v - problem.b).norm(), 1e-12 * (1.0 + v.norm()));
        EXPECT_EQ(json["residual"].get<double>(), residual(problem, v, r));
    }
}

TEST(SolveCommand, OffersTheSolversOfGlobalProblemsToThemAlone) {
    const std::string global = problems + "/friction3d/GFC3D_Example1.dat";
    const auto json = solve_json("--solver global-admm " + global, 0);
    EXPECT_EQ(json["solver"], "global-admm");
    const auto problem = std::get<GlobalFrictionProblem>(read_problem(global));
    EXPECT_LE(residual(problem, vector_of(json["v"]), vector_of(json["z"])), 1e-8);
    const Outcome local = saltus("solve --solver global-admm " + problems + "/friction3d/FrictionContact3D_1c.dat");
    EXPECT_EQ(local.exit_code, 2);
    EXPECT_NE(local.errors.find("'global-admm' is for global-friction problems"), std::string::npos) << local.errors;
    EXPECT_NE(saltus("solve --solver globaladmm " + global).errors.find("did you mean 'global-admm'?"),
              std::string::npos);
}

TEST(SolveCommand, TablesOfFrictionProblemsSpeakOfContacts) {
    const Outcome outcome = saltus("solve " + problems + "/friction3d/FrictionContact3D_1c.dat");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find("1 of dimension 3"), std::string::npos) << outcome.output;
    EXPECT_NE(outcome.output.find("as Siconos measures"), std::string::npos);
}

TEST(SolveCommand, SolversOfAnotherFamilyAreRefusedWithThoseThatApply) {
    const Outcome outcome = saltus("solve --solver lemke " + problems + "/friction3d/FrictionContact3D_1c.dat");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.errors.find("'lemke' is for affine problems"), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find("nsgs"), std::string::npos);
    EXPECT_EQ(outcome.errors.find("pgs"), std::string::npos);
    const Outcome reverse = saltus("solve --solver nsgs " + two_by_two);
    EXPECT_EQ(reverse.exit_code, 2);
    EXPECT_NE(reverse.errors.find("'nsgs' is for friction problems"), std::string::npos) << reverse.errors;
    EXPECT_NE(reverse.errors.find("lemke"), std::string::npos);
}

TEST(SolveCommand, SaysOneWhenNotSolvedAndWhy) {
    const auto limited = solve_json(two_by_two + " --solver pgs --max-iterations 1", 1);
    EXPECT_EQ(limited["status"], "iteration-limit");
    EXPECT_EQ(limited["iterations"], 1);
    const auto unsuitable = solve_json(problems + "/lcp/lcp_CPS_2.dat --solver pgs", 1);
    EXPECT_EQ(unsuitable["status"], "unsuitable-problem");
    EXPECT_NE(unsuitable["message"].get<std::string>().find("M(0, 0) is 0"), std::string::npos);
    const Outcome table = saltus("solve " + problems + "/lcp/lcp_CPS_2.dat --solver pgs");
    EXPECT_EQ(table.exit_code, 1);
    EXPECT_NE(table.output.find("M(0, 0) is 0"), std::string::npos);
}

TEST(SolveCommand, WritesNullForWhatIsNotFinite) {  // the first sweep gives z = (1e200, 0), so w_1 overflows
    const TemporaryFile file("2 0 2 2 2 2  1 1e200 1e200 1  -1e200 -1e200");
    const auto json = solve_json(file.path().string() + " --solver pgs --max-iterations 1", 1);
    EXPECT_EQ(json["z"], (std::vector<double>{1e200, 0.0}));
    EXPECT_TRUE(json["w"][1].is_null());
    EXPECT_TRUE(json["residual"].is_null());
}

TEST(SolveCommand, OutputIsTheJsonObjectInAFile) {
    const TemporaryFile file;
    const Outcome outcome = saltus("solve " + two_by_two + " --solver pgs --output " + file.path().string());
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.output.find("converged"), std::string::npos);
    EXPECT_NEAR(nlohmann::json::parse(contents(file.path()))["z"][0].get<double>(), 4.0 / 3.0, 1e-8);
    const Outcome refused = saltus("solve " + two_by_two + " --solver pgs --output /nonexistent/a.json");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.errors.find("/nonexistent/a.json"), std::string::npos);
}

TEST(SolveCommand, ShowsTheEndsOfALongSolution) {
    const Outcome outcome = saltus("solve " SALTUS_EXAMPLES "/string_over_obstacle.dat");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_NE(outcome.output.find("89 rows are left out"), std::string::npos);
    EXPECT_LT(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 30);
}

TEST(SolveCommand, SolvesEveryExample) {
    for (const auto& entry : std::filesystem::directory_iterator(SALTUS_EXAMPLES))
        if (entry.path().extension() == ".dat") solve_json(entry.path().string(), 0);
}

TEST(SolveCommand, BadInputSaysTwoWithFileAndLine) {
    const TemporaryFile file("2\n0\n2\n2\n2 2\n1 2\n3 x4\n-1 -1");
    const Outcome outcome = saltus("solve " + file.path().string());
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.errors, "saltus: " + file.path().string() +
                                  ":7: expected a finite number (value 4 of the 4 of the dense matrix), found 'x4'\n");
}

TEST(SolveCommand, KindIsTakenFromTheOptionWhenTheContentsDoNotTell) {
    const TemporaryFile file("1 0 1 1 1 1  2  -3  4");
    EXPECT_EQ(saltus("solve " + file.path().string()).exit_code, 2);
    EXPECT_EQ(solve_json(file.path().string() + " --solver pgs --kind lcp", 0)["z"][0], 1.5);
    const Outcome unknown = saltus("solve --kind qp " + file.path().string());
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_NE(unknown.errors.find("'qp'; it must be one of lcp, mlcp, relay, friction, global-friction"),
              std::string::npos);
}

TEST(SolveCommand, UnknownSolversGetASuggestion) {
    const Outcome outcome = saltus("solve --solver pgss " + two_by_two);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.errors.find("'pgss'"), std::string::npos);
    EXPECT_NE(outcome.errors.find("did you mean 'pgs'?"), std::string::npos);
    for (const auto& solver : affine_solvers()) EXPECT_NE(outcome.errors.find(solver.name), std::string::npos);
}

TEST(SolveCommand, ListNamesEverySolverWithItsClass) {
    const Outcome outcome = saltus("solve --list");
    EXPECT_EQ(outcome.exit_code, 0);
    for (const auto& solvers : {affine_solvers(), one_step::global_solvers()})
        for (const auto& solver : solvers) {
            EXPECT_NE(outcome.output.find(solver.name), std::string::npos);
            EXPECT_NE(outcome.output.find(solver.problem_class), std::string::npos);
        }
}

TEST(SolveCommand, SetsAnyOptionOfTheSolver) {
    const std::string pgs = two_by_two + " --solver pgs";
    const auto sweeps = [&](const std::string& options) {
        return solve_json(pgs + options, 0)["iterations"].get<int>();
    };
    EXPECT_LT(sweeps(" --option relaxation=1.1"), sweeps(" --option relaxation=0.5"));
    EXPECT_LT(sweeps(" --option relaxation=0.5 --option tolerance=1e-3"), sweeps(" --option relaxation=0.5"));
    EXPECT_EQ(solve_json(pgs + " --option max_iterations=1", 1)["iterations"], 1);
    const auto mistake = [&](const std::string& option) {
        const Outcome outcome = saltus("solve " + pgs + " --option " + option);
        EXPECT_EQ(outcome.exit_code, 2) << option;
        return outcome.errors;
    };
    EXPECT_EQ(mistake("relax=1"),
              "saltus: pgs: there is no option 'relax'; the options are: tolerance, max_iterations, relaxation, "
              "symmetric\n");
    EXPECT_EQ(mistake("relaxatio=1"),
              "saltus: pgs: there is no option 'relaxatio'; the options are: tolerance, max_iterations, relaxation, "
              "symmetric; did you mean 'relaxation'?\n");
    EXPECT_EQ(mistake("relaxation=much"), "saltus: pgs: relaxation is 'much'; it must be a number\n");
    EXPECT_EQ(mistake("relaxation=3"), "saltus: pgs: relaxation is 3; it must lie strictly between 0 and 2\n");
    EXPECT_EQ(mistake("relaxation"), "saltus: --option relaxation: write name=value\n");
    EXPECT_EQ(mistake("relaxation=1 --option relaxation=1.2"),
              "saltus: --option relaxation=1.2: relaxation is given twice\n");
    EXPECT_EQ(mistake("tolerance=1e-3 --tolerance 1e-5"),
              "saltus: --option tolerance=1e-3: tolerance is given twice\n");
    EXPECT_EQ(saltus("solve --compare --option relaxation=1 " + two_by_two).exit_code, 2);
}

TEST(SolveCommand, ListShowsTheOptionsOfASolver) {
    const Outcome outcome = saltus("solve --list --solver principal-pivoting");
    EXPECT_EQ(outcome.exit_code, 0);
    for (const std::string text : {"max_iterations  10000  ", "tolerance       1e-10  ",
                                   "rule            block  block, least-index or most-violated: which variables"})
        EXPECT_NE(outcome.output.find(text), std::string::npos) << text << " in\n" << outcome.output;
    const std::string both = saltus("solve --list --solver auto").output;
    EXPECT_NE(both.find("auto, for lcp, mlcp and relay problems: "), std::string::npos) << both;
    EXPECT_NE(both.find("auto, for friction and global-friction problems: "), std::string::npos) << both;
    const Outcome unknown = saltus("solve --list --solver principal-pivot");
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_NE(unknown.errors.find("did you mean 'principal-pivoting'?"), std::string::npos) << unknown.errors;
}

TEST(SolveCommand, RefusesArgumentsThatMakeNoSense) {
    for (const std::string arguments :
         {"", "nonsense", "solve", "solve --nonsense", "solve a.dat b.dat", "solve /nonexistent.dat", "solve /tmp"}) {
        const Outcome outcome = saltus(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments;
        EXPECT_NE(outcome.errors, "") << arguments;
    }
    for (const std::string option : {"--tolerance -1", "--tolerance 0", "--tolerance nan", "--tolerance x",
                                     "--max-iterations -1", "--max-iterations 1.5", "--max-iterations 99999999999"})
        EXPECT_EQ(saltus("solve " + two_by_two + " " + option).exit_code, 2) << option;
}

TEST(SolveCommand, UnknownCommandsAreNamed) {
    EXPECT_EQ(saltus("bogus --json").errors,
              "saltus: 'bogus' is not a command; the commands are: run, report, view, sweep, info, export, examples, "
              "solve; try saltus --help\n");
    EXPECT_EQ(
        saltus("").errors,
        "saltus: a command is required; the commands are: run, report, view, sweep, info, export, examples, solve; "
        "try saltus --help\n");
}

TEST(SolveCommand, TheRangeOfIterationsIsShort) {
    for (const std::string value : {"-1", "99999999999"}) {
        const std::string errors = saltus("solve " + two_by_two + " --max-iterations " + value).errors;
        EXPECT_NE(errors.find(value + " not in range"), std::string::npos) << errors;
        EXPECT_NE(errors.find("2147483647"), std::string::npos) << errors;
        EXPECT_LT(errors.size(), 160u) << errors;
    }
    solve_json(two_by_two + " --max-iterations 2147483647", 0);
}

// What fits in the buffer of standard output fails when it is flushed, what does not fit before.
TEST(SolveCommand, OutputThatCannotBeWrittenSaysTwo) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const TemporaryFile identity;
    write_problem(identity.path(), Lcp{Eigen::MatrixXd::Identity(1000, 1000), -Eigen::VectorXd::Ones(1000)});
    for (const std::string& arguments :
         {"solve " + two_by_two, "solve --json " + two_by_two, "solve --json " + identity.path().string(),
          std::string("solve --list"), std::string("--help"), std::string("--version")}) {
        const Outcome outcome = saltus(arguments + " >/dev/full");
        EXPECT_EQ(outcome.exit_code, 2) << arguments;
        EXPECT_TRUE(outcome.errors.starts_with("saltus: cannot write to ")) << outcome.errors;
    }
}

TEST(SolveCommand, HelpAndVersion) {
    EXPECT_EQ(saltus("--version").output, fmt::format("saltus {}\n", version()));
    EXPECT_EQ(saltus("--version").exit_code, 0);
    EXPECT_NE(saltus("--help").output.find("solve"), std::string::npos);
    EXPECT_NE(saltus("solve --help").output.find("--max-iterations"), std::string::npos);
    EXPECT_EQ(saltus("solve --help").exit_code, 0);
}

}  // namespace
}  // namespace saltus
