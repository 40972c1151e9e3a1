#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "saltus/model/function_from.hpp"
#include "support/event_motion.hpp"
#include "support/point_masses.hpp"

// Contacts with friction from event to event: exact motions in the plane and in space, alone and several at once.
namespace saltus {
namespace {

using testing::constant;
using testing::EventMotion;
using testing::point;
using testing::vector;

constexpr double weight = testing::gravity;  // of a mass of 1

// A mass on the ground, coordinates (height, tangential ...), pulled by a force of time.
LagrangianModel pulled(const Eigen::VectorXd& v0, double mu, Function force) {
    LagrangianModel model{.name = "pulled"};
    const Index n = v0.size();
    model.systems.push_back(point(Eigen::VectorXd::Zero(n), v0, std::move(force)));
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd::Identity(n, n), .law = ContactLaw{.friction = mu}});
    return model;
}

// Against a force of 2 mu m g it stops after v0 / (3 mu g), and comes back with mu g.
TEST(EventFriction, SlidingIsReversedInThePlaneAndInSpace) {
    const double mu = 0.3, v0 = 2.0, stop = v0 / (3.0 * mu * weight), back = 0.5;
    const double x = 0.5 * v0 * stop - 0.5 * mu * weight * back * back;
    const EventMotion plane(pulled(vector({0.0, v0}), mu, constant({-weight, -2.0 * mu * weight})), stop + back);
    ASSERT_EQ(plane.events.size(), 1u);
    EXPECT_EQ(plane.events[0].kind, Event::Kind::sticking);
    EXPECT_NEAR(plane.events[0].t, stop, 1e-10);
    EXPECT_NEAR(plane.end.q[1], x, 1e-9);
    const double c = std::cos(0.3), s = std::sin(0.3);
    const EventMotion space(
        pulled(vector({0.0, c * v0, s * v0}), mu, constant({-weight, -2.0 * c * mu * weight, -2.0 * s * mu * weight})),
        stop + back);
    EXPECT_EQ(space.times(Event::Kind::sticking).size(), 1u);
    EXPECT_NEAR(space.end.q[1], c * x, 1e-7);
    EXPECT_NEAR(space.end.q[2], s * x, 1e-7);
    EXPECT_NEAR(space.end.v.tail(2).norm(), mu * weight * back, 1e-7);
}

// A force of k mu m g along the second direction, a the angle of the velocity from it:
//     |v|' = mu g (k cos a - 1),   |v| a' = -k mu g sin a,   so that   |v| sin a tan(a / 2)^(-1/k)   stays.
TEST(EventFriction, TheDirectionOfSlidingTurns) {
    const double mu = 0.3, k = 2.0;
    const auto invariant = [k](const LagrangianState& state) {
        const double speed = state.v.tail(2).norm(), angle = std::atan2(state.v[1], state.v[2]);
        return speed * std::sin(angle) * std::pow(std::tan(0.5 * angle), -1.0 / k);
    };
    for (const double v0 : {1.0, 1e-2, 1e-4}) {
        // Almost against the force: the speed falls to a small part of v0 before it turns.
        LagrangianModel model = pulled(vector({0.0, 0.1 * v0, -v0}), mu, constant({-weight, 0.0, k * mu * weight}));
        LagrangianState begin;
        begin.v = model.systems[0].v0;
        const EventMotion motion(model, v0 / (mu * weight), 10);
        EXPECT_TRUE(motion.events.empty()) << v0;
        EXPECT_NEAR(invariant(motion.end) / invariant(begin), 1.0, 1e-8) << v0;
        EXPECT_GT(motion.end.v[2], 0.1 * v0);
    }
}

// The force turns and grows; it slips when |F| = mu m g, in its direction at first.
TEST(EventFriction, StickingEndsInSpace) {
    const double mu = 0.5, across = 0.3 * mu * weight, slips = std::sqrt(1.0 - 0.09) * mu * weight;
    const Function force = Function::from(1, 3, [=](const auto& in, auto& out) {
        out[0] = 0.0 * in[0] - weight;
        out[1] = in[0];
        out[2] = 0.0 * in[0] + across;
    });
    const EventMotion motion(pulled(vector({0.0, 0.0, 0.0}), mu, force), slips + 0.5, 20);
    const EventMotion exact(pulled(vector({0.0, 0.0, 0.0}), mu, force), slips + 0.5, 20, {.tolerance = 1e-12});
    EXPECT_LE((motion.end.v - exact.end.v).norm(), 1e-10);
    ASSERT_EQ(motion.events.size(), 1u);
    EXPECT_EQ(motion.events[0].kind, Event::Kind::sliding);
    EXPECT_NEAR(motion.events[0].t, slips, 1e-9);
    // Friction takes power mu m g |v|, and the law holds at the end.
    EXPECT_NEAR(motion.end.force.tail(2).norm(), mu * weight, 1e-9);
    EXPECT_NEAR(motion.end.force.tail(2).normalized().dot(motion.end.v.tail(2).normalized()), -1.0, 1e-12);
    EXPECT_GT(motion.end.v[1], 0.0);
    EXPECT_GT(motion.end.v[2], 0.0);
}

// A block, half width b and height h of its centre, on two feet: (height, x, angle), small angles.
LagrangianModel block_on_feet(double mu, double b, double h, double speed) {
    LagrangianModel model{.name = "block"};
    model.systems.push_back(point(vector({0.0, 0.0, 0.0}), vector({0.0, speed, 0.0}), constant({-weight, 0.0, 0.0})));
    model.systems[0].M = vector({1.0, 1.0, 0.1}).asDiagonal().toDenseMatrix();
    for (const double side : {-1.0, 1.0}) {
        Eigen::MatrixXd G(2, 3);
        G << 1.0, 0.0, side * b, 0.0, 1.0, h;
        model.interactions.push_back(
            {.name = side < 0.0 ? "left" : "right", .G = G, .law = ContactLaw{.friction = mu}});
    }
    return model;
}

// N_left + N_right = m g; b (N_right - N_left) + h (F_left + F_right) = 0, F = -mu m g.
TEST(EventFriction, TwoFeetShareTheLoadAndStop) {
    const double mu = 0.4, b = 0.5, h = 0.3, speed = 3.0, stop = speed / (mu * weight);
    const EventMotion slides(block_on_feet(mu, b, h, speed), 0.5 * stop);
    EXPECT_NEAR(slides.end.force[0], 0.5 * weight * (1.0 - mu * h / b), 1e-9);
    EXPECT_NEAR(slides.end.force[2], 0.5 * weight * (1.0 + mu * h / b), 1e-9);
    EXPECT_TRUE(slides.events.empty());
    const EventMotion stops(block_on_feet(mu, b, h, speed), 1.5 * stop);
    ASSERT_EQ(stops.events.size(), 2u);  // both feet
    for (const Event& event : stops.events) {
        EXPECT_EQ(event.kind, Event::Kind::sticking);
        EXPECT_NEAR(event.t, stop, 1e-10);
    }
    EXPECT_NEAR(stops.end.q[1], 0.5 * speed * stop, 1e-9);
    EXPECT_NEAR(stops.end.force[0], 0.5 * weight, 1e-9);
    EXPECT_NEAR(stops.end.force[2], 0.5 * weight, 1e-9);
    EXPECT_NEAR(stops.end.force[1] + stops.end.force[3], 0.0, 1e-9);
}

// The left foot carries a tenth of the weight, and could not hold half of the pull: the other does, and both stick.
// When the pull is mu m g they slide together.
TEST(EventFriction, AFootHoldsWhatTheOtherCannot) {
    const double mu = 0.4, b = 0.5, t_end = 1.2;
    LagrangianModel model = block_on_feet(mu, b, 0.0, 0.0);
    model.systems[0].b = Function::from(1, 3, [=](const auto& in, auto& out) {
        out[0] = 0.0 * in[0] - weight;
        out[1] = mu * weight * in[0];
        out[2] = 0.0 * in[0] - 0.8 * b * weight;
    });
    const EventMotion motion(model, t_end);
    ASSERT_EQ(motion.times(Event::Kind::sliding).size(), 2u);
    EXPECT_EQ(motion.events.size(), 2u);
    for (const Event& event : motion.events) EXPECT_NEAR(event.t, 1.0, 1e-5);
    EXPECT_NEAR(motion.end.v[1], 0.5 * mu * weight * (t_end - 1.0) * (t_end - 1.0), 1e-5);
    EXPECT_NEAR(motion.end.force[0], 0.1 * weight, 1e-9);
    EXPECT_NEAR(motion.end.force[2], 0.9 * weight, 1e-9);
}

// mu h > b: the block tips over its front foot; the other opens at once.
TEST(EventFriction, ATallBlockTips) {
    const EventMotion motion(block_on_feet(0.8, 0.3, 0.5, 3.0), 0.05);
    EXPECT_EQ(motion.end.force[0], 0.0);
    EXPECT_GT(motion.end.y[0], 1e-4);
    EXPECT_LT(std::abs(motion.end.y[2]), 1e-12);
}

// Four feet in space, (z, x, y, two tilts): the loads of the feet are not unique, the motion is.
TEST(EventFriction, FourFeetStopAsOne) {
    const double mu = 0.4, a = 0.5, b = 0.4, h = 0.2;
    const Eigen::Vector2d speed(2.0, 1.0);
    LagrangianModel model{.name = "table"};
    model.systems.push_back(point(Eigen::VectorXd::Zero(5), vector({0.0, speed[0], speed[1], 0.0, 0.0}),
                                  constant({-weight, 0.0, 0.0, 0.0, 0.0})));
    model.systems[0].M = vector({1.0, 1.0, 1.0, 0.1, 0.1}).asDiagonal().toDenseMatrix();
    for (int foot = 0; foot < 4; ++foot) {
        Eigen::MatrixXd G(3, 5);
        G << 1.0, 0.0, 0.0, foot % 2 ? a : -a, foot / 2 ? b : -b, 0.0, 1.0, 0.0, h, 0.0, 0.0, 0.0, 1.0, 0.0, h;
        model.interactions.push_back(
            {.name = "foot " + std::to_string(foot), .G = G, .law = ContactLaw{.friction = mu}});
    }
    const double stop = speed.norm() / (mu * weight);
    const EventMotion motion(model, 1.5 * stop);
    EXPECT_EQ(motion.times(Event::Kind::sticking).size(), 4u);
    for (const double t : motion.times(Event::Kind::sticking)) EXPECT_NEAR(t, stop, 1e-7);
    EXPECT_NEAR(motion.end.q[1], 0.5 * speed[0] * stop, 1e-7);
    EXPECT_NEAR(motion.end.q[2], 0.5 * speed[1] * stop, 1e-7);
    EXPECT_LE(motion.end.v.norm(), 1e-12);
    double load = 0.0;
    for (int foot = 0; foot < 4; ++foot) load += motion.end.force[3 * foot];
    EXPECT_NEAR(load, weight, 1e-9);
}

// A table falls on its feet, in any position, and is pulled: contacts only take energy, no foot enters the ground, and
// what is slower than the friction allows comes to rest.
TEST(EventFriction, ATableFallsOnItsFeet) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 generator(seed);
        const auto any = [&](double from, double to) {
            return std::uniform_real_distribution<double>(from, to)(generator);
        };
        const double e = seed % 3 == 0 ? 0.0 : any(0.0, 0.8), mu = any(0.2, 0.8), a = any(0.2, 1.0), b = any(0.2, 1.0);
        LagrangianModel model{.name = "table"};
        model.systems.push_back(
            point(vector({any(0.1, 0.3), 0.0, 0.0, any(-0.05, 0.05), any(-0.05, 0.05)}),
                  vector({any(-1.0, 1.0), any(-0.5, 0.5), any(-0.5, 0.5), any(-0.5, 0.5), any(-0.5, 0.5)}),
                  constant({-weight, any(-1.0, 1.0), 0.0, 0.0, 0.0})));
        model.systems[0].M = vector({1.0, 1.0, 1.0, any(0.05, 0.3), any(0.05, 0.3)}).asDiagonal().toDenseMatrix();
        for (int foot = 0; foot < 4; ++foot) {
            Eigen::MatrixXd G = Eigen::MatrixXd::Zero(3, 5);
            G.leftCols(3).setIdentity();
            G(0, 3) = foot % 2 ? a : -a;
            G(0, 4) = foot / 2 ? b : -b;
            model.interactions.push_back(
                {.name = "foot " + std::to_string(foot), .G = G, .law = ContactLaw{.restitution = e, .friction = mu}});
        }
        const EventMotion motion(model, 12.0, 24);
        EXPECT_LE(motion.work, 0.0) << seed;
        EXPECT_LE(motion.end.v.norm(), 1e-9) << seed;
        for (int foot = 0; foot < 4; ++foot) EXPECT_NEAR(motion.end.y[3 * foot], 0.0, 1e-12) << seed;
        EXPECT_TRUE(motion.times(Event::Kind::jump).empty()) << seed;
    }
}

// A plate on two contacts, lifted by a force that grows: both open when it is the weight.
TEST(EventFriction, ContactsOpenTogether) {
    LagrangianModel model = block_on_feet(0.4, 0.5, 0.0, 0.0);
    model.systems[0].b = Function::from(1, 3, [](const auto& in, auto& out) {
        out[0] = weight * (in[0] - 1.0);
        out[1] = 0.0 * in[0];
        out[2] = 0.0 * in[0];
    });
    const EventMotion motion(model, 2.0);
    ASSERT_EQ(motion.events.size(), 2u);
    for (const Event& event : motion.events) {
        EXPECT_EQ(event.kind, Event::Kind::opening);
        EXPECT_NEAR(event.t, 1.0, 1e-9);
    }
    EXPECT_NEAR(motion.end.q[0], weight / 6.0, 1e-8);
}

// Both feet touch the ground together, or one of them later by less than rounding can resolve.
TEST(EventFriction, FeetThatTouchTogetherHaveOneImpact) {
    for (const double tilt : {0.0, 1e-16, 1e-13}) {
        LagrangianModel model = block_on_feet(0.4, 0.5, 0.0, 0.0);
        model.systems[0].q0 = vector({1.0, 0.0, tilt});
        for (LagrangianInteraction& foot : model.interactions) std::get<ContactLaw>(foot.law).restitution = 0.5;
        const double first = std::sqrt(2.0 / weight);
        const EventMotion motion(model, 1.5 * first);
        ASSERT_EQ(motion.times(Event::Kind::impact).size(), 2u) << tilt;
        for (const double t : motion.times(Event::Kind::impact)) EXPECT_NEAR(t, first, 1e-12);
        EXPECT_NEAR(motion.end.v[2], 0.0, 1e-9) << tilt;
    }
}

// An impact moves a mass that a friction of velocities held: y = v is no longer held.
TEST(EventFriction, AnImpactTearsAHeldMassLoose) {
    LagrangianModel model{.name = "struck"};
    model.systems.push_back(point(vector({-1.0}), vector({1.0})));
    model.systems.push_back(point(vector({0.0}), vector({0.0})));
    model.systems[1].name = "held";
    const Function velocity = Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[1]; });
    model.interactions.push_back(
        {.name = "friction", .systems = {1}, .h = velocity, .law = RelayLaw{.bounds = {{-0.5, 0.5}}}});
    model.interactions.push_back(
        {.name = "contact", .systems = {0, 1}, .G = testing::row({-1.0, 1.0}), .law = ContactLaw{.restitution = 1.0}});
    const EventMotion motion(model, 4.0);
    // Takes over the speed 1 at t = 1 and stops after 1 / 0.5.
    EXPECT_NEAR(motion.end.q[1], 1.0, 1e-9);
    EXPECT_NEAR(motion.end.v[1], 0.0, 1e-12);
    EXPECT_NEAR(motion.end.q[0], 0.0, 1e-12);
}

}  // namespace
}  // namespace saltus
