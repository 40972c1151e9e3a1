#include <gtest/gtest.h>

#include <cmath>

#include "saltus/model/function_from.hpp"
#include "saltus/simulation/time_stepping.hpp"
#include "support/point_masses.hpp"

namespace saltus {
namespace {

using testing::gravity;
using testing::point;
using testing::vector;

// Impacts at t1 (1 + 2 e + ... + 2 e^k), their end at t1 (1 + e) / (1 - e), t1 = sqrt(2 / g).
const double first_impact = std::sqrt(2.0 / gravity);

// The ball, and a point whose force is not defined after `end`.
LagrangianModel ball_until(double end) {
    LagrangianModel model = testing::ball(0.5);
    LagrangianSystem other = point(vector({0.0}), vector({0.0}));
    other.name = "other";
    other.b = Function::from(1, 1, [=](const auto& in, auto& out) {
        using std::sqrt;
        out[0] = sqrt(end - in[0]);
    });
    model.systems.push_back(other);
    model.interactions[0].systems = {0};
    return model;
}

TEST(EventRecords, ABallTellsItsImpactsAndTheirEnd) {
    const double e = 0.5, last = first_impact * (1.0 + e) / (1.0 - e);
    const Simulation run = simulate(testing::ball(e), {.step = 1.0, .t_end = 3.0, .scheme = EventDriven{}});
    const std::vector<Event>& events = run.trajectory.events;
    ASSERT_GE(events.size(), 10u);
    EXPECT_EQ(run.report.events.total(), std::ssize(events));
    double t = first_impact, speed = gravity * first_impact, flight = 2.0 * e * first_impact;
    for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_EQ(events[k].kind, Event::Kind::impact);
        EXPECT_EQ(events[k].interaction, 0);
        EXPECT_NEAR(events[k].t, t, 1e-10);
        EXPECT_NEAR(events[k].before[1], -speed, 1e-9);
        EXPECT_NEAR(events[k].after[1], e * speed, 1e-9);
        EXPECT_NEAR(events[k].after[0], 0.0, 1e-12);
        t += flight;
        flight *= e;
        speed *= e;
    }
    EXPECT_EQ(events.back().kind, Event::Kind::accumulation);
    EXPECT_NEAR(events.back().t, last, 1e-9);
    EXPECT_EQ(run.report.events.kinds.at(Event::Kind::impact).count, run.report.impacts);
    EXPECT_EQ(run.report.events.kinds.at(Event::Kind::accumulation).count, 1);
    EXPECT_EQ(run.report.events.kinds.at(Event::Kind::accumulation).last, events.back().t);
}

// Whatever the time between samples, the same events.
TEST(EventRecords, SamplesChangeNoEvents) {
    const auto events = [](double step, long every) {
        return simulate(testing::ball(0.5),
                        {.step = step, .t_end = 3.0, .scheme = EventDriven{}, .record_every = every})
            .trajectory.events;
    };
    const std::vector<Event> few = events(3.0, 1), many = events(0.01, 7);
    ASSERT_EQ(few.size(), many.size());
    for (std::size_t k = 0; k < few.size(); ++k) {
        EXPECT_EQ(few[k].kind, many[k].kind);
        EXPECT_NEAR(few[k].t, many[k].t, 1e-9);
    }
}

// A step of 5 that fails at 1: the impact before is reported, nothing after, and no event twice.
TEST(EventRecords, WhatHappenedBeforeAFailureIsKept) {
    for (const OnFailure on_failure : {OnFailure::stop, OnFailure::take, OnFailure::retry}) {
        const Simulation run =
            simulate(ball_until(1.0),
                     {.step = 5.0, .t_end = 10.0, .scheme = EventDriven{.tolerance = 1e-6}, .on_failure = on_failure});
        EXPECT_EQ(run.report.end, RunReport::End::failed);
        EXPECT_NEAR(run.report.t, 1.0, 1e-3);
        EXPECT_EQ(run.report.failure.t, run.report.t);
        EXPECT_TRUE(run.report.failure.is_at_event);
        EXPECT_TRUE(run.report.failure.reason().starts_with("the motion does not go on at t = "))
            << run.report.failure.reason();
        ASSERT_EQ(run.trajectory.events.size(), 2u);
        EXPECT_NEAR(run.trajectory.events[0].t, first_impact, 1e-6);
        EXPECT_NEAR(run.trajectory.events[1].t, 2.0 * first_impact, 1e-6);
        EXPECT_EQ(run.trajectory.impacts.size(), 2u);
        EXPECT_EQ(run.report.impacts, 2);
        EXPECT_EQ(run.trajectory.samples(), 1);
    }
}

// In time stepping a step that fails leaves nothing: an impact of the step before is not reported again.
TEST(EventRecords, TimeSteppingHasNone) {
    long impacts = 0;
    for (const double end : {0.435, 0.445, 0.455, 0.465, 0.475}) {
        const Simulation run = simulate(ball_until(end), {.step = 1e-2, .t_end = 3.0});
        EXPECT_EQ(run.report.end, RunReport::End::failed);
        EXPECT_LE(run.report.impacts, 1) << end;
        EXPECT_EQ(std::ssize(run.trajectory.impacts), run.report.impacts);
        EXPECT_TRUE(run.trajectory.events.empty());
        EXPECT_EQ(run.report.events.total(), 0);
        EXPECT_NEAR(run.report.failure.t, run.report.t + 1e-2, 1e-12);
        impacts += run.report.impacts;
    }
    EXPECT_GT(impacts, 0);
    EXPECT_LT(impacts, 5);
    const std::string reason = simulate(ball_until(1.0), {.step = 1e-2, .t_end = 3.0}).report.failure.reason();
    EXPECT_TRUE(reason.starts_with("the step to t = 1.01 cannot be solved: ")) << reason;
}

TEST(EventRecords, CountsAreSaidInWords) {
    EventCounts counts;
    EXPECT_EQ(counts.text(), "");
    counts.add(8.5, Event::Kind::accumulation);
    counts.add(1.0, Event::Kind::impact);
    EXPECT_EQ(counts.text(), "1 impact, 1 accumulation at t = 8.5");
    counts.add(9.0, Event::Kind::impact);
    counts.add(9.25, Event::Kind::accumulation);
    EXPECT_EQ(counts.text(), "2 impacts, 2 accumulations, the last at t = 9.25");
    EXPECT_EQ(counts.total(), 4);
}

// In the order of the states of events, which is not that of the channels.
TEST(EventRecords, StatesHaveNames) {
    EXPECT_EQ(state_names(ball_until(1.0)),
              (std::vector<std::string>{"point.q[0]", "other.q[0]", "point.v[0]", "other.v[0]"}));
}

// One sample after 10 000 impacts: the run asks on the way whether to go on, and keeps what it has.
TEST(EventRecords, ARunIsInterruptedBetweenSamples) {
    const TimeStepping options{.step = 1e4, .t_end = 1e4, .scheme = EventDriven{}};
    long questions = 0, impacts = 0;
    double last = 0.0;
    const RunReport report =
        options.run(testing::ball(1.0), {.sample = [&](const Sample& sample) { last = sample.t; },
                                         .impact = [&](const Impact&) { ++impacts; },
                                         .goes_on = [&](double, long) { return ++questions < 3; }});
    EXPECT_EQ(report.end, RunReport::End::interrupted);
    EXPECT_EQ(questions, 3);
    EXPECT_GT(impacts, 0);
    EXPECT_EQ(report.impacts, impacts);
    EXPECT_LT(report.t, 1e4);
    EXPECT_EQ(last, report.t);
}

}  // namespace
}  // namespace saltus
