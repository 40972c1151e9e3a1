#include "saltus/io/result/result_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "saltus/core/check.hpp"
#include "support/first_order_models.hpp"
#include "support/point_masses.hpp"
#include "support/refusal.hpp"
#include "support/temporary_file.hpp"

namespace saltus {
namespace {

using testing::Circuit;
using testing::TemporaryFile;

std::string reader_message(const std::filesystem::path& path) {
    try {
        ResultReader{path};
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

// Runs circuit (b) and writes its results.
Simulation run_into(const std::filesystem::path& path, long every) {
    const TimeStepping options{
        .step = 1e-3, .t_end = 5.0, .scheme = EulerMoreau{.theta = 0.5, .gamma = 0.5}, .record_every = every};
    const Model model = Circuit{}.b();
    Simulation run = simulate(model, options);
    RunSummary summary{.name = "circuit", .scheme = describe(*options.scheme), .end = "running"};
    ResultWriter writer(path, result_names(model, *options.scheme), "the text\nof the model", summary);
    const RunReport report = options.run(model, {.begins = [&](const Placement& p) { writer.begins(p); },
                                                 .sample = [&](const Sample& s) { writer.sample(s); },
                                                 .switched = [&](const Switch& s) { writer.switched(s); }});
    summary.end = "reached";
    summary.steps = report.steps;
    summary.switches = report.switches;
    summary.worst_residual = 1.25e-17;
    writer.finish(summary);
    return run;
}

TEST(ResultFile, GivesBackTheSameBits) {
    for (const long every : {1L, 7L, 5000L}) {
        const TemporaryFile file;
        const Simulation run = run_into(file.path(), every);
        const ResultReader result(file.path());
        EXPECT_EQ(result.model_text(), "the text\nof the model");
        EXPECT_EQ(result.interactions(), std::vector<std::string>{"interaction"});
        const Trajectory read = result.trajectory();
        EXPECT_EQ(read.channels, run.trajectory.channels);
        EXPECT_EQ(read.times, run.trajectory.times);
        EXPECT_EQ(read.values, run.trajectory.values);
        ASSERT_EQ(read.switches.size(), run.trajectory.switches.size());
        ASSERT_GT(read.switches.size(), 5u);
        for (std::size_t k = 0; k < read.switches.size(); ++k) {
            EXPECT_EQ(read.switches[k].t, run.trajectory.switches[k].t);
            EXPECT_EQ(read.switches[k].from, run.trajectory.switches[k].from);
            EXPECT_EQ(read.switches[k].to, run.trajectory.switches[k].to);
        }
        const RunSummary summary = result.summary();
        EXPECT_EQ(summary.end, "reached");
        EXPECT_EQ(summary.scheme, "euler-moreau, theta = 0.5, gamma = 0.5");
        EXPECT_EQ(summary.steps, 5000);
        EXPECT_EQ(summary.worst_residual, 1.25e-17);
        std::vector<double> times, values;
        if (every == 1) {
            result.read(2000, 3, times, values);
            EXPECT_EQ(times[1], run.trajectory.times[2001]);
            EXPECT_EQ(values[4 + 2], run.trajectory.value(2001, 2));
        }
        EXPECT_THROW(result.read(0, result.samples() + 1, times, values), InvalidInput);
    }
}

// Two balls, so that the order of states and channels differs.
LagrangianModel two_balls() {
    LagrangianModel model = testing::ball(0.5);
    LagrangianSystem other = model.systems[0];
    other.name = "other";
    other.q0 *= 2.0;
    model.systems.push_back(other);
    model.interactions.push_back(model.interactions[0]);
    model.interactions[0].systems = {0};
    model.interactions[1].systems = {1};
    model.interactions[1].name = "floor";
    return model;
}

TEST(ResultFile, GivesBackTheEvents) {
    const LagrangianModel model = two_balls();
    const TimeStepping options{.step = 0.5, .t_end = 2.5, .scheme = EventDriven{}};
    const Simulation run = simulate(model, options);
    const std::vector<Event>& expected = run.trajectory.events;
    const TemporaryFile file;
    {
        ResultWriter writer(file.path(), result_names(model, *options.scheme), "", {});
        for (const Event& event : expected) writer.event(event);
        writer.finish({.events = run.report.events.total()});
    }
    const ResultReader result(file.path());
    EXPECT_EQ(result.states(), (std::vector<std::string>{"point.q[0]", "other.q[0]", "point.v[0]", "other.v[0]"}));
    EXPECT_EQ(result.interactions(), (std::vector<std::string>{"ground", "floor"}));
    EXPECT_EQ(result.summary().events, std::ssize(expected));
    const std::vector<Event> events = result.trajectory().events;
    ASSERT_EQ(events.size(), expected.size());
    ASSERT_GT(events.size(), 20u);
    for (std::size_t k = 0; k < events.size(); ++k) {
        EXPECT_EQ(events[k].t, expected[k].t);
        EXPECT_EQ(events[k].kind, expected[k].kind);
        EXPECT_EQ(events[k].interaction, expected[k].interaction);
        EXPECT_EQ(events[k].before, expected[k].before);
        EXPECT_EQ(events[k].after, expected[k].after);
    }
    EXPECT_EQ(result.events(5, 2)[1].t, expected[6].t);
    EXPECT_EQ(result.event_counts().text(), run.report.events.text());
    EXPECT_THROW(result.events(0, result.event_count() + 1), InvalidInput);
}

// More than a chunk of them, and what was flushed is there.
TEST(ResultFile, AppendsEventsAsTheyCome) {
    const TemporaryFile file, copy;
    const LagrangianModel model = testing::ball(0.5);
    ResultWriter writer(file.path(), result_names(model, EventDriven{}), "", {});
    Event event{.kind = Event::Kind::sliding, .before = Eigen::Vector2d(1.0, 2.0), .after = Eigen::Vector2d(3.0, 4.0)};
    for (int k = 0; k < 1000; ++k) {
        event.t = k;
        event.before[0] = -k;
        writer.event(event);
    }
    writer.flush();
    std::filesystem::copy_file(file.path(), copy.path(), std::filesystem::copy_options::overwrite_existing);
    const ResultReader result(copy.path());
    ASSERT_EQ(result.event_count(), 1000);
    for (int k = 0; k < 1000; k += 37) {
        const Event read = result.events(k, 1).front();
        EXPECT_EQ(read.t, k);
        EXPECT_EQ(read.kind, Event::Kind::sliding);
        EXPECT_EQ(read.before, Eigen::Vector2d(-k, 2.0));
        EXPECT_EQ(read.after, Eigen::Vector2d(3.0, 4.0));
    }
    EXPECT_EQ(result.event_counts().text(), "1000 slidings");
    event.after = Eigen::VectorXd::Zero(3);
    EXPECT_THROW(writer.event(event), InvalidInput);
}

// A file as the writer of version 2 left it.
TEST(ResultFile, ReadsVersion2) {
    const ResultReader result(std::filesystem::path(SALTUS_TEST_DATA) / "results" / "version_2.h5");
    const RunSummary summary = result.summary();
    EXPECT_EQ(summary.name, "ball");
    EXPECT_EQ(summary.steps, 4);
    EXPECT_EQ(summary.impacts, 1);
    EXPECT_EQ(summary.events, 0);
    EXPECT_EQ(summary.seconds, 0.5);
    EXPECT_EQ(result.interactions(), std::vector<std::string>{"ground"});
    EXPECT_EQ(result.model_text(), "the text");
    const Trajectory read = result.trajectory();
    EXPECT_EQ(read.samples(), 5);
    EXPECT_EQ(read.channel("ball.v[0]")[3], -1.5);
    ASSERT_EQ(read.switches.size(), 2u);
    EXPECT_EQ(read.switches[1].t, 0.75);
    EXPECT_EQ(read.switches[1].from, Place::basic);
    EXPECT_EQ(read.switches[1].to, Place::at_lower);
    ASSERT_EQ(read.impacts.size(), 1u);
    EXPECT_EQ(read.impacts[0].percussion, 4.5);
    EXPECT_TRUE(read.events.empty());
    EXPECT_EQ(result.event_counts().total(), 0);
}

// A file as the writer of version 3 left it: an event-driven run.
TEST(ResultFile, ReadsVersion3) {
    const ResultReader result(std::filesystem::path(SALTUS_TEST_DATA) / "results" / "version_3.h5");
    EXPECT_EQ(result.summary().settings, "e=0.25");
    EXPECT_EQ(result.samples(), 5);
    EXPECT_EQ(result.impacts().size(), 10u);
    EXPECT_EQ(result.event_counts().total(), 11);
    EXPECT_FALSE(result.has_health());
    EXPECT_TRUE(result.initial_places().empty());
    const RunHealth health = result.health(1, 3);
    EXPECT_EQ(health.residuals, (std::vector<double>{0.0, 0.0, 0.0}));
    EXPECT_TRUE(health.iterations.empty());
    EXPECT_TRUE(result.failures().empty());
}

// A relay that is switched by a solver, once; the other steps keep their placement and call none.
TEST(ResultFile, HoldsIterationsTimesAndTheFirstPlaces) {
    const TemporaryFile file;
    run_into(file.path(), 1);
    const ResultReader result(file.path());
    ASSERT_TRUE(result.has_health());
    const RunHealth health = result.health(0, result.samples());
    ASSERT_EQ(std::ssize(health.seconds), result.samples());
    EXPECT_TRUE(std::ranges::is_sorted(health.seconds));
    EXPECT_GT(health.seconds.back(), 0.0);
    EXPECT_TRUE(std::ranges::all_of(health.iterations, [](int k) { return k >= 0; }));
    const Placement places = result.initial_places();
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places.front(), result.switches().front().from);
    EXPECT_EQ(result.time(7), result.trajectory().times[7]);
    EXPECT_THROW(result.time(result.samples()), InvalidInput);
    EXPECT_THROW(result.health(result.samples(), 1), InvalidInput);
}

TEST(ResultFile, TellsWhatSolversSaid) {
    const TemporaryFile file;
    const Model model = Circuit{}.b();
    {
        ResultWriter writer(file.path(), result_names(model, EulerMoreau{}), "", {.end = "running"});
        FailedStep failure{.t = 0.5, .where = "interaction 'diode', row 0", .is_taken = true, .halvings = 0};
        failure.solve = {.iterations = 12, .residual = 0.25, .message = "no solution"};
        writer.failed(failure);
        writer.finish({.end = "failed"});
    }
    const std::vector<FailedStep> failures = ResultReader(file.path()).failures();
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_EQ(failures[0].t, 0.5);
    EXPECT_EQ(failures[0].solve.iterations, 12);
    EXPECT_EQ(failures[0].solve.residual, 0.25);
    EXPECT_EQ(failures[0].solve.message, "interaction 'diode', row 0: no solution");
    EXPECT_TRUE(failures[0].is_taken);
}

// Two runs into one file would spoil both.
TEST(ResultFile, IsNotReplacedWhileARunWritesIt) {
    const TemporaryFile file;
    std::filesystem::remove(file.path());
    const Model model = Circuit{}.b();
    const auto write = [&] { ResultWriter(file.path(), result_names(model, EulerMoreau{}), "", {}); };
    {
        const ResultWriter writer(file.path(), result_names(model, EulerMoreau{}), "", {});
        EXPECT_NE(testing::refusal(write).find("another run is writing it"), std::string::npos);
    }
    EXPECT_EQ(testing::refusal(write), "accepted");
}

// What was flushed can be read though the run has not ended, as after a kill.
TEST(ResultFile, HoldsWhatWasFlushed) {
    const TemporaryFile file, copy;
    const Model model = Circuit{}.b();
    ResultWriter writer(file.path(), result_names(model, EulerMoreau{}), "", {.end = "running"});
    const std::vector<double> values{1, 2, 3, 4};
    for (int k = 0; k < 3; ++k) writer.sample({1.0, values, 0.0});
    writer.flush();
    std::filesystem::copy_file(file.path(), copy.path(), std::filesystem::copy_options::overwrite_existing);
    const ResultReader result(copy.path());
    EXPECT_EQ(result.samples(), 3);
    EXPECT_EQ(result.summary().end, "running");
    EXPECT_EQ(result.trajectory().value(2, 3), 4.0);
}

TEST(ResultFile, ReplacesResultsAndNothingElse) {
    const TemporaryFile file;
    std::filesystem::remove(file.path());
    run_into(file.path(), 100);
    EXPECT_NO_THROW(run_into(file.path(), 200));
    EXPECT_EQ(ResultReader(file.path()).samples(), 26);
    std::ofstream(file.path()) << "precious";
    EXPECT_THROW(run_into(file.path(), 100), InvalidInput);
    EXPECT_EQ(std::filesystem::file_size(file.path()), 8u);
    EXPECT_THROW(run_into(std::filesystem::path("/no/such/folder/x.h5"), 100), InvalidInput);
}

TEST(ResultFile, RefusesWhatIsNone) {
    EXPECT_NE(reader_message("/no/such/file").find("there is no such file"), std::string::npos);
    const TemporaryFile file;
    std::ofstream(file.path()) << "text";
    EXPECT_NE(reader_message(file.path()).find("is not a result file"), std::string::npos);
    std::filesystem::remove(file.path());
    run_into(file.path(), 1);
    const auto size = std::filesystem::file_size(file.path());
    for (const double share : {0.1, 0.5, 0.9}) {  // truncated: an error, never a crash
        run_into(file.path(), 1);
        std::filesystem::resize_file(file.path(), static_cast<std::uintmax_t>(share * static_cast<double>(size)));
        EXPECT_NE(reader_message(file.path()), "accepted") << share;
        std::filesystem::remove(file.path());
    }
}

// Calls act() in a process of its own that then ends at once, as if killed.
template <class Act>
void in_a_process_that_is_killed(Act act) {
    const pid_t child = ::fork();
    if (child == 0) {
        act();
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// Samples at 0, 1, 2, ..., flushed after the first thousand.
void write_times(const std::filesystem::path& path, int samples) {
    ResultWriter writer(path, {.channels = {"a.x[0]"}, .states = {"a.x[0]"}}, "", {.end = "running"});
    for (int k = 0; k < samples; ++k) {
        if (k == 1000) writer.flush();
        const double t = k;
        writer.sample({.t = t, .values = std::span(&t, 1)});
    }
    writer.finish({.end = "reached"});
}

// The file grows to a limit, as on a disk that is full: what was flushed is there, and nothing that was not.
TEST(ResultFile, KeepsWhatWasFlushedWhenTheDiskIsFull) {
    const TemporaryFile file("", ".h5");
    for (const rlim_t size : {100'000u, 500'000u, 2'000'000u}) {
        in_a_process_that_is_killed([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{size, size};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const std::string message = testing::refusal([&] { write_times(file.path(), 1'000'000); });
            if (message.find("cannot be written; is the disk full?") == std::string::npos) ::_exit(1);
        });
        const ResultReader result(file.path());
        EXPECT_FALSE(result.is_live());
        EXPECT_GE(result.samples(), size > 200'000 ? 1000 : 0) << size;
        std::vector<double> times, values;
        result.read(0, result.samples(), times, values);
        for (std::size_t k = 0; k < times.size(); ++k) {
            ASSERT_EQ(times[k], static_cast<double>(k)) << size;
            ASSERT_EQ(values[k], static_cast<double>(k)) << size;
        }
    }
}

// While a run writes its end into the file nobody else may read it; that must not last.
TEST(ResultFile, CanBeReadAfterAKillAtItsEnd) {
    const TemporaryFile file("", ".h5");
    write_times(file.path(), 10);
    in_a_process_that_is_killed([&] { H5Fopen(file.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT); });
    EXPECT_EQ(ResultReader(file.path()).samples(), 10);
    EXPECT_NO_THROW(write_times(file.path(), 20));
}

}  // namespace
}  // namespace saltus
