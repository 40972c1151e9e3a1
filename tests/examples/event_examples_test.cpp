#include <gtest/gtest.h>

#include <cmath>

#include "support/event_motion.hpp"
#include "support/example.hpp"

// The mechanical examples from event to event against the tables of scripts/references.
namespace saltus {
namespace {

using testing::EventMotion;
using testing::example_path;

LagrangianModel model_of(const std::string& name, const ParameterValues& values = {}) {
    return read_model_file(example_path(name), values).lagrangian();
}

void expect_times(const std::vector<double>& times, const std::vector<double>& exact, double tolerance) {
    ASSERT_GE(times.size(), exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) EXPECT_NEAR(times[k], exact[k], tolerance) << k;
}

TEST(EventExamples, CamFollowerLeavesAndMeetsItsCam) {
    struct Case {
        double rpm, leaves;
        std::vector<double> impacts;
    };
    const std::vector<Case> cases{
        {358,
         0.0280164671765169,
         {0.0928550954255149, 0.165402631610212, 0.201796409625917, 0.205467366750354, 0.208405523810455,
          0.210756762832125, 0.21263811962411, 0.214143392339336, 0.215347706434944, 0.216311206835774,
          0.217082032311889, 0.217698705573612, 0.218192050778383, 0.218586730319174, 0.252807397411701,
          0.315855990353651, 0.355686033703581, 0.429812285616892, 0.5052842072639}},
        {660,
         0.0151968109836258,
         {0.090546412435596, 0.170172926467122, 0.246882922273165, 0.320053618068343, 0.376516425299072,
          0.459132118680816, 0.544894329155045, 0.629551585460751, 0.712454281247675, 0.793186572865104}},
        {700,
         0.0143284217845615,
         {0.0900188064008101, 0.173660527842736, 0.257522230985057, 0.339928171822608, 0.420052615103118,
          0.497371022452821, 0.571276412215316, 0.616998530969455, 0.66041765882983, 0.699222017303873}}};
    for (const Case& c : cases) {
        const EventMotion motion(model_of("cam_follower", {{"rpm", c.rpm}}), 0.8, 10, {.tolerance = 1e-13});
        expect_times(motion.times(Event::Kind::opening), {c.leaves}, 1e-11);
        expect_times(motion.times(Event::Kind::impact), c.impacts, 1e-10);
    }
    // Too slow to leave it.
    EXPECT_TRUE(EventMotion(model_of("cam_follower", {{"rpm", 114.9}}), 1.0).events.empty());
}

TEST(EventExamples, RockingBlockComesToRest) {
    const EventMotion motion(model_of("rocking_block"), 10.0, 10, {.tolerance = 1e-12});
    expect_times(motion.times(Event::Kind::impact),
                 {0.34709358678888131, 0.95092053647766824, 1.487939643105267, 1.9720723345114981, 2.4125504879839928,
                  2.8159656585835404, 3.1872741788932215, 3.5303484984423976, 3.8483049862251567, 4.1437110886311931},
                 1e-11);
    for (const Index corner : {0, 1}) {
        const std::vector<double> rest = motion.times(Event::Kind::accumulation, corner);
        ASSERT_EQ(rest.size(), 1u);
        EXPECT_NEAR(rest[0], 8.6542457575760339, 1e-8);
    }
    EXPECT_NEAR(motion.end.force[0], 0.5 * 9.81, 1e-9);
    EXPECT_NEAR(motion.end.force[2], 0.5 * 9.81, 1e-9);
    EXPECT_LE(motion.end.v.norm(), 1e-15);
}

TEST(EventExamples, WoodpeckerSlipsFallsAndPecks) {
    LagrangianModel model = model_of("woodpecker");
    model.systems[0].q0[1] = -6.0 / 58.0;
    const EventMotion motion(model, 0.5, 10, {.tolerance = 1e-12});
    using Kind = Event::Kind;
    struct Expected {
        double t;
        Kind kind;
        Index contact;
    };
    const std::vector<Expected> expected{{0.02163631405330, Kind::sticking, 1}, {0.06121393124797, Kind::sliding, 1},
                                         {0.06702339814452, Kind::opening, 1},  {0.07787799228973, Kind::impact, 2},
                                         {0.08098880541865, Kind::impact, 0},   {0.08157532878961, Kind::impact, 2},
                                         {0.08341638557913, Kind::opening, 2},  {0.11867511294883, Kind::impact, 1}};
    ASSERT_GE(motion.events.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_EQ(motion.events[k].kind, expected[k].kind) << k;
        EXPECT_EQ(motion.events[k].interaction, expected[k].contact) << k;
        EXPECT_NEAR(motion.events[k].t, expected[k].t, 1e-10) << k;
    }
    EXPECT_NEAR(motion.end.q[0], -6.2610486134229e-02, 1e-10);
    EXPECT_NEAR(motion.end.q[2], -1.8722812492636e-01, 1e-9);
    EXPECT_NEAR(motion.end.v[2], 1.7504339604796e+01, 1e-7);
}

// Both upper corners hit together, and rest on the wall together.
TEST(EventExamples, SliderCrankAccumulatesAtTwoCorners) {
    const EventMotion motion(model_of("slider_crank", {{"mu", 0.0}}), 0.01, 10, {.tolerance = 1e-12});
    const std::vector<double> exact{0.0026925027520, 0.0056077978681, 0.0074656351696, 0.0084092527491,
                                    0.0088316421605, 0.0090091325754, 0.0090816046123, 0.0091108374661};
    for (const Index corner : {0, 1}) {
        expect_times(motion.times(Event::Kind::impact, corner), exact, 1e-10);
        expect_times(motion.times(Event::Kind::accumulation, corner), {0.0091304046}, 1e-9);
    }
    EXPECT_TRUE(motion.times(Event::Kind::impact, 2).empty());
    for (const double duration : {0.2, 0.07}) {
        const EventMotion whole(model_of("slider_crank"), duration, 50);
        EXPECT_LE(std::abs(whole.end.q[2]), 1e-6);
    }
}

// With short steps Moreau and Jean's scheme jams the tip by a percussion: so does the jump.
TEST(EventExamples, PainleveRodJumpsWhereNoForceContinues) {
    const EventMotion motion(model_of("painleve_rod"), 0.2, 4, {.tolerance = 1e-11});
    ASSERT_EQ(motion.events.size(), 1u);
    EXPECT_EQ(motion.events[0].kind, Event::Kind::jump);
    EXPECT_EQ(motion.events[0].t, 0.0);
    EXPECT_NEAR(motion.events[0].after[5], 0.6708203932499369, 1e-8);
    EXPECT_NEAR(motion.work, -0.2, 1e-8);
    EXPECT_NEAR(motion.end.q[2], 1.180063756040033, 1e-8);
    EXPECT_NEAR(motion.end.v[2], 0.07457411307239543, 1e-8);
    EXPECT_NEAR(motion.end.force[1] / motion.end.force[0], 0.2962945988707373, 1e-8);
    // The paradox begins at mu = (1 + 3 cos^2) / (3 sin cos), 4/3 for this angle.
    const EventMotion below(model_of("painleve_rod", {{"mu", 4.0 / 3.0 - 1e-3}}), 1e-5, 1);
    const EventMotion above(model_of("painleve_rod", {{"mu", 4.0 / 3.0 + 1e-3}}), 1e-5, 1);
    EXPECT_TRUE(below.times(Event::Kind::jump).empty());
    EXPECT_EQ(above.times(Event::Kind::jump).size(), 1u);
}

TEST(EventExamples, PainleveRodSlidesWhereItCan) {
    const EventMotion motion(model_of("painleve_rod", {{"mu", 0.5}, {"theta", 1.0}, {"speed", -3.0}}), 0.2, 4,
                             {.tolerance = 1e-11});
    EXPECT_TRUE(motion.events.empty());
    EXPECT_NEAR(motion.end.q[2], 0.9371704730958944, 1e-10);
    EXPECT_NEAR(motion.end.v[2], -0.6649947789009122, 1e-10);
    EXPECT_NEAR(motion.end.u[1], -2.751771966446805, 1e-10);
    EXPECT_NEAR(motion.end.force[0], 7.076431426564082, 1e-8);
}

TEST(EventExamples, ThreeBallsByEachLaw) {
    LagrangianModel model = model_of("three_balls");
    const EventMotion cascade(model, 1.0);
    EXPECT_LE((cascade.end.v - Eigen::Vector3d(-0.13026169506452105, 0.15022956943477409, 0.98003212562974696)).norm(),
              1e-9);
    for (const double e : {0.0, 0.5, 0.9, 1.0}) {
        for (LagrangianInteraction& contact : model.interactions) contact.law = ContactLaw{.restitution = e};
        const EventMotion newton(model, 1.0);
        const double others = (1.0 + e) / 3.0;
        EXPECT_LE((newton.end.v - Eigen::Vector3d(1.0 - 2.0 * others, others, others)).norm(), 1e-12) << e;
    }
}

}  // namespace
}  // namespace saltus
