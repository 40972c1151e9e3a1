#include "saltus/io/result/result_view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/io/result/frames.hpp"
#include "saltus/io/result/settings.hpp"
#include "saltus/view/overview.hpp"
#include "support/refusal.hpp"
#include "support/result_of.hpp"

namespace saltus {
namespace {

using testing::drawn_ball;
using testing::refusal;
using testing::ResultOf;
using testing::TemporaryFile;

// A result of noise with NaN in it: `samples` of two channels x[0], x[1] of one system.
void write_noise(const std::filesystem::path& path, Index samples) {
    ResultNames names{.channels = {"a.x[0]", "a.x[1]"}, .interactions = {}, .states = {"a.x[0]", "a.x[1]"}};
    ResultWriter writer(path, names, "[signals]\nwave = 'sin(t) + x[0]'\n", {.name = "noise"});
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    for (Index k = 0; k < samples; ++k) {
        const std::vector<double> values{noise(random), k % 7 == 3 ? std::nan("") : noise(random)};
        writer.sample({.t = 0.5 * static_cast<double>(k), .values = values, .residual = 1e-9, .iterations = 3},
                      static_cast<double>(k));
    }
    writer.finish({.name = "noise", .end = "reached"});
}

TEST(ResultView, HasChannelsSignalsAndWhatTheRunSays) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    EXPECT_TRUE(view.is_mechanical());
    EXPECT_EQ(view.description(), "A ball that is drawn");
    const Window window = view.read({view.column("doubled"), view.column("height"), view.column("run.residual"),
                                     view.column("run.iterations"), view.column("ball.q[1]")},
                                    0, 4, 100);
    const Trajectory run = reader.trajectory();
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(window.t[k], run.times[100 * k]);
        EXPECT_EQ(window.values[0][k], 2.0 * window.t[k]);
        EXPECT_EQ(window.values[1][k], run.channel("ball.q[1]")[static_cast<Index>(100 * k)] - 0.1);
        EXPECT_EQ(window.values[2][k], reader.residuals()[100 * k]);
        EXPECT_EQ(window.values[4][k], run.channel("ball.q[1]")[static_cast<Index>(100 * k)]);
    }
    EXPECT_NE(refusal([&] { view.column("ball.q[7]"); }).find("did you mean 'ball.q["), std::string::npos);
}

TEST(ResultView, GroupsColumns) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const auto group = [&](const std::string& name) {
        return to_string(view.columns()[static_cast<std::size_t>(view.column(name))].group);
    };
    EXPECT_EQ(group("ball.q[0]"), "state");
    EXPECT_EQ(group("ground.P[0]"), "contact");
    EXPECT_EQ(group("energy.total"), "energy");
    EXPECT_EQ(group("doubled"), "signal");
    EXPECT_EQ(group("run.seconds"), "run");
}

// No extreme of a piece is lost, samples are true ones in order, and all are there if there is room.
TEST(ResultView, ExtremesHoldEveryPeak) {
    const TemporaryFile file;
    constexpr Index samples = 40000;
    write_noise(file.path(), samples);
    const ResultReader reader(file.path());
    const ResultView view(reader);
    const std::vector<Index> columns{view.column("a.x[0]"), view.column("a.x[1]"), view.column("wave")};
    const Window all = view.read(columns, 0, samples);
    Overview overview({0});
    for (const Index points : {Index(10), Index(100), Index(1000), samples}) {
        for (const bool is_overview : {false, true}) {
            const Window some = is_overview ? overview.read_extremes(view, columns, 0, samples, points)
                                            : view.read_extremes(columns, 0, samples, points);
            EXPECT_LE(std::ssize(some.t), std::max(samples * (points == samples), 3 * points + 30));
            EXPECT_TRUE(std::ranges::is_sorted(some.t));
            EXPECT_EQ(some.t.front(), all.t.front());
            EXPECT_EQ(some.t.back(), all.t.back());
            for (std::size_t k = 0; k < some.t.size(); ++k)
                EXPECT_EQ(some.values[0][k], all.values[0][static_cast<std::size_t>(2.0 * some.t[k])]);
            for (std::size_t c = 0; c < 3; ++c) {
                const auto largest = [](const std::vector<double>& values) {
                    double most = -1e300;
                    for (const double value : values)
                        if (value > most) most = value;
                    return most;
                };
                EXPECT_EQ(largest(some.values[c]), largest(all.values[c]));
            }
        }
    }
}

// Where both read the same pieces they give the same samples.
TEST(Overview, AgreesWithAllSamples) {
    const TemporaryFile file;
    constexpr Index samples = 512 * 80;
    write_noise(file.path(), samples);
    const ResultReader reader(file.path());
    const ResultView view(reader);
    const std::vector<Index> columns{view.column("a.x[1]"), view.column("a.x[0]")};
    const Window expected = view.read_extremes(columns, 0, samples, 20),
                 found = Overview({}).read_extremes(view, columns, 0, samples, 20);
    EXPECT_EQ(found.t, expected.t);
    EXPECT_EQ(found.values[1], expected.values[1]);
}

// Also beyond the whole buckets, at both ends.
TEST(Overview, LosesNoPeakAtTheEnds) {
    const TemporaryFile file;
    constexpr Index samples = 512 * 40 + 300;
    {
        ResultNames names{.channels = {"a.x[0]"}, .interactions = {}, .states = {"a.x[0]"}};
        ResultWriter writer(file.path(), names, "", {});
        for (Index k = 0; k < samples; ++k) {
            const std::vector<double> values{k == samples - 50 ? 9.0 : k == 150 ? -9.0 : 0.0};
            writer.sample({.t = static_cast<double>(k), .values = values});
        }
        writer.finish({});
    }
    const ResultReader reader(file.path());
    const ResultView view(reader);
    const Window window = Overview({}).read_extremes(view, {0}, 100, samples, 4);
    EXPECT_EQ(std::ranges::max(window.values[0]), 9.0);
    EXPECT_EQ(std::ranges::min(window.values[0]), -9.0);
    EXPECT_TRUE(std::ranges::is_sorted(window.t));
}

TEST(ResultView, FindsSamplesByTime) {
    const TemporaryFile file;
    write_noise(file.path(), 11);
    const ResultReader reader(file.path());
    const ResultView view(reader);
    EXPECT_EQ(view.sample_at(-1.0), 0);
    EXPECT_EQ(view.sample_at(0.0), 0);
    EXPECT_EQ(view.sample_at(0.1), 1);
    EXPECT_EQ(view.sample_at(2.5), 5);
    EXPECT_EQ(view.sample_at(5.0), 10);
    EXPECT_EQ(view.sample_at(5.1), 11);
    EXPECT_EQ(frame_samples(view, 3), (std::vector<Index>{0, 5, 10}));
    EXPECT_EQ(std::ssize(frame_samples(view, 100)), 11);
}

// With steps of all lengths, and times that occur twice.
TEST(ResultView, FindsSamplesOfUnequalSteps) {
    const TemporaryFile file;
    std::vector<double> times;
    {
        ResultNames names{.channels = {"a.x[0]"}, .interactions = {}, .states = {"a.x[0]"}};
        ResultWriter writer(file.path(), names, "", {});
        std::mt19937 random(3);
        std::exponential_distribution<double> step;
        double t = -5.0;
        for (int k = 0; k < 500; ++k) {
            times.push_back(t);
            const std::vector<double> values{t};
            writer.sample({.t = t, .values = values});
            if (k % 10 != 0) t += std::pow(step(random), 8.0);
        }
        writer.finish({});
    }
    const ResultReader reader(file.path());
    const ResultView view(reader);
    for (std::size_t k = 0; k < times.size(); ++k)
        for (const double t : {times[k], std::nextafter(times[k], -1e9), std::nextafter(times[k], 1e9)})
            ASSERT_EQ(view.sample_at(t), std::ranges::lower_bound(times, t) - times.begin());
}

TEST(ResultView, TakesEmptyRuns) {
    const TemporaryFile file;
    write_noise(file.path(), 0);
    const ResultReader reader(file.path());
    const ResultView view(reader);
    EXPECT_TRUE(view.read({0, 1}, 0, 0).t.empty());
    EXPECT_TRUE(view.read_extremes({0, 1}, 0, 0, 100).t.empty());
    EXPECT_EQ(view.sample_at(0.0), 0);
    EXPECT_TRUE(frame_samples(view, 10).empty());
    EXPECT_FALSE(view.default_plots().empty());
}

std::vector<std::string> titles(const ResultView& view) {
    std::vector<std::string> result;
    for (const PlotChoice& plot : view.default_plots()) result.push_back(plot.title);
    return result;
}

// The bouncing ball shows height, velocity, impulses and energy.
TEST(DefaultPlots, OfABouncingBall) {
    const ResultOf result(R"toml(
[systems.ball]
q0 = 1
mass = 1
force = -9.81
[contacts.ground]
gap = "q[0]"
restitution = 0.5
[simulation]
step = 1e-3
t_end = 1
)toml");
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    EXPECT_EQ(titles(view), (std::vector<std::string>{"Positions", "Velocities", "Impulses of contacts", "Energy"}));
    ASSERT_EQ(view.default_phases().size(), 1u);
    EXPECT_EQ(view.default_phases()[0].title, "ball.v[0] over ball.q[0]");
}

// A circuit shows its sources and outputs; channels a thousand times smaller have a picture of their own.
TEST(DefaultPlots, OfACircuit) {
    const ResultOf result(R"toml(
[signals]
source = "10*sin(50*t)"
[systems.circuit]
x0 = [0, 0]
f = ["1e3*(source - x[0])", "1e-3*cos(50*t)"]
[interactions.diode]
y = "x[0] + lambda[0]"
r = ["lambda[0]", 0]
[simulation]
step = 1e-3
t_end = 1
)toml");
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const std::vector<PlotChoice> plots = view.default_plots();
    ASSERT_EQ(titles(view), (std::vector<std::string>{"Sources and states (source, …)",
                                                      "Sources and states (circuit.x[1])", "Multipliers", "Outputs"}));
    EXPECT_EQ(plots[0].columns, (std::vector<Index>{view.column("source"), view.column("circuit.x[0]")}));
}

TEST(PlaceHistory, FollowsTheSwitches) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const PlaceHistory places(reader, {0});
    ASSERT_EQ(places.interactions(), 1);
    ASSERT_EQ(places.rows(0).size(), 2u);
    const std::vector<Switch> switches = reader.switches();
    ASSERT_GT(switches.size(), 4u);
    for (const Switch& change : switches) {
        EXPECT_EQ(places.at(0, change.row, change.t), change.to);
        EXPECT_EQ(places.at(0, change.row, change.t - 5e-4), change.from);
    }
    EXPECT_EQ(places.at(0, 0, -1.0), Place::at_lower);
    EXPECT_FALSE(places.at(0, 2, 0.0).has_value());
    EXPECT_FALSE(places.at(1, 0, 0.0).has_value());
    EXPECT_TRUE(PlaceHistory(reader, {}).rows(0)[0].is_known);
    EXPECT_TRUE(PlaceHistory(reader, {}).rows(0)[0].switches.empty());
}

TEST(Settings, AreReadAsTheyAreTold) {
    const ParameterValues values = read_settings("R=1, L=2*pi, C=max(1, 3), d=-1e-3");
    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(values[0], (std::pair<std::string, double>("R", 1.0)));
    EXPECT_EQ(values[1].second, 2.0 * std::acos(-1.0));
    EXPECT_EQ(values[2].second, 3.0);
    EXPECT_EQ(values[3].second, -1e-3);
    EXPECT_TRUE(read_settings("").empty());
    EXPECT_NE(refusal([] { read_settings("nonsense"); }), "accepted");
}

}  // namespace
}  // namespace saltus
