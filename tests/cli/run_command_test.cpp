#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/command.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus {
namespace {

using testing::contents;
using testing::Outcome;
using testing::run_saltus;
using testing::TemporaryFile;

const std::string examples = SALTUS_EXAMPLES;

std::string example(const std::string& name) { return examples + "/" + name + ".toml"; }

// A path in the temporary folder at which nothing is yet.
class NewPath {
public:
    explicit NewPath(const std::string& ending) : path_(file_.path().string() + ending) {}
    ~NewPath() { std::filesystem::remove(path_); }
    const std::string& text() const { return path_; }

private:
    TemporaryFile file_;
    std::string path_;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(RunCommand, WritesResultsAndASummary) {
    const NewPath result(".h5"), csv(".csv");
    const Outcome outcome = run_saltus("run " + example("circuit_a") + " -o " + result.text() + " --csv " + csv.text());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
    EXPECT_TRUE(has(outcome.output, "1000 steps to t = 5, 1 switch, worst residual")) << outcome.output;
    const ResultReader reader(result.text());
    EXPECT_EQ(reader.samples(), 1001);
    EXPECT_EQ(reader.model_text(), contents(example("circuit_a")));
    EXPECT_EQ(reader.summary().end, "reached");
    const std::string text = contents(csv.text());
    EXPECT_EQ(text.substr(0, text.find('\n')), "t,circuit.x[0],circuit.x[1],diode.lambda[0],diode.y[0]");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1002);
    const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
    EXPECT_EQ(std::stod(last.substr(last.find(',') + 1)), reader.trajectory().channel("circuit.x[0]").tail(1)[0]);
}

TEST(RunCommand, OptionsReplaceWhatTheFileSays) {
    const NewPath result(".h5");
    const std::string arguments = "run " + example("circuit_a") + " -o " + result.text();
    const Outcome outcome = run_saltus(arguments + " --step 0.01 --t-end 1 --set R=1 --set L=2 --quiet");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.output + outcome.errors, "");
    EXPECT_EQ(ResultReader(result.text()).summary().steps, 100);
    EXPECT_EQ(run_saltus(arguments + " --step -1").exit_code, 2);
    EXPECT_TRUE(has(run_saltus(arguments + " --step -1").errors, "step is -1; it must be positive"));
    EXPECT_EQ(ResultReader(result.text()).summary().settings, "R=1, L=2");
    EXPECT_EQ(run_saltus(arguments + " --step 1/3 --t-end 1").exit_code, 0);
    EXPECT_EQ(ResultReader(result.text()).summary().steps, 3);
    EXPECT_EQ(run_saltus(arguments + " --step 0.3 --t-end 1").exit_code, 0);
    EXPECT_EQ(ResultReader(result.text()).summary().step, 0.25);
    EXPECT_TRUE(has(run_saltus(arguments + " --set r=1").errors, "there is no parameter 'r'; did you mean 'R'?"));
    EXPECT_TRUE(has(run_saltus(arguments + " --set R").errors, "write name=value"));
    EXPECT_TRUE(has(run_saltus(arguments + " --on-failure ignore").errors, "stop, continue or retry"));
}

// A slip must not destroy these files.
TEST(RunCommand, DoesNotWriteOverItsInput) {
    const TemporaryFile model(contents(example("circuit_a")), ".toml");
    const NewPath result(".h5");
    const std::string file = model.path().string();
    EXPECT_EQ(run_saltus("run " + file + " -o " + result.text() + " --csv " + file).exit_code, 2);
    EXPECT_EQ(run_saltus("run " + file + " -o " + file).exit_code, 2);
    EXPECT_EQ(run_saltus("run " + file + " -o " + result.text() + " --csv " + result.text()).exit_code, 2);
    EXPECT_EQ(contents(file), contents(example("circuit_a")));
    EXPECT_EQ(run_saltus("run " + file + " --quiet -o " + result.text()).exit_code, 0);
    EXPECT_EQ(run_saltus("export " + result.text() + " --to csv -o " + result.text()).exit_code, 2);
    EXPECT_EQ(ResultReader(result.text()).samples(), 1001);
}

// A point above or in the ground.
std::string point_model(double height, const std::string& rest = "") {
    return "[systems.b]\nq0 = " + std::to_string(height) +
           "\nmass = 1\n[contacts.c]\ngap = \"q[0]\"\ncohesion = 1\n[simulation]\nstep = 0.1\nt_end = 1\n" + rest;
}

TEST(RunCommand, ARefusedRunKeepsEarlierResults) {
    const NewPath result(".h5");
    TemporaryFile model(point_model(1.0), ".toml");
    const std::string arguments = "run " + model.path().string() + " --quiet -o " + result.text();
    ASSERT_EQ(run_saltus(arguments).exit_code, 0);
    const std::string kept = contents(result.text());
    for (const char* mistake : {"scheme = \"d1-minus\"\n", "tolerance = 1e-6\nmin_step = 0.2\n"}) {
        model.write(point_model(1.0, mistake));
        EXPECT_EQ(run_saltus(arguments).exit_code, 2);
        EXPECT_EQ(contents(result.text()), kept);
    }
}

TEST(RunCommand, WarnsOfAStartThatIsViolated) {
    const NewPath result(".h5");
    const TemporaryFile model(point_model(-0.5), ".toml");
    const Outcome outcome = run_saltus("run " + model.path().string() + " -o " + result.text());
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.errors, "warning: contact 'c' begins with a penetration of 0.5\n");
}

TEST(RunCommand, TellsTheEventsOfABall) {
    const NewPath result(".h5"), csv(".csv");
    const Outcome outcome =
        run_saltus("run " + example("bouncing_ball") + " --scheme event-driven --step 1 -o " + result.text());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_TRUE(has(outcome.output, "scheme: event-driven, tolerance 1e-10\n")) << outcome.output;
    const ResultReader reader(result.text());
    const RunSummary summary = reader.summary();
    EXPECT_EQ(summary.steps, 10);
    EXPECT_EQ(summary.events, summary.impacts + 1);
    // sqrt(2/9.81) 1.9/0.1 = 8.57894917...
    const std::string counts = std::to_string(summary.impacts) + " impacts, 1 accumulation at t = 8.578949";
    EXPECT_TRUE(has(outcome.output, "events: " + counts)) << outcome.output;
    EXPECT_TRUE(has(run_saltus("info " + result.text()).output, "events              " + counts));

    const Outcome exported = run_saltus("export " + result.text() + " --events " + csv.text());
    EXPECT_EQ(exported.exit_code, 0) << exported.errors;
    EXPECT_TRUE(has(exported.output, csv.text() + ": " + counts)) << exported.output;
    const std::string text = contents(csv.text());
    EXPECT_EQ(text.find("t,kind,interaction,row,before.ball.q[0],before.ball.v[0],after.ball.q[0],after.ball.v[0]\n"
                        "0.4515236409"),
              0u)
        << text.substr(0, 300);
    EXPECT_TRUE(has(text, ",impact,ground,"));
    EXPECT_TRUE(has(text, ",accumulation,ground,"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), summary.events + 1);
    EXPECT_EQ(run_saltus("export " + result.text() + " --events " + result.text()).exit_code, 2);
    EXPECT_EQ(run_saltus("export " + result.text() + " --events " + csv.text() + " -o " + csv.text()).exit_code, 2);
    EXPECT_TRUE(
        has(run_saltus("export " + result.text()).errors, "give --to csv, vtk, gltf, png or mp4, or --events FILE"));
}

TEST(RunCommand, KeepsTheEventsBeforeAFailure) {
    const NewPath result(".h5");
    const TemporaryFile model(
        "[systems.b]\nq0 = 1\nmass = 1\nforce = \"-9.81 + 0*sqrt(1 - t)\"\n[contacts.c]\ngap = \"q[0]\"\n"
        "restitution = 0.5\n[simulation]\nstep = 5\nt_end = 10\nscheme = \"event-driven\"\n",
        ".toml");
    const Outcome outcome = run_saltus("run " + model.path().string() + " -o " + result.text());
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.errors, "saltus: the motion does not go on at t = ")) << outcome.errors;
    EXPECT_TRUE(has(outcome.output, "events: 2 impacts\n")) << outcome.output;
    const ResultReader reader(result.text());
    EXPECT_EQ(reader.summary().end, "failed");
    EXPECT_EQ(reader.event_count(), 2);
    EXPECT_EQ(reader.impacts().size(), 2u);
}

TEST(RunCommand, TakesASchemeByName) {
    const NewPath result(".h5");
    const TemporaryFile model(
        "[systems.b]\nq0 = 1\nmass = 1\nforce = -1\n[contacts.c]\ngap = \"q[0]\"\n"
        "[simulation]\nstep = 0.1\nt_end = 1\ntheta = 1\n",
        ".toml");
    const auto run = [&](const std::string& options) {
        return run_saltus("run " + model.path().string() + " -o " + result.text() + " " + options);
    };
    EXPECT_TRUE(has(run("").output, "scheme: moreau-jean, theta = 1\n"));
    EXPECT_TRUE(has(run("--scheme d1-minus").output, "scheme: d1-minus\n"));
    EXPECT_TRUE(has(run("--scheme event-driven --tolerance 1e-7").output, "scheme: event-driven, tolerance 1e-07\n"));
    const std::string kept = contents(result.text());
    const Outcome unknown = run("--scheme event-drive");
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_EQ(unknown.errors, "saltus: --scheme: there is no scheme 'event-drive'; did you mean 'event-driven'?\n");
    EXPECT_EQ(run("--scheme d1-minus --tolerance 1e-7").exit_code, 2);
    EXPECT_EQ(contents(result.text()), kept);
    EXPECT_TRUE(has(run_saltus("info " + model.path().string() + " --scheme event-driven").output,
                    "event-driven, tolerance 1e-10 (given by --scheme)"));
}

TEST(InfoCommand, SaysWhatASchemeWouldRefuse) {
    const TemporaryFile model(point_model(1.0), ".toml");  // with cohesion
    const std::string arguments = "info " + model.path().string();
    EXPECT_FALSE(has(run_saltus(arguments).output, "a run is refused"));
    const Outcome outcome = run_saltus(arguments + " --scheme event-driven");
    EXPECT_TRUE(has(outcome.output, "warning             a run is refused: interaction 'c': ")) << outcome.output;
}

TEST(RunCommand, ChoosesTheSchemeAndSaysWhy) {
    const NewPath result(".h5");
    const Outcome outcome = run_saltus("run " + example("relative_degree_3") + " -o " + result.text());
    EXPECT_TRUE(has(outcome.output,
                    "relative degree 3: backward Euler does not converge, using the higher-order sweeping process"));
}

TEST(RunCommand, StopsAtAStepWithoutSolutionAndSavesIt) {
    const NewPath result(".h5");
    const std::string problem = result.text().substr(0, result.text().size() - 3) + "-failed-step.dat";
    const std::string arguments = "run " + example("lcs_without_solution") + " -o " + result.text();
    const Outcome outcome = run_saltus(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.errors, "the step to t = 0.01 cannot be solved: interaction 'law', row 0: "))
        << outcome.errors;
    EXPECT_EQ(ResultReader(result.text()).summary().end, "failed");
    EXPECT_EQ(run_saltus("solve --kind relay " + problem).exit_code, 1);
    EXPECT_EQ(run_saltus(arguments + " --on-failure retry").exit_code, 1);
    const Outcome taken = run_saltus(arguments + " --on-failure continue");
    EXPECT_EQ(taken.exit_code, 1);
    EXPECT_TRUE(has(taken.errors, "steps taken though not solved: 100;"));
    EXPECT_EQ(run_saltus(arguments + " --set x0=1").exit_code, 0);
    std::filesystem::remove(problem);
}

TEST(RunCommand, SavesTheProblemOfEventDrivenMotionToo) {
    const TemporaryFile model(
        "[systems.s]\nx0 = 1\nf = \"-1\"\n[interactions.i]\ny = \"x[0] - lambda[0]\"\nr = \"lambda[0]\"\n"
        "law = \"complementarity\"\n[simulation]\nstep = 0.1\nt_end = 3\nscheme = \"event-driven\"\n",
        ".toml");
    const NewPath result(".h5");
    const std::filesystem::path problem = result.text().substr(0, result.text().size() - 3) + "-failed-step.dat";
    const std::string arguments = "run " + model.path().string() + " -o " + result.text();
    const Outcome outcome = run_saltus(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.errors, "the problem is saved: saltus solve --kind relay ")) << outcome.errors;
    EXPECT_EQ(run_saltus("solve --kind relay " + problem.string()).exit_code, 1);
    EXPECT_EQ(run_saltus(arguments + " --t-end 0.5").exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(problem));  // it was that of the result before
}

// What ends a run without a problem that could not be solved leaves none to solve again.
TEST(RunCommand, SavesNoProblemWhereNoneIsToBlame) {
    const std::string ball =
        "[systems.b]\nq0 = 1\nmass = 1\nforce = FORCE\n[contacts.c]\ngap = GAP\nrestitution = 0.5\n"
        "[simulation]\nstep = 0.01\nt_end = 3\nscheme = SCHEME\n";
    const auto expect_no_problem = [&](const std::string& force, const std::string& gap, const std::string& scheme) {
        std::string text = ball;
        for (const auto& [key, value] : {std::pair{"FORCE", force}, {"GAP", gap}, {"SCHEME", scheme}})
            text.replace(text.find(key), std::string(key).size(), '"' + value + '"');
        const TemporaryFile model(text, ".toml");
        const NewPath result(".h5");
        const std::filesystem::path problem = result.text().substr(0, result.text().size() - 3) + "-failed-step.dat";
        const Outcome outcome = run_saltus("run " + model.path().string() + " -o " + result.text());
        EXPECT_EQ(outcome.exit_code, 1) << scheme << outcome.errors;
        EXPECT_TRUE(has(outcome.errors, "saltus: the ")) << outcome.errors;
        EXPECT_FALSE(has(outcome.errors, "problem is saved")) << scheme << outcome.errors;
        EXPECT_FALSE(std::filesystem::exists(problem)) << scheme << gap;
        std::filesystem::remove(problem);
    };
    // After the first impact, so that there is a problem that was solved.
    const std::string until_one = " + 0*sqrt(1 - t)";
    for (const std::string scheme : {"moreau-jean", "event-driven", "schatzman-paoli", "d1-minus"})
        expect_no_problem("-9.81", "q[0]" + until_one, scheme);
    for (const std::string scheme : {"moreau-jean", "event-driven"})
        expect_no_problem("-9.81" + until_one, "q[0]", scheme);
}

// Runs for half a second, then sends what Ctrl-C does.
void interrupt_run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SALTUS_COMMAND);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        execv(SALTUS_COMMAND, pointers.data());
        _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
}

// What was computed is there, and the exit code says so.
TEST(RunCommand, AnInterruptKeepsWhatWasComputed) {
    const NewPath result(".h5");
    interrupt_run({"run", example("zener"), "-o", result.text(), "--t-end", "1e9", "--quiet"});
    const ResultReader reader(result.text());
    EXPECT_EQ(reader.summary().end, "interrupted");
    EXPECT_GT(reader.samples(), 100);
    EXPECT_EQ(reader.samples(), reader.summary().steps + 1);
}

// A ball that bounces for ever.
TEST(RunCommand, AnInterruptKeepsTheEvents) {
    const NewPath result(".h5");
    interrupt_run({"run", example("bouncing_ball"), "--set", "e=1", "--scheme", "event-driven", "--step", "1", "-o",
                   result.text(), "--t-end", "1e9", "--quiet"});
    const ResultReader reader(result.text());
    EXPECT_EQ(reader.summary().end, "interrupted");
    EXPECT_GT(reader.event_count(), 100);
    EXPECT_EQ(reader.event_count(), reader.summary().events);
    EXPECT_EQ(reader.samples(), reader.summary().steps + 1);
    const double first = reader.events(0, 1).front().t, period = 2.0 * first;  // one impact per period
    EXPECT_NEAR(static_cast<double>(reader.event_count()), (reader.summary().t + first) / period, 1.001);
}

TEST(RunCommand, NamesAnExampleWhereThereIsNoFile) {
    EXPECT_TRUE(has(run_saltus("run zener").errors, "saltus examples zener > zener.toml"));
    EXPECT_TRUE(has(run_saltus("run nonsense.toml").errors, "there is no such file"));
    EXPECT_EQ(run_saltus("run nonsense.toml").exit_code, 2);
}

TEST(ExamplesCommand, ListsAndPrintsThem) {
    const Outcome list = run_saltus("examples");
    for (const auto& file : std::filesystem::directory_iterator(examples))
        EXPECT_TRUE(file.path().extension() != ".toml" || has(list.output, file.path().stem().string() + " "))
            << file.path();
    EXPECT_EQ(run_saltus("examples zener").output, contents(example("zener")));
    EXPECT_TRUE(has(run_saltus("examples zenner").errors, "did you mean 'zener'?"));
}

// As on a disk that is full: an error, and what was flushed.
TEST(RunCommand, TellsThatTheDiskIsFull) {
    const NewPath result(".h5");
    const std::string command = "trap '' XFSZ; ulimit -f 3000; " SALTUS_COMMAND " run " + example("bouncing_ball") +
                                " --t-end 1e6 --quiet -o " + result.text() + " 2>/dev/null";
    const int status = std::system(("bash -c \"" + command + "\"").c_str());
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 2);
    EXPECT_TRUE(has(run_saltus("info " + result.text()).output, "ended without a word"));
}

// A flipped byte is an error or harmless, and never makes a reader wait for a writer that does not exist.
TEST(InfoCommand, TellsDamageAtOnce) {
    const NewPath result(".h5");
    run_saltus("run " + example("circuit_a") + " --quiet -o " + result.text());
    const std::string whole = contents(result.text());
    for (const std::size_t place : {8u, 30u, 60u, 100u, 300u, 700u, 1500u, 4000u}) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
        std::ofstream(result.text(), std::ios::binary) << damaged;
        const int status =
            std::system(("timeout 20 " SALTUS_COMMAND " info " + result.text() + " >/dev/null 2>&1").c_str());
        EXPECT_NE(WEXITSTATUS(status), 124) << "byte " << place;
        EXPECT_TRUE(WIFEXITED(status)) << "byte " << place;
    }
    std::ofstream(result.text(), std::ios::trunc).close();
    EXPECT_TRUE(has(run_saltus("info " + result.text()).errors, "is not a result file"));
}

TEST(CsvExport, WritesSamples) {
    const NewPath result(".h5"), csv(".csv");
    run_saltus("run " + example("relay_spiral") + " --quiet -o " + result.text());
    EXPECT_EQ(run_saltus("export " + result.text() + " --to csv -o " + csv.text()).exit_code, 0);
    EXPECT_TRUE(has(contents(csv.text()), "t,point.x[0],point.x[1],relays.lambda[0],"));
    EXPECT_TRUE(has(run_saltus("export " + result.text() + " --to xls").errors, "--to is 'xls'; it must be csv"));
    EXPECT_TRUE(has(run_saltus("export " + example("zener") + " --to csv").errors,
                    "is a model, not a result file; saltus run"));
}

TEST(InfoCommand, SaysWhatIsKnownBeforehand) {
    const Outcome outcome = run_saltus("info " + example("circuit_c"));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(has(outcome.output, "relative degree     1\n")) << outcome.output;
    EXPECT_TRUE(has(outcome.output, "passive             yes\n"));
    EXPECT_TRUE(has(outcome.output, "initial state       satisfies the laws\n"));
    EXPECT_TRUE(has(outcome.output, "solution            absolutely continuous\n"));
    EXPECT_TRUE(has(outcome.output, "equilibria          a set: x = (0, 0) + s (-1, 0), s >= 0\n"));
    EXPECT_TRUE(has(run_saltus("info --set x0=1 " + example("lcs_without_solution")).output, "has 2 solutions"));
    EXPECT_TRUE(has(run_saltus("info " + example("lcs_without_solution")).output, "has no solution"));
}

}  // namespace
}  // namespace saltus
