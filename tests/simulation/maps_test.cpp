#include "saltus/simulation/maps.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::refusal;

// q'' = -q, q(0) = 1.
LagrangianModel oscillator() {
    LagrangianModel model{.name = "oscillator"};
    model.systems.push_back({.name = "mass",
                             .q0 = Eigen::VectorXd::Ones(1),
                             .v0 = Eigen::VectorXd::Zero(1),
                             .K = Eigen::MatrixXd::Identity(1, 1)});
    return model;
}

constexpr double period = 2.0 * std::numbers::pi;

TEST(Maps, StroboscopeSeesThePeriodExactly) {
    const MapPoints map =
        stroboscopic_map(oscillator(), {.step = 1e-3, .t_end = 10.5 * period}, period, {.from = 20.0});
    EXPECT_EQ(map.report.end, RunReport::End::reached);
    ASSERT_EQ(map.points.samples(), 7);
    for (Index k = 0; k < 7; ++k) {
        EXPECT_NEAR(map.points.times[static_cast<std::size_t>(k)], static_cast<double>(k + 4) * period, 1e-9);
        EXPECT_NEAR(map.points.value(k, 0), 1.0, 1e-6);
    }
    EXPECT_EQ(refusal([] { stroboscopic_map(oscillator(), {.step = 1e-3, .t_end = 1.0}, 2.0); }),
              "stroboscopic map: the run ends after 1, before the period 2 is over");
}

TEST(Maps, SectionIsPassedUpwards) {
    const MapPoints map = poincare_map(oscillator(), {.step = 1e-3, .t_end = 20.0}, {"mass.q[0]", 0.5});
    ASSERT_EQ(map.points.samples(), 3);  // where cos t passes 1/2 upwards: 2 pi k - pi / 3
    for (Index k = 0; k < 3; ++k) {
        EXPECT_NEAR(map.points.times[static_cast<std::size_t>(k)], period * static_cast<double>(k + 1) - period / 6.0,
                    1e-5);
        EXPECT_NEAR(map.points.value(k, 0), 0.5, 1e-12);
        EXPECT_NEAR(map.points.value(k, 1), std::sqrt(0.75), 1e-5);
    }
    EXPECT_EQ(refusal([] {
                  poincare_map(oscillator(), {.step = 1e-3, .t_end = 1.0}, {"mass.p[0]", 0.5});
              }),
              "there is no channel 'mass.p[0]'; did you mean 'mass.q[0]'?");
}

TEST(Maps, ImpactsAreThoseOfTheRunWithoutItsSamples) {
    LagrangianModel model = oscillator();
    model.interactions.push_back(
        {.name = "stop", .G = Eigen::MatrixXd::Identity(1, 1), .law = ContactLaw{.restitution = 1.0}});
    const TimeStepping options{.step = 1e-3, .t_end = 20.0};
    const MapPoints map = impact_map(model, options, {.from = 5.0});
    const std::vector<Impact> all = simulate(model, options).trajectory.impacts;
    ASSERT_EQ(all.size(), map.points.impacts.size() + 2);
    for (std::size_t k = 0; k < map.points.impacts.size(); ++k) {
        EXPECT_EQ(map.points.impacts[k].t, all[k + 2].t);
        EXPECT_EQ(map.points.impacts[k].after, -map.points.impacts[k].before);
        EXPECT_NEAR(map.points.impacts[k].t, std::numbers::pi * (static_cast<double>(k) + 2.5), 2e-2);
    }
    EXPECT_EQ(map.points.samples(), 0);
}

}  // namespace
}  // namespace saltus
