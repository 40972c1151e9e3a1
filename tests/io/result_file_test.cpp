#include "saltus/io/result_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "saltus/core/check.hpp"
#include "support/first_order_models.hpp"
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
    ResultWriter writer(path, interaction_names(model), "the text\nof the model", summary, run.trajectory.channels);
    const RunReport report = options.run(model, {.sample = [&](const Sample& s) { writer.sample(s); },
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

// What was flushed can be read though the run has not ended, as after a kill.
TEST(ResultFile, HoldsWhatWasFlushed) {
    const TemporaryFile file, copy;
    const Model model = Circuit{}.b();
    ResultWriter writer(file.path(), interaction_names(model), "", {.end = "running"}, channel_names(model, false));
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
    EXPECT_NE(reader_message(file.path()).find("is no result file"), std::string::npos);
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

}  // namespace
}  // namespace saltus
