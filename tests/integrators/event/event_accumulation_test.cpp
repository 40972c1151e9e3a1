#include <gtest/gtest.h>

#include <cmath>

#include "saltus/model/function_from.hpp"
#include "support/event_motion.hpp"
#include "support/point_masses.hpp"

// Impacts of several contacts that accumulate, and what the motion is afterwards.
namespace saltus {
namespace {

using testing::constant;
using testing::EventMotion;
using testing::point;
using testing::row;
using testing::vector;

constexpr double gravity = testing::gravity;

// Two balls, one above the other, of given masses.
LagrangianModel tower(double restitution, double below, double above) {
    LagrangianModel model{.name = "tower"};
    model.systems.push_back(point(vector({1.0, 1.5}), vector({0.0, 0.0})));
    model.systems[0].M = vector({below, above}).asDiagonal().toDenseMatrix();
    model.systems[0].b = constant({-below * gravity, -above * gravity});
    model.interactions.push_back(
        {.name = "ground", .G = row({1.0, 0.0}), .law = ContactLaw{.restitution = restitution}});
    model.interactions.push_back(
        {.name = "pair", .G = row({-1.0, 1.0}), .law = ContactLaw{.restitution = restitution}});
    return model;
}

TEST(EventAccumulation, ATowerComesToRest) {
    for (const double e : {0.0, 0.3, 0.5, 0.8, 0.9})
        for (const double above : {0.1, 1.0, 10.0}) {
            const EventMotion motion(tower(e, 1.0, above), 40.0, 7);
            EXPECT_LE(motion.end.q.norm(), 1e-9) << e << ", " << above;
            EXPECT_LE(motion.end.v.norm(), 1e-15) << e << ", " << above;
            EXPECT_NEAR(motion.end.force[0], (1.0 + above) * gravity, 1e-9) << e << ", " << above;
            EXPECT_NEAR(motion.end.force[1], above * gravity, 1e-9) << e << ", " << above;
            // All the energy is lost, up to that of the heights below which steps take over.
            EXPECT_NEAR(motion.work / (gravity * (1.0 + 1.5 * above)), -1.0, 1e-6) << e << ", " << above;
        }
}

TEST(EventAccumulation, ABallComesToRestInAWedge) {
    LagrangianModel model{.name = "wedge"};
    model.systems.push_back(point(vector({0.3, 1.0}), vector({0.0, 0.0}), constant({0.0, -gravity})));
    const double c = std::sqrt(0.5);
    model.interactions.push_back({.name = "left", .G = row({c, c}), .law = ContactLaw{.restitution = 0.5}});
    model.interactions.push_back({.name = "right", .G = row({-c, c}), .law = ContactLaw{.restitution = 0.5}});
    const EventMotion motion(model, 20.0, 7);
    EXPECT_LE(motion.end.q.norm(), 1e-9);
    EXPECT_LE(motion.end.v.norm(), 1e-14);
    EXPECT_NEAR(motion.end.force[0], c * gravity, 1e-9);
    EXPECT_NEAR(motion.end.force[1], c * gravity, 1e-9);
    // The walls do not affect each other: g / sqrt 2 is the acceleration across each.
    for (const Index wall : {0, 1}) {
        const double height = c * (wall == 0 ? 1.3 : 0.7), first = std::sqrt(2.0 * height / (c * gravity));
        const std::vector<double> ends = motion.times(Event::Kind::accumulation, wall);
        ASSERT_EQ(ends.size(), 1u) << wall;
        EXPECT_NEAR(ends[0], 3.0 * first, 1e-8) << wall;
    }
}

// A table that moves as a sin(w t), a w^2 < g: the ball ends on it.
TEST(EventAccumulation, ABallComesToRestOnAMovingTable) {
    const double a = 0.1, w = 6.0, end = 6.0;
    LagrangianModel model = testing::ball(0.5);
    model.interactions[0].e = Function::from(1, 1, [=](const auto& in, auto& out) {
        using std::sin;
        out[0] = -a * sin(w * in[0]);
    });
    const EventMotion motion(model, end, 7);
    ASSERT_GE(motion.times(Event::Kind::accumulation).size(), 1u);
    EXPECT_NEAR(motion.end.q[0], a * std::sin(w * end), 1e-12);
    EXPECT_NEAR(motion.end.v[0], a * w * std::cos(w * end), 1e-12);
    EXPECT_NEAR(motion.end.force[0], gravity - a * w * w * std::sin(w * end), 1e-6);
}

// A ball bounces on a block that slides. As soon as the ball rests the ground has carried the weight of both,
// percussions and friction included: the block stops where mu (m + M) g t = M v0.
TEST(EventAccumulation, ABlockSlidesWhileABallOnItComesToRest) {
    const double mu = 0.2, mass = 2.0, speed = 6.0, stop = mass * speed / (mu * (mass + 1.0) * gravity);
    LagrangianModel model{.name = "ball on a block"};
    model.systems.push_back(point(vector({0.0, 0.0}), vector({0.0, speed}), constant({-mass * gravity, 0.0})));
    model.systems[0].M = vector({mass, mass}).asDiagonal().toDenseMatrix();
    model.systems.push_back(point(vector({0.2}), vector({0.0}), constant({-gravity})));
    model.systems[1].name = "ball";
    model.interactions.push_back(
        {.name = "ground", .systems = {0}, .G = Eigen::MatrixXd::Identity(2, 2), .law = ContactLaw{.friction = mu}});
    model.interactions.push_back(
        {.name = "ball", .systems = {0, 1}, .G = row({-1.0, 0.0, 1.0}), .law = ContactLaw{.restitution = 0.5}});
    const EventMotion motion(model, stop + 0.1, 7);
    EXPECT_EQ(motion.times(Event::Kind::accumulation).size(), 1u);
    const std::vector<double> sticking = motion.times(Event::Kind::sticking);
    ASSERT_EQ(sticking.size(), 1u);
    EXPECT_NEAR(sticking[0], stop, 1e-8);
    EXPECT_NEAR(motion.end.force[0], (mass + 1.0) * gravity, 1e-8);
    EXPECT_EQ(motion.times(Event::Kind::opening).size(), 0u);
}

// Lengths, masses and times in other units: the same events.
TEST(EventAccumulation, UnitsDoNotMatter) {
    const EventMotion motion(tower(0.5, 1.0, 3.0), 6.0, 7);
    for (const double length : {1e-9, 1e-6, 1e-3, 1e3, 1e6})
        for (const double mass : {1e-6, 1e6}) {
            LagrangianModel model = tower(0.5, mass, 3.0 * mass);
            model.systems[0].q0 *= length;
            model.systems[0].b = constant({-mass * gravity * length, -3.0 * mass * gravity * length});
            const EventMotion scaled(model, 6.0, 7);
            ASSERT_EQ(scaled.events.size(), motion.events.size()) << length << ", " << mass;
            for (std::size_t k = 0; k < motion.events.size(); ++k) {
                EXPECT_EQ(scaled.events[k].kind, motion.events[k].kind) << k;
                EXPECT_EQ(scaled.events[k].interaction, motion.events[k].interaction) << k;
                EXPECT_NEAR(scaled.events[k].t, motion.events[k].t, 1e-9) << k;
            }
            EXPECT_NEAR(scaled.end.force[0] / (4.0 * mass * length * gravity), 1.0, 1e-9);
        }
    for (const double time : {1e-6, 1e3}) {
        LagrangianModel model = tower(0.5, 1.0, 3.0);
        model.systems[0].b = constant({-gravity / (time * time), -3.0 * gravity / (time * time)});
        const EventMotion scaled(model, 6.0 * time, 7, {.accumulation = 1e-6 * time});
        ASSERT_EQ(scaled.events.size(), motion.events.size()) << time;
        for (std::size_t k = 0; k < motion.events.size(); ++k)
            EXPECT_NEAR(scaled.events[k].t / time, motion.events[k].t, 1e-9) << k;
    }
}

// A ceiling comes down on a ball that loses nothing: the impacts have no end before the time that is left has.
TEST(EventAccumulation, EventsWithoutEndAreReported) {
    LagrangianModel model{.name = "press"};
    model.systems.push_back(point(vector({0.5}), vector({1.0})));
    model.interactions.push_back({.name = "floor", .G = row({1.0}), .law = ContactLaw{.restitution = 1.0}});
    model.interactions.push_back({.name = "ceiling",
                                  .G = row({-1.0}),
                                  .e = Function::from(1, 1, [](const auto& in, auto& out) { out[0] = 1.0 - in[0]; }),
                                  .law = ContactLaw{.restitution = 1.0}});
    const EventMotion motion(model, 2.0, 20, {}, EventMotion::Ending::any);
    EXPECT_TRUE(motion.has_failed);
    EXPECT_NE(motion.message.find("events do not end"), std::string::npos) << motion.message;
    EXPECT_NEAR(motion.end.t, 1.0, 1e-3);
}

}  // namespace
}  // namespace saltus
