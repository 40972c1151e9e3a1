#include "saltus/simulation/ongoing_run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "saltus/core/interruption.hpp"

namespace saltus {
namespace {

LagrangianModel falling_ball() {
    LagrangianModel model{.name = "ball"};
    model.systems.push_back({.name = "ball",
                             .q0 = Eigen::VectorXd::Ones(1),
                             .v0 = Eigen::VectorXd::Zero(1),
                             .b = Function::constant(1, Eigen::VectorXd::Constant(1, -9.81))});
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd{{1.0}}, .law = ContactLaw{.restitution = 0.8}});
    return model;
}

Model relay_model() {
    Model model{.name = "relay"};
    model.systems.push_back({.name = "point", .x0 = Eigen::VectorXd::Ones(1), .A = Eigen::MatrixXd{{-1.0}}});
    model.interactions.push_back(
        {.name = "sign", .C = Eigen::MatrixXd{{1.0}}, .B = Eigen::MatrixXd{{1.0}}, .law = {{-1.0, 1.0}}});
    return model;
}

// The samples of a run in pieces.
template <class AnyModel>
Trajectory in_pieces(const AnyModel& model, const Scheme& scheme, const std::vector<long>& ends) {
    Trajectory result{.channels = channel_names(model, scheme)};
    const Observer observer{.sample = [&](const Sample& sample) { result.add(sample); },
                            .impact = [&](const Impact& impact) { result.impacts.push_back(impact); }};
    OngoingRun<AnyModel> run(model, scheme, {.h = 0.01});
    for (const long end : ends) run.advance(end, observer);
    EXPECT_EQ(run.steps(), ends.back());
    EXPECT_EQ(run.report().steps, ends.back());
    EXPECT_EQ(run.report().end, RunReport::End::reached);
    return result;
}

template <class AnyModel>
void expect_same_bits(const AnyModel& model, const Scheme& scheme) {
    const Trajectory whole = simulate(model, {.step = 0.01, .t_end = 2.0, .scheme = scheme}).trajectory;
    const Trajectory pieces = in_pieces(model, scheme, {0, 1, 2, 50, 50, 200});
    EXPECT_EQ(pieces.times, whole.times);
    EXPECT_EQ(pieces.values, whole.values);
    EXPECT_EQ(pieces.impacts.size(), whole.impacts.size());
}

TEST(OngoingRun, PiecesGiveTheSameRun) {
    expect_same_bits(falling_ball(), MoreauJean{});
    expect_same_bits(falling_ball(), EventDriven{});
    expect_same_bits(relay_model(), EulerMoreau{});
    expect_same_bits(relay_model(), EventDriven{});
}

TEST(OngoingRun, GoesOnAfterAnInterruption) {
    const LagrangianModel model = falling_ball();
    OngoingRun<LagrangianModel> run(model, MoreauJean{}, {.h = 0.01});
    run.advance(1000, {.goes_on = [](double, long steps) { return steps < 3; }});
    EXPECT_EQ(run.report().end, RunReport::End::interrupted);
    EXPECT_EQ(run.steps(), 3);
    run.advance(1000, {});
    EXPECT_EQ(run.report().end, RunReport::End::reached);
    EXPECT_DOUBLE_EQ(run.t(), 10.0);
    LagrangianState state;
    run.read(state);
    EXPECT_NEAR(state.q[0], 0.0, 1e-3);
    EXPECT_NEAR(run.work(), -9.81, 1e-2);  // the ball has lost the energy of its fall
}

// A gap that throws after t = 0.3: in the middle of a step.
TEST(OngoingRun, IsAtItsLastStepAfterAnException) {
    LagrangianModel model = falling_ball();
    model.interactions[0].e = Function::with_jacobian(
        1, 1,
        [](const Function::In& t, Function::Out& out) {
            if (t[0] > 0.3) throw std::domain_error("no ground");
            out[0] = 0.0;
        },
        [](const Function::In&, Function::OutMatrix& jacobian) { jacobian.setZero(); });
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(D1Minus{}), Scheme(AnitescuPotra{}),
                                 Scheme(SchatzmanPaoli{}), Scheme(EventDriven{})}) {
        OngoingRun<LagrangianModel> run(model, scheme, {.h = 0.01, .keeps_last = true});
        std::vector<double> heights;
        const Observer observer{.sample = [&](const Sample& sample) { heights.push_back(sample.values[0]); }};
        EXPECT_THROW(run.advance(100, observer), std::domain_error) << describe(scheme);
        EXPECT_TRUE(run.is_broken());
        EXPECT_EQ(run.report().end, RunReport::End::failed);
        EXPECT_NEAR(run.t(), 0.3, 0.011) << describe(scheme);
        EXPECT_EQ(run.steps(), std::lround(run.t() / 0.01));
        EXPECT_EQ(run.report().steps, run.steps());
        EXPECT_EQ(run.report().t, run.t());
        LagrangianState state;
        run.read(state);
        EXPECT_EQ(state.t, run.t());
        EXPECT_EQ(state.q[0], heights.back()) << describe(scheme);
        const Sample sample = run.sample();
        EXPECT_EQ(sample.t, run.t());
        EXPECT_EQ(sample.values[0], heights.back()) << describe(scheme);
        EXPECT_THROW(run.advance(100, observer), std::runtime_error) << describe(scheme);
    }
}

// Contacts of many points with the ground, whose force takes long, and very long from some time on.
class SlowStep {
public:
    explicit SlowStep(double slow_time) {
        constexpr Index n = 40;
        model_.systems.push_back({.name = "points", .q0 = Eigen::VectorXd::Zero(n), .v0 = Eigen::VectorXd::Zero(n)});
        model_.systems[0].M =
            Eigen::MatrixXd(2.0 * Eigen::MatrixXd::Identity(n, n) + Eigen::MatrixXd::Constant(n, n, 0.1));
        model_.systems[0].f = Function::with_jacobian(
            2 * n + 1, n,
            [this, slow_time](const Function::In& in, Function::Out& out) {
                is_slow = in[2 * n] >= slow_time;
                std::this_thread::sleep_for(std::chrono::milliseconds(is_slow ? 30 : 1));
                for (Index i = 0; i < n; ++i) out[i] = -9.81 - std::sin((1.0 + in[2 * n]) * static_cast<double>(i));
            },
            [](const Function::In&, Function::OutMatrix& jacobian) { jacobian.setZero(); });
        for (Index k = 0; k < n; k += 2) {
            Eigen::MatrixXd G = Eigen::MatrixXd::Zero(2, n);
            G(0, k) = G(1, k + 1) = 1.0;
            model_.interactions.push_back(
                {.name = fmt::format("contact {}", k), .G = G, .law = ContactLaw{.friction = 0.5}});
        }
    }
    const LagrangianModel& model() const { return model_; }

    bool is_slow = false;  // a force has been computed in the slow step

private:
    LagrangianModel model_{.name = "slow"};
};

TEST(OngoingRun, CanBeInterruptedWithinALongStep) {
    SlowStep slow(0.255);
    const Observer observer{.goes_on = [&](double, long) { return !slow.is_slow; }};
    for (const long record_every : {1L, 10L}) {
        OngoingRun<LagrangianModel> run(slow.model(), MoreauJean{}, {.h = 0.01, .record_every = record_every});
        Trajectory trajectory{.channels = channel_names(slow.model(), MoreauJean{})};
        Observer keeping = observer;
        keeping.sample = [&](const Sample& sample) { trajectory.add(sample); };
        slow.is_slow = false;
        run.advance(100, keeping);
        EXPECT_EQ(run.report().end, RunReport::End::interrupted);
        EXPECT_TRUE(run.is_broken());
        EXPECT_EQ(run.steps(), 25);
        EXPECT_EQ(run.report().steps, 25);
        EXPECT_DOUBLE_EQ(run.t(), 0.25);
        EXPECT_DOUBLE_EQ(trajectory.times.back(), 0.25);
        EXPECT_EQ(std::ranges::adjacent_find(trajectory.times, std::greater_equal{}), trajectory.times.end());
        LagrangianState state, expected;
        run.read(state);
        const SlowStep quick(1e9);
        OngoingRun<LagrangianModel> other(quick.model(), MoreauJean{}, {.h = 0.01});
        other.advance(25, {});
        other.read(expected);
        EXPECT_EQ(state.q, expected.q);
        EXPECT_EQ(state.v, expected.v);
    }
}

// What ends the run from around it is for its maker: there may be no observer, and nothing was kept.
TEST(OngoingRun, PassesOnTheInterruptionOfSomebodyElse) {
    const SlowStep slow(0.255);
    for (const bool keeps_last : {false, true}) {
        OngoingRun<LagrangianModel> run(slow.model(), MoreauJean{}, {.h = 0.01, .keeps_last = keeps_last});
        const Interruption interruption([&] { return run.steps() < 5; });
        EXPECT_THROW(run.advance(100, {}), Interrupted);
        EXPECT_EQ(run.report().end, RunReport::End::failed);
        EXPECT_TRUE(run.is_broken());
    }
}

// The places of the rows at the beginning of a run that continues another are those at the end of that one.
TEST(OngoingRun, TellsNoSwitchTwiceWhereAnotherContinuesIt) {
    const LagrangianModel model = falling_ball();
    long switches = 0;
    const Observer observer{.switched = [&](const Switch&) { ++switches; }};
    OngoingRun<LagrangianModel> whole(model, MoreauJean{}, {.h = 0.01});
    whole.advance(1000, observer);
    const long expected = std::exchange(switches, 0);
    OngoingRun<LagrangianModel> first(model, MoreauJean{}, {.h = 0.01});
    first.advance(500, observer);
    LagrangianState state;
    first.read(state);
    OngoingRun<LagrangianModel> second(starting_from(model, state), MoreauJean{},
                                       {.h = 0.01, .steps_before = 500, .placement_before = first.placement()});
    second.advance(500, observer);
    EXPECT_EQ(second.placement(), whole.placement());
    EXPECT_EQ(switches, expected);
}

TEST(OngoingRun, GoesOnAfterAnExceptionOfItsObserver) {
    const LagrangianModel model = falling_ball();
    OngoingRun<LagrangianModel> run(model, MoreauJean{}, {.h = 0.01});
    std::vector<double> times;
    const Observer observer{.sample = [&](const Sample& sample) {
        times.push_back(sample.t);
        if (times.size() % 10 == 1) throw std::domain_error("enough");  // at the beginning too
    }};
    int exceptions = 0;
    while (run.steps() < 100) try {
            run.advance(100, observer);
        } catch (const std::domain_error&) {
            ++exceptions;
            EXPECT_FALSE(run.is_broken());
        }
    EXPECT_EQ(exceptions, 11);
    ASSERT_EQ(times.size(), 101U);
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_DOUBLE_EQ(times[k], 0.01 * static_cast<double>(k));
}

// No scheme would notice the closing of a gap that is NaN.
TEST(OngoingRun, EndsWhereAGapIsNotDefined) {
    LagrangianModel model = falling_ball();
    model.interactions[0].e = Function::with_jacobian(
        1, 1, [](const Function::In& t, Function::Out& out) { out[0] = 0.0 * std::sqrt(0.3 - t[0]); },
        [](const Function::In&, Function::OutMatrix&) {});
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(D1Minus{}), Scheme(AnitescuPotra{}),
                                 Scheme(SchatzmanPaoli{}), Scheme(EventDriven{})}) {
        const Simulation run = simulate(model, {.step = 0.01, .t_end = 1.0, .scheme = scheme});
        EXPECT_EQ(run.report.end, RunReport::End::failed) << describe(scheme);
        EXPECT_NEAR(run.trajectory.times.back(), 0.3, 0.03) << describe(scheme);
        EXPECT_FALSE(run.report.failure.reason().empty());
    }
}

}  // namespace
}  // namespace saltus
