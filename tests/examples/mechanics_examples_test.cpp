#include <gtest/gtest.h>

#include <numbers>

#include "saltus/simulation/maps.hpp"
#include "support/example.hpp"
#include "support/observed_order.hpp"
#include "support/sanitized.hpp"

// Mechanical examples against exact solutions, and against the event-accurate ones of scripts/references.
namespace saltus {
namespace {

using testing::Example;
using testing::example_path;
using testing::last;

constexpr double pi = std::numbers::pi;

TEST(MechanicalExamples, BouncingBallComesToRestAfterTheAccumulation) {
    const Example ball("bouncing_ball");
    const double first = 0.451523640985731;
    ASSERT_GE(ball.impacts().size(), 3u);
    EXPECT_NEAR(ball.impacts()[0].t, first, 2e-3);
    EXPECT_NEAR(ball.impacts()[1].t, first * (1.0 + 2.0 * 0.9), 4e-3);
    EXPECT_NEAR(ball.impacts().back().t, 8.578949178729, 0.1);
    EXPECT_NEAR(last(ball["ground.force[0]"]), 9.81, 1e-10);
    EXPECT_NEAR(last(ball["energy.total"]), 0.0, 1e-4);
    const Eigen::VectorXd energy = ball["energy.total"];
    EXPECT_LE((energy.tail(energy.size() - 1) - energy.head(energy.size() - 1)).maxCoeff(), 1e-12);
}

TEST(MechanicalExamples, FrictionOnALineAndOnAnIncline) {
    const Example line("friction_line");
    EXPECT_NEAR(last(line["block.q[0]"]), 9.0 / (2.0 * 0.3 * 9.81), 1e-5);
    EXPECT_EQ(last(line["block.v[0]"]), 0.0);
    const Example incline("incline");
    const Eigen::ArrayXd speed = incline["block.v[0]"].array().abs();
    const double tilts = std::atan(0.5) / 0.1;
    for (Index k = 0; k < speed.size(); ++k) ASSERT_TRUE(incline.t()[k] > tilts || speed[k] <= 1e-14) << incline.t()[k];
    // m v' = m g (sin - mu cos) from there on
    const double end = incline.t()[speed.size() - 1];
    const auto integral = [](double t) { return 9.81 * (-std::cos(0.1 * t) - 0.5 * std::sin(0.1 * t)) / 0.1; };
    EXPECT_NEAR(last(incline["block.v[0]"]), integral(end) - integral(tilts), 2e-3);
}

// It rides with the belt to q = mu g / k, then slides on the circle around there that touches the speed of the belt.
TEST(MechanicalExamples, StickSlip) {
    const Example block("stick_slip");
    const double leaves = 0.1 * 9.81 / 0.5;
    EXPECT_NEAR(block.at(leaves - 0.1, "block.v[0]"), 0.5, 1e-12);
    const Eigen::ArrayXd q = block["block.q[0]"].array() - 0.981, v = block["block.v[0]"].array();
    for (Index k = 0; k < q.size(); ++k)
        ASSERT_NEAR(block.t()[k] > leaves + 0.01 ? std::hypot(q[k], v[k]) : 0.5, 0.5, 2e-3);
}

TEST(MechanicalExamples, BallWithSpinSticksAtItsImpact) {
    const Example ball("rolling_ball");
    ASSERT_FALSE(ball.impacts().empty());
    const double after = ball.impacts()[0].t + 2e-3;
    EXPECT_NEAR(ball.at(after, "ball.v[0]"), 2.0 * 5.0 / 7.0, 1e-9);
    // (2/7) |v_T| > mu (1 + e) |v_N|: slips, and loses mu (1 + e) |v_N| of its speed
    const Example slips("rolling_ball", {{"mu", 0.05}});
    const double approach = -slips.impacts()[0].before;
    EXPECT_NEAR(slips.at(slips.impacts()[0].t + 2e-3, "ball.v[0]"), 2.0 - 0.05 * 1.5 * approach, 2e-3);
}

// Event-accurate impacts of the follower: time and velocity before.
TEST(MechanicalExamples, CamImpactsConvergeToTheExactOnes) {
    struct Case {
        double rpm, first, second, third;
    };
    for (const Case& c : {Case{358, 0.0928550954255149, 0.165402631610212, 0.201796409625917},
                          Case{660, 0.0905464124355960, 0.170172926467122, 0.246882922273165},
                          Case{700, 0.0900188064008101, 0.173660527842736, 0.257522230985057}}) {
        const Example cam("cam_follower", {{"rpm", c.rpm}}, 1e-5, 0.27);
        ASSERT_GE(cam.impacts().size(), 3u) << c.rpm;
        EXPECT_NEAR(cam.impacts()[0].t, c.first, 3e-5) << c.rpm;
        EXPECT_NEAR(cam.impacts()[1].t, c.second, 1e-4) << c.rpm;
        EXPECT_NEAR(cam.impacts()[2].t, c.third, 5e-4) << c.rpm;
    }
    const Example cam("cam_follower", {}, 1e-5, 0.1);
    EXPECT_NEAR(cam.at(0.05, "cam.gap"), 0.120498636634958, 2e-4);
    EXPECT_NEAR(cam.at(0.05, "follower.v[0]"), 2.10667670946975, 5e-3);
    EXPECT_NEAR(cam.impacts()[0].before / -12.5303212087985, 1.0, 0.02);
}

// From a point of the event-accurate attractors, (gap, v) at t = k 60 / rpm, the motion comes back to it.
TEST(MechanicalExamples, CamAttractors) {
    const auto stroboscope = [](double rpm, double gap, double v, double turns, double steps) {
        const ModelFile file = read_model_file(example_path("cam_follower"), {{"rpm", rpm}});
        LagrangianModel model = file.lagrangian();
        model.systems[0].q0[0] = gap + 0.1;
        model.systems[0].v0[0] = v;
        const double period = 60.0 / rpm;
        const MapPoints map = stroboscopic_map(model, {.step = period / steps, .t_end = turns * period}, period);
        EXPECT_EQ(map.report.end, RunReport::End::reached);
        return std::pair(map.points.channel("cam.gap"), map.points.channel("follower.v[0]"));
    };
    const std::vector<std::pair<double, double>> cycle{{0.101430580646554, -12.046085616045},
                                                       {0.0634157492931355, 8.34254682386697},
                                                       {0.0505207793724044, 4.23781541008328}};
    const auto [gaps, speeds] = stroboscope(358, cycle[0].first, cycle[0].second, 9.0, 50000.0);
    ASSERT_EQ(gaps.size(), 10);
    for (Index k = 0; k < gaps.size(); ++k) {
        const auto& [gap, speed] = cycle[static_cast<std::size_t>(k % 3)];
        EXPECT_NEAR(gaps[k], gap, 1e-3) << k;
        EXPECT_NEAR(speeds[k], speed, 0.05) << k;
    }
    const auto [fast_gaps, fast_speeds] = stroboscope(700, 1.4, -65.0, 40.0, 10000.0);
    EXPECT_NEAR(last(fast_gaps), 1.32791228222735, 5e-3);
    EXPECT_NEAR(last(fast_speeds), -66.2068419912684, 0.1);
}

TEST(MechanicalExamples, CamIsChaoticAt660) {
    SALTUS_SKIP_IF_SANITIZED();
    const ModelFile file = read_model_file(example_path("cam_follower"), {{"rpm", 660}});
    TimeStepping options = file.simulation;
    const double period = 60.0 / 660.0, turns = 150.0;
    options.step = 2e-5;
    options.t_end = (50.0 + turns) * period;
    const MapPoints map = impact_map(file.lagrangian(), options, {.from = 50.0 * period});
    // The event-accurate motion has 1.264 impacts per turn.
    EXPECT_NEAR(static_cast<double>(map.points.impacts.size()) / turns, 1.264, 0.06);
    // Two motions that begin a little apart part: by more than a step at an impact, since smaller differences of the
    // time of an impact do not show.
    const auto end = [&](double start) {
        LagrangianModel model = file.lagrangian();
        model.systems[0].q0[0] += start;
        TimeStepping run = options;
        run.t_end = 60.0 * period;
        return last(simulate(model, run).trajectory.channel("follower.q[0]"));
    };
    EXPECT_GT(std::abs(end(1e-2) - end(1.2e-2)), 1e-2);
}

TEST(MechanicalExamples, WoodpeckerFollowsTheExactEventsIntoItsLimitCycle) {
    const auto error = [](int power) {
        const Example bird("woodpecker", {}, 0.05 / std::pow(2.0, power), 0.05);
        return std::abs(last(bird["bird.q[0]"]) + 4.4074470458941e-3) +
               std::abs(last(bird["bird.q[2]"]) + 0.39298259274378);
    };
    EXPECT_LE(error(13), 1e-4);
    EXPECT_LT(error(13), 0.2 * error(8));
    const Example bird("woodpecker", {}, 2e-5, 3.0);
    std::vector<double> pecks;
    for (const Impact& impact : bird.impacts())
        if (impact.interaction == 0) pecks.push_back(impact.t);
    ASSERT_GE(pecks.size(), 15u);
    const double turns = 8.0, first = pecks[pecks.size() - 9], final = pecks.back();
    EXPECT_NEAR((final - first) / turns, 0.145976065143754, 2e-4);
    EXPECT_NEAR((bird.at(first, "bird.q[0]") - bird.at(final, "bird.q[0]")) / turns, 0.0194453792847181, 1e-4);
    const Eigen::VectorXd angle = bird["bird.q[2]"];
    EXPECT_NEAR(angle.tail(50000).minCoeff(), -0.529471967110848, 3e-3);
    EXPECT_NEAR(angle.tail(50000).maxCoeff(), 0.12, 1e-3);
}

// The same with steps of automatic length, two orders of magnitude closer.
TEST(MechanicalExamples, WoodpeckerPecksOnTime) {
    ModelFile file = read_model_file(example_path("woodpecker"));
    file.simulation.scheme = MoreauJean{.control = StepControl{.tolerance = 1e-5}};
    file.simulation.step = 0.01;
    file.simulation.t_end = 3.0;
    file.simulation.record_every = 5;
    const Simulation run = simulate(file.lagrangian(), file.simulation);
    ASSERT_EQ(run.report.end, RunReport::End::reached);
    EXPECT_EQ(run.report.forced, 0);
    EXPECT_EQ(run.trajectory.samples(), 61);
    EXPECT_NEAR(run.trajectory.channel("bird.q[0]")[1], -4.4074470458941e-3, 1e-6);
    EXPECT_NEAR(run.trajectory.channel("bird.q[2]")[1], -0.39298259274378, 1e-6);
    std::vector<double> pecks;
    for (const Impact& impact : run.trajectory.impacts)
        if (impact.interaction == 0) pecks.push_back(impact.t);
    ASSERT_GE(pecks.size(), 15u);
    EXPECT_NEAR((pecks.back() - pecks[pecks.size() - 9]) / 8.0, 0.145976065143754, 3e-5);
}

TEST(MechanicalExamples, RockingBlockLosesWhatHousnerSays) {
    SALTUS_SKIP_IF_SANITIZED();
    const Example block("rocking_block");
    std::vector<double> times;
    std::vector<Index> corners;
    for (const Impact& impact : block.impacts())
        if (corners.empty() || impact.interaction != corners.back()) {
            times.push_back(impact.t);
            corners.push_back(impact.interaction);
        }
    ASSERT_GE(times.size(), 3u);
    EXPECT_NEAR(times[0], 0.34709358678888131, 2e-3);
    EXPECT_NEAR(times[1], 0.95092053647766824, 5e-3);
    EXPECT_NEAR(times[2], 1.487939643105267, 8e-3);
    const double before = block.at(times[0] - 2e-4, "block.v[2]"), after = block.at(times[0] + 2e-4, "block.v[2]");
    EXPECT_NEAR(after / before, 0.942307692, 2e-3);
}

// No force solves the first step, a percussion does: the tip jams, and the rod turns about it.
TEST(MechanicalExamples, PainleveRodJams) {
    const Example rod("painleve_rod", {}, 1e-5, 0.1);
    EXPECT_NEAR(rod["tip.P[0]"][1], 0.3, 2e-4);
    EXPECT_NEAR(rod["tip.P[1]"][1], 0.4, 2e-4);
    EXPECT_NEAR(rod["rod.v[2]"][1], 0.6708203932499369, 2e-4);
    EXPECT_NEAR(last(rod["rod.q[2]"]), 1.158431096603137, 1e-4);
    EXPECT_NEAR(last(rod["rod.v[2]"]), 0.3605194684954773, 1e-4);
    // mu below (1 + 3 cos^2) / (3 sin cos) = 4/3: the tip keeps sliding
    const Example slides("painleve_rod", {{"mu", 1.2}}, 1e-5, 1e-3);
    EXPECT_LT(slides["tip.P[0]"][1], 1e-2);
    EXPECT_LT(last(slides["tip.u[1]"]), -0.5);
}

TEST(MechanicalExamples, SliderCrankStaysInItsGuide) {
    const Example crank("slider_crank", {}, 0.0, 0.05);
    for (const char* corner : {"upper_left", "upper_right", "lower_left", "lower_right"})
        EXPECT_GE(crank[std::string(corner) + ".gap"].minCoeff(), -1.01e-8) << corner;
    ASSERT_FALSE(crank.impacts().empty());
    EXPECT_NEAR(crank.impacts()[0].t, 0.0026925027520, 2e-5);
    EXPECT_NEAR(crank["energy.kinetic"][0], 7.49554875, 1e-12);
    const Eigen::VectorXd work = crank["energy.interactions"];
    EXPECT_LE(work.maxCoeff(), 1e-9);
}

TEST(MechanicalExamples, BarLeavesTheWallAndColumnCarriesItsWeight) {
    const Example bar("impacting_bar");
    const Eigen::VectorXd force = bar["wall.force[0]"];
    Index leaves = 0;
    for (Index k = 0; k < force.size(); ++k)
        if (force[k] > 0.0) leaves = k;
    EXPECT_NEAR(bar.t()[leaves], 2.0, 0.05);
    EXPECT_NEAR(bar["wall.P[0]"].sum(), 2.0, 0.06);
    const Example column("bead_column");
    EXPECT_NEAR(last(column["ground.force[0]"]), 98.1, 1e-9);
    EXPECT_NEAR(last(column["energy.kinetic"]), 0.0, 1e-20);
}

TEST(MechanicalExamples, ThreeBallsByTheLawOfTheImpact) {
    const auto velocities = [](double exponent) {
        const Example balls("three_balls", {{"exponent", exponent}});
        return Eigen::Vector3d(last(balls["first.v[0]"]), last(balls["second.v[0]"]), last(balls["third.v[0]"]));
    };
    EXPECT_LE((velocities(1.0) - Eigen::Vector3d(-0.1302616951, 0.1502295694, 0.9800321257)).cwiseAbs().maxCoeff(),
              1e-9);
    EXPECT_LE((velocities(1.5) - Eigen::Vector3d(-0.0709523537, 0.0764030391, 0.9945493146)).cwiseAbs().maxCoeff(),
              1e-9);
    // By Newton's law, though rounding leaves a gap of 3e-17 between the balls that touch.
    const ModelFile file = read_model_file(example_path("three_balls"));
    LagrangianModel model = file.lagrangian();
    for (LagrangianInteraction& contact : model.interactions) contact.law = ContactLaw{.restitution = 1.0};
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(D1Minus{}), Scheme(GeneralisedAlpha{})}) {
        TimeStepping options = file.simulation;
        options.scheme = scheme;
        const Simulation newton = simulate(model, options);
        int i = 0;
        for (const double velocity : {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}) {
            const std::string name = model.systems[static_cast<std::size_t>(i++)].name + ".v[0]";
            EXPECT_NEAR(last(newton.trajectory.channel(name)), velocity, 1e-9) << describe(scheme);
        }
    }
}

}  // namespace
}  // namespace saltus
