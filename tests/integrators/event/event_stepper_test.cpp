#include "saltus/integrators/event/event_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/model/function_from.hpp"
#include "support/event_motion.hpp"
#include "support/point_masses.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::ball;
using testing::constant;
using testing::EventMotion;
using testing::point;
using testing::refusal;
using testing::row;
using testing::vector;

constexpr double g = testing::gravity;

TEST(EventStepper, BallMeetsItsImpactsAndPassesTheirAccumulation) {
    for (const double e : {0.9, 0.8, 0.5}) {
        const double first = std::sqrt(2.0 / g), last = first * (1.0 + e) / (1.0 - e);
        const EventMotion motion(ball(e), last + 1.0, 7);
        const std::vector<double> impacts = motion.times(Event::Kind::impact);
        ASSERT_GE(impacts.size(), 15u);
        double expected = first, flight = 2.0 * first * e;
        for (const double t : impacts) {
            EXPECT_NEAR(t, expected, 1e-10);
            expected += flight;
            flight *= e;
        }
        const std::vector<double> accumulation = motion.times(Event::Kind::accumulation);
        ASSERT_EQ(accumulation.size(), 1u);
        EXPECT_NEAR(accumulation[0], last, 1e-9);
        EXPECT_NEAR(motion.end.q[0], 0.0, 1e-12);
        EXPECT_EQ(motion.end.v[0], 0.0);
        EXPECT_NEAR(motion.end.force[0], g, 1e-9);
        EXPECT_NEAR(motion.work, -g, 1e-9);
    }
}

// v^2 = 2 g (1 - cos) + v0^2, and the force g cos - v^2 ends at cos = (2 g + v0^2) / (3 g).
TEST(EventStepper, ABeadLeavesASphereWhereTheForceEnds) {
    const double v0 = 0.5;
    LagrangianModel model{.name = "sphere"};
    model.systems.push_back(point(vector({0.0, 1.0}), vector({v0, 0.0}), constant({0.0, -g})));
    const Function gap = Function::from(4, 1, [](const auto& in, auto& out) {
        using std::sqrt;
        out[0] = sqrt(in[0] * in[0] + in[1] * in[1]) - 1.0;
    });
    model.interactions.push_back({.name = "sphere", .g = gap, .law = ContactLaw{}});
    const EventMotion motion(model, 0.8);
    ASSERT_EQ(motion.events.size(), 1u);
    EXPECT_EQ(motion.events[0].kind, Event::Kind::opening);
    EXPECT_NEAR(motion.events[0].before[1], (2.0 * g + v0 * v0) / (3.0 * g), 1e-9);
    const double energy = 0.5 * motion.end.v.squaredNorm() + g * motion.end.q[1];
    EXPECT_NEAR(energy, 0.5 * v0 * v0 + g, 1e-9);
}

TEST(EventStepper, FrictionStopsABlockAndHoldsIt) {
    const double mu = 0.3, v0 = 2.0, stop = v0 / (mu * g);
    LagrangianModel model{.name = "block"};
    model.systems.push_back(point(vector({0.0, 0.0}), vector({0.0, v0}), constant({-g, 0.0})));
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd::Identity(2, 2), .law = ContactLaw{.friction = mu}});
    const EventMotion motion(model, 1.5 * stop);
    ASSERT_EQ(motion.times(Event::Kind::sticking).size(), 1u);
    EXPECT_NEAR(motion.times(Event::Kind::sticking)[0], stop, 1e-10);
    EXPECT_NEAR(motion.end.q[1], v0 * v0 / (2.0 * mu * g), 1e-10);
    EXPECT_NEAR(motion.end.v[1], 0.0, 1e-14);
    EXPECT_NEAR(motion.work, -0.5 * v0 * v0, 1e-9);
}

// In space, pulled by a force across: the path is curved, and the block comes to rest if the force is small.
TEST(EventStepper, FrictionInSpaceStopsOnACurvedPath) {
    const double mu = 0.3;
    LagrangianModel model{.name = "block"};
    model.systems.push_back(point(vector({0.0, 0.0, 0.0}), vector({0.0, 1.0, 0.0}), constant({-g, 0.0, 0.1 * mu * g})));
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd::Identity(3, 3), .law = ContactLaw{.friction = mu}});
    const EventMotion motion(model, 1.0, 10, {.tolerance = 1e-9});
    EXPECT_EQ(motion.times(Event::Kind::sticking).size(), 1u);
    EXPECT_NEAR(motion.end.v.norm(), 0.0, 1e-8);
    EXPECT_GT(motion.end.q[2], 1e-3);
    EXPECT_NEAR(motion.end.force[2], -0.1 * mu * g, 1e-8);
}

// Sticks on a belt until the spring pulls with mu m g, at q = mu g / k; then it swings with the belt's speed as its
// largest, on a circle about that point, and sticks again after a whole turn.
TEST(EventStepper, StickSlipIsACircle) {
    const double mu = 0.1, speed = 0.5, reach = mu * g;
    LagrangianModel model{.name = "belt"};
    model.systems.push_back(point(vector({0.0, 0.0}), vector({0.0, speed}), constant({-g, 0.0})));
    model.systems[0].K = vector({0.0, 1.0}).asDiagonal().toDenseMatrix();
    LagrangianInteraction belt{.name = "belt", .G = Eigen::MatrixXd::Identity(2, 2), .law = ContactLaw{.friction = mu}};
    belt.e = Function::from(1, 2, [=](const auto& in, auto& out) {
        out[0] = 0.0 * in[0];
        out[1] = -speed * in[0];
    });
    model.interactions.push_back(belt);
    const EventMotion motion(model, 6.0);
    ASSERT_EQ(motion.times(Event::Kind::sliding).size(), 1u);
    const double slips = motion.times(Event::Kind::sliding)[0];
    EXPECT_NEAR(slips, reach / speed, 1e-9);
    EXPECT_NEAR(motion.end.q[1], reach + speed * std::sin(6.0 - slips), 1e-8);
}

TEST(EventStepper, AOneSidedSpringGivesBackTheSpeed) {
    const double k = 100.0, contact = std::numbers::pi / std::sqrt(k);
    LagrangianModel model{.name = "spring"};
    model.systems.push_back(point(vector({0.1}), vector({-1.0})));
    model.interactions.push_back({.name = "wall", .G = row({1.0}), .law = SpringLaw{.pieces = {{.stiffness = k}}}});
    const EventMotion motion(model, 0.3 + contact);
    ASSERT_EQ(motion.times(Event::Kind::switching).size(), 2u);
    EXPECT_NEAR(motion.times(Event::Kind::switching)[1] - motion.times(Event::Kind::switching)[0], contact, 1e-9);
    EXPECT_NEAR(motion.end.v[0], 1.0, 1e-9);
    EXPECT_NEAR(motion.end.q[0], 0.2, 1e-9);
}

TEST(EventStepper, JointsHoldAndEnergyIsKept) {
    LagrangianModel model{.name = "pendulum"};
    model.systems.push_back(point(vector({1.0, 0.0}), vector({0.0, 0.0}), constant({0.0, -g})));
    const Function length =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = 0.5 * (in[0] * in[0] + in[1] * in[1] - 1.0); });
    model.interactions.push_back({.name = "rod", .g = length, .law = JointLaw{}});
    const EventMotion motion(model, 10.0);
    EXPECT_NEAR(motion.end.q.norm(), 1.0, 1e-12);
    EXPECT_NEAR(0.5 * motion.end.v.squaredNorm() + g * motion.end.q[1], 0.0, 1e-7);
}

// Thrown at a ceiling which it misses by a hair, or hits as softly.
TEST(EventStepper, AGrazingContactIsSeen) {
    for (const double miss : {1e-6, -1e-6}) {
        LagrangianModel model{.name = "thrown"};
        const double v0 = 3.0, top = v0 * v0 / (2.0 * g);
        model.systems.push_back(point(vector({0.0}), vector({v0}), constant({-g})));
        model.interactions.push_back(
            {.name = "ceiling", .G = row({-1.0}), .e = constant({top + miss}), .law = ContactLaw{.restitution = 1.0}});
        const EventMotion motion(model, 0.5, 1);
        ASSERT_EQ(motion.events.size(), miss > 0.0 ? 0u : 1u);
        if (miss > 0.0) continue;
        EXPECT_NEAR(motion.events[0].t, v0 / g - std::sqrt(-2.0 * miss / g), 1e-9);
    }
}

TEST(EventStepper, ImpactsAtTheBeginningAndAtTheSameTime) {
    LagrangianModel model{.name = "pair"};
    model.systems.push_back(point(vector({0.0, 1.0}), vector({-1.0, -1.0})));
    model.interactions.push_back({.name = "left", .G = row({1.0, 0.0}), .law = ContactLaw{.restitution = 0.5}});
    model.interactions.push_back({.name = "right", .G = row({0.0, 1.0}), .law = ContactLaw{.restitution = 0.5}});
    const EventMotion motion(model, 2.0);
    ASSERT_EQ(motion.times(Event::Kind::impact).size(), 2u);
    EXPECT_EQ(motion.times(Event::Kind::impact)[0], 0.0);
    EXPECT_NEAR(motion.times(Event::Kind::impact)[1], 1.0, 1e-12);
    EXPECT_NEAR(motion.end.q[0], 1.0, 1e-12);
    EXPECT_NEAR(motion.end.q[1], 0.5, 1e-12);
}

// A tolerance near rounding: the motion is as exact as it can be, or ends with a reason and keeps what was reached.
TEST(EventStepper, ATinyToleranceEnds) {
    LagrangianModel pendulum{.name = "pendulum"};
    pendulum.systems.push_back(point(vector({1.0, 0.0}), vector({0.0, 0.0}), constant({0.0, -g})));
    const Function length =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = 0.5 * (in[0] * in[0] + in[1] * in[1] - 1.0); });
    pendulum.interactions.push_back({.name = "rod", .g = length, .law = JointLaw{}});
    for (const LagrangianModel& model : {ball(0.9), testing::bowl(), pendulum}) {
        const EventMotion motion(model, 2.0, 10, {.tolerance = 1e-14}, EventMotion::Ending::any);
        if (motion.has_failed) {
            EXPECT_NE(motion.message.find("is the tolerance too small"), std::string::npos) << motion.message;
        } else {
            EXPECT_NEAR(motion.end.t, 2.0, 1e-15);
        }
        EXPECT_TRUE(motion.end.q.allFinite());
    }
}

// A force that ceases to be a number, or pulls to infinity in a finite time: what was reached before is kept.
TEST(EventStepper, MotionsThatEndAreReported) {
    LagrangianModel model = ball(0.5);
    model.systems[0].b = {};
    model.systems[0].f = Function::from(3, 1, [](const auto& in, auto& out) {
        using std::sqrt;
        out[0] = -sqrt(in[0] - 0.5);
    });
    const EventMotion root(model, 5.0, 50, {}, EventMotion::Ending::any);
    EXPECT_TRUE(root.has_failed);
    EXPECT_GT(root.end.t, 0.5);
    EXPECT_NE(root.message.find("at t = "), std::string::npos) << root.message;
    model.systems[0].f = Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[0] * in[0] * in[0]; });
    const EventMotion pole(model, 5.0, 50, {}, EventMotion::Ending::any);
    EXPECT_TRUE(pole.has_failed);
    EXPECT_GT(pole.end.t, 1.0);
}

// By every method of the smooth motion: impacts, accumulation and rest of the ball, and a bead that slides in a bowl.
TEST(EventStepper, EveryMethodMeetsTheEvents) {
    for (const SmoothMethod method :
         {SmoothMethod::runge_kutta, SmoothMethod::bdf, SmoothMethod::radau, SmoothMethod::gauss}) {
        const EventMotion falls(ball(0.5), 2.0, 100, {.method = method});
        ASSERT_EQ(falls.times(Event::Kind::accumulation).size(), 1u) << static_cast<int>(method);
        EXPECT_NEAR(falls.times(Event::Kind::accumulation)[0], 3.0 * std::sqrt(2.0 / g), 1e-6);
        EXPECT_NEAR(falls.end.force[0], g, 1e-9);
        const EventMotion slides(testing::bowl(), 1.0, 100, {.method = method});
        EXPECT_NEAR(slides.end.q.norm(), 1.0, 1e-9);
        EXPECT_NEAR(0.5 * slides.end.v.squaredNorm() + g * slides.end.q[1], -0.8 * g, 1e-6);
    }
}

TEST(EventStepper, OptionsAreChecked) {
    EXPECT_EQ(refusal([] { EventStepper(ball(0.5), {.tolerance = 1e-20}, 0.1); }),
              "event-driven: the tolerance is 1e-20; it must be between 1e-14 and 0.1");
    EXPECT_EQ(refusal([] { EventStepper(ball(0.5), {.accumulation = 0.0}, 0.1); }),
              "event-driven: accumulation is 0; it must be positive");
    EXPECT_EQ(refusal([] { EventStepper(ball(0.5), {}, 0.0); }),
              "event-driven: the time between samples is 0; it must be positive");
    const auto with = [](const MechanicalLaw& law) {
        LagrangianModel model = ball(0.0);
        model.interactions[0].law = law;
        return refusal([&] { EventStepper(model, {}, 0.1); });
    };
    EXPECT_EQ(with(ContactLaw{.cohesion = 1.0}),
              "interaction 'ground': event-driven has no cohesion; take moreau-jean");
    EXPECT_EQ(with(SpringLaw{}),
              "interaction 'ground': event-driven has no springs that are rigid or whose gap depends on lambda; take "
              "moreau-jean");
}

}  // namespace
}  // namespace saltus
