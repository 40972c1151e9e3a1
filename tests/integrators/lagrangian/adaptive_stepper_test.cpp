#include "saltus/integrators/lagrangian/adaptive_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/model/function_from.hpp"
#include "support/allocations.hpp"
#include "support/point_masses.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::ball;
using testing::constant;
using testing::point;
using testing::refusal;
using testing::row;
using testing::vector;

constexpr double g = testing::gravity;

MoreauJean with_tolerance(double tolerance, double min_step = 0.0) {
    MoreauJean scheme;
    scheme.control = StepControl{.tolerance = tolerance, .min_step = min_step};
    return scheme;
}

// Steps to the end of `count` steps of the longest length; visit(state, stepper) after each.
template <class Visit>
void run_to(AdaptiveStepper& stepper, long count, Visit visit) {
    LagrangianState state;
    while (stepper.steps() < count) {
        ASSERT_NE(stepper.step(), StepOutcome::failed) << stepper.report().message;
        stepper.read(state);
        visit(state);
    }
}
LagrangianState end_of(AdaptiveStepper& stepper, long count) {
    LagrangianState end;
    run_to(stepper, count, [&](const LagrangianState& state) { end = state; });
    return end;
}

// The height of a ball that falls from 1 with restitution e, and its impacts up to t.
struct BallMotion {
    double height = 0.0;
    std::vector<double> impacts{};

    BallMotion(double e, double t) {
        double start = 0.0, speed = 0.0, from = 1.0, flight = std::sqrt(2.0 / g);
        while (start + flight < t) {
            start += flight;
            impacts.push_back(start);
            speed = impacts.size() == 1 ? e * std::sqrt(2.0 * g) : e * speed;
            flight = 2.0 * speed / g;
            from = 0.0;
        }
        height = from + speed * (t - start) - 0.5 * g * (t - start) * (t - start);
    }
};

LagrangianModel oscillator() {
    LagrangianModel model{.name = "oscillator"};
    model.systems.push_back(point(vector({1.0}), vector({0.0})));
    model.systems[0].K = Eigen::MatrixXd::Constant(1, 1, 4.0);
    return model;
}

TEST(AdaptiveStepper, TheBallIsWhereItIsWithinTheTolerance) {
    const BallMotion exact(0.8, 2.0);
    ASSERT_EQ(exact.impacts.size(), 3u);
    for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-8}) {
        AdaptiveStepper stepper(ball(0.8), with_tolerance(tolerance), 0.1);
        std::vector<double> impacts;
        const auto note = [&](const Impact& impact) { impacts.push_back(impact.t); };
        LagrangianState end;
        run_to(stepper, 20, [&](const LagrangianState& state) {
            stepper.for_each_impact(note);
            end = state;
        });
        EXPECT_NEAR(end.q[0], exact.height, 10.0 * tolerance);
        ASSERT_EQ(impacts.size(), exact.impacts.size()) << tolerance;
        for (std::size_t k = 0; k < impacts.size(); ++k) EXPECT_NEAR(impacts[k], exact.impacts[k], 5.0 * tolerance);
        EXPECT_EQ(stepper.forced(), 0);
    }
}

// Wherever in a step the impact lies: too late or too early in the step and in both of its halves.
TEST(AdaptiveStepper, NoImpactHidesInAStep) {
    const double tolerance = 1e-5;
    for (const double theta : {0.5, 1.0})
        for (int k = 0; k < 64; ++k) {
            LagrangianModel model = ball(0.5);
            model.systems[0] = point(vector({0.5}), vector({-1.0}));
            const double h = 0.1 + 0.05 * k / 64.0;
            MoreauJean scheme = with_tolerance(tolerance);
            scheme.theta = theta;
            AdaptiveStepper stepper(model, scheme, h);
            EXPECT_NEAR(end_of(stepper, 10).q[0], 0.5 * (10.0 * h - 0.5), 2.0 * tolerance) << theta << " " << h;
        }
}

// What a projection corrects counts as an error too.
TEST(AdaptiveStepper, ProjectionsHideNoImpact) {
    const double tolerance = 1e-6;
    for (const Projection projection : {Projection::direct, Projection::combined}) {
        LagrangianModel model{.name = "between walls"};
        model.systems.push_back(point(vector({0.3}), vector({1.7})));
        for (const double side : {1.0, -1.0})
            model.interactions.push_back({.name = side > 0.0 ? "left" : "right",
                                          .G = row({side}),
                                          .e = constant({side > 0.0 ? 0.0 : 1.0}),
                                          .law = ContactLaw{.restitution = 1.0}});
        MoreauJean scheme = with_tolerance(tolerance);
        scheme.projection = projection;
        AdaptiveStepper stepper(model, scheme, 0.1);
        EXPECT_NEAR(end_of(stepper, 200).q[0], 0.3, 34.0 * tolerance);  // as many impacts
    }
}

// While a contact carries them, forces move nothing; a load that turns must be seen all the same.
TEST(AdaptiveStepper, AForceThatAContactCarriesCounts) {
    LagrangianModel model{.name = "released"};
    model.systems.push_back(point(vector({0.0}), vector({0.0})));
    model.systems[0].b = Function::from(1, 1, [](const auto& in, auto& out) { out[0] = in[0] < 2.0 ? -20.0 : 1.0; });
    model.interactions.push_back({.name = "ground", .G = row({1.0}), .law = ContactLaw{}});
    AdaptiveStepper stepper(model, with_tolerance(1e-6), 0.3);
    EXPECT_NEAR(end_of(stepper, 10).q[0], 0.5, 1e-6);
}

TEST(AdaptiveStepper, WhatCannotBeSolvedIsPassedInLongSteps) {
    LagrangianModel model{.name = "root"};
    model.systems.push_back(point(vector({0.0}), vector({0.0})));
    model.systems[0].b = Function::from(1, 1, [](const auto& in, auto& out) {
        using std::sqrt;
        out[0] = sqrt(1.0 - in[0]);
    });
    AdaptiveStepper stepper(model, with_tolerance(1e-6), 0.03);
    while (stepper.step() != StepOutcome::failed) ASSERT_LT(stepper.steps(), 40);
    EXPECT_LE(stepper.t(), 1.0);
    EXPECT_LT(stepper.h(), 1e-9);  // of the step that failed
    const double before = stepper.t();
    for (int k = 0; k < 100 && stepper.t() < 1.1; ++k)
        if (stepper.step() == StepOutcome::failed) {
            ASSERT_TRUE(stepper.accept_unsolved());
        }
    EXPECT_GE(stepper.t(), before + 0.03);
}

// Between impacts a step is as long as it may be; each impact costs a multiple of log2(h / tolerance) steps.
TEST(AdaptiveStepper, AnImpactCostsTheLogarithmOfTheTolerance) {
    std::vector<long> tried;
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
        AdaptiveStepper stepper(ball(0.8), with_tolerance(tolerance), 0.1);
        end_of(stepper, 20);
        tried.push_back(stepper.made() + stepper.refused());
    }
    EXPECT_LE(tried[0], 150);
    const auto growth = static_cast<double>(tried[1] - tried[0]);
    EXPECT_GT(growth, 0.0);
    EXPECT_NEAR(static_cast<double>(tried[2] - tried[1]), growth, 0.3 * growth);
}

// The error of a step is h^3, the number of steps tolerance^(-1/3), the error of the end tolerance^(2/3).
TEST(AdaptiveStepper, SmoothMotionIsOfSecondOrder) {
    const auto made = [](double tolerance, double& error) {
        AdaptiveStepper stepper(oscillator(), with_tolerance(tolerance), 0.5);
        error = std::abs(end_of(stepper, 20).q[0] - std::cos(20.0));
        return static_cast<double>(stepper.made());
    };
    double coarse = 0.0, fine = 0.0;
    const double few = made(1e-4, coarse), many = made(1e-4 / 4096.0, fine);
    EXPECT_NEAR(many / few, 16.0, 4.0);
    EXPECT_NEAR(std::log2(coarse / fine), 8.0, 1.0);
    EXPECT_LE(fine, 4.0 * std::pow(1e-4 / 4096.0, 2.0 / 3.0));
}

TEST(AdaptiveStepper, TimesMeetThoseOfTheLongestSteps) {
    const double h = 0.07;
    LagrangianModel model = ball(0.6);
    model.t0 = 3.0;
    AdaptiveStepper stepper(model, with_tolerance(1e-6), h);
    std::vector<double> met;
    bool is_divided = false;
    run_to(stepper, 30, [&](const LagrangianState& state) {
        EXPECT_EQ(state.t, stepper.t());
        is_divided = is_divided || stepper.is_between();
        if (!stepper.is_between()) met.push_back(state.t);
    });
    EXPECT_TRUE(is_divided);
    ASSERT_EQ(met.size(), 30u);
    for (std::size_t k = 0; k < 30; ++k) EXPECT_DOUBLE_EQ(met[k], 3.0 + static_cast<double>(k + 1) * h);
}

// m (v - v0) = sum P - m g t: no percussion is lost or counted twice.
TEST(AdaptiveStepper, PercussionsAreTheChangeOfMomentum) {
    AdaptiveStepper stepper(ball(0.5), with_tolerance(1e-5), 0.05);
    double sum = 0.0, force = 0.0;
    run_to(stepper, 80, [&](const LagrangianState& state) {
        sum += state.P[0];
        EXPECT_NEAR(state.v[0], sum - g * state.t, 1e-11);
        force = state.P[0] / stepper.h();
    });
    EXPECT_NEAR(force, g, 1e-10);
    EXPECT_NEAR(stepper.work(), -g, 1e-4);  // all the energy of the ball
}

TEST(AdaptiveStepper, SaysWhereTheShortestStepIsTooLong) {
    AdaptiveStepper stepper(ball(0.8), with_tolerance(1e-8, 1e-3), 0.1);
    end_of(stepper, 20);
    EXPECT_GE(stepper.forced(), 3);
    EXPECT_GE(stepper.shortest(), 1e-3);
    EXPECT_LT(stepper.shortest(), 2e-3);
}

// A load which no allowed step can follow.
TEST(AdaptiveStepper, GivesUpWhereNoStepMeetsTheTolerance) {
    LagrangianModel model{.name = "humming"};
    model.systems.push_back(point(vector({0.0}), vector({0.0})));
    model.systems[0].b = Function::from(1, 1, [](const auto& in, auto& out) {
        using std::sin;
        out[0] = 1e3 * sin(1e7 * in[0]);
    });
    AdaptiveStepper stepper(model, with_tolerance(1e-9, 1e-3), 1e-3);
    while (stepper.step() != StepOutcome::failed) ASSERT_LT(stepper.steps(), 20000);
    EXPECT_EQ(stepper.report().message,
              "10000 steps of the shortest length, 0.001, in turn have a larger error than the tolerance, 1e-09; raise "
              "tolerance or min_step");
}

// A weight hangs from a brittle ceiling. A load of 10 t breaks it at t = 1/2; from t = 0.7 on it is pushed back, and
// rests against the ceiling when it is pulled again, from t = 3 on, by less than the cohesion was.
TEST(AdaptiveStepper, ABrittleContactBreaksWhenItsTimeHasComeAndForGood) {
    LagrangianModel model{.name = "hanging"};
    model.systems.push_back(point(vector({0.0}), vector({0.0})));
    model.systems[0].b = Function::from(1, 1, [](const auto& in, auto& out) {
        out[0] = -10.0 * in[0];
        if (in[0] >= 0.7) out[0] = in[0] < 3.0 ? 30.0 : -2.0;
    });
    model.interactions.push_back(
        {.name = "ceiling", .G = row({-1.0}), .law = ContactLaw{.cohesion = 5.0, .is_brittle = true}});
    AdaptiveStepper stepper(model, with_tolerance(1e-7), 0.3);
    double broken = 0.0;
    LagrangianState end;
    run_to(stepper, 14, [&](const LagrangianState& state) {
        if (state.broken.empty()) broken = state.t;
        if (state.t > 2.0 && state.t < 3.0) {
            EXPECT_NEAR(state.q[0], 0.0, 1e-5);
        }
        end = state;
    });
    // A force that ends a little late moves no position much: the time is known up to a part of the steps before it.
    EXPECT_NEAR(broken, 0.5, 5e-3);
    EXPECT_NEAR(end.v[0], -2.0 * 1.2, 5e-3);
    EXPECT_EQ(end.broken, IndexList{0});
}

// A bead in a bowl: lengths change, and the contact stays closed.
TEST(AdaptiveStepper, AClosedContactStaysClosed) {
    AdaptiveStepper stepper(testing::bowl(), with_tolerance(1e-6), 0.05);
    run_to(stepper, 40, [&](const LagrangianState& state) {
        stepper.for_each_impact([](const Impact& impact) { ADD_FAILURE() << "impact at " << impact.t; });
        EXPECT_GT(state.P[0], 0.0);
    });
    EXPECT_GT(stepper.refused(), 0);
    // The lengths of steps that follow each other differ, and with them what rounding lets a closed contact drift.
    LagrangianModel parabola = testing::bowl();
    parabola.systems[0].q0 = vector({1.0, 1.0});
    parabola.interactions[0].g =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = in[1] - in[0] * in[0]; });
    AdaptiveStepper slides(parabola, with_tolerance(1e-8), 0.02);
    const LagrangianState end = end_of(slides, 150);
    slides.for_each_impact([](const Impact& impact) { ADD_FAILURE() << "impact at " << impact.t; });
    EXPECT_NEAR(end.q[0], -0.11128, 1e-5);  // by a motion in x alone, of fine steps
}

TEST(AdaptiveStepper, StepsAllocateNothing) {
    AdaptiveStepper resting(ball(0.5), with_tolerance(1e-5), 0.1), swinging(oscillator(), with_tolerance(1e-5), 0.1);
    end_of(resting, 40);
    end_of(swinging, 40);
    EXPECT_EQ(testing::allocations_in([&] {
                  while (resting.steps() < 60) resting.step();
                  while (swinging.steps() < 60) swinging.step();
              }),
              0);
}

TEST(AdaptiveStepper, OptionsAreChecked) {
    const auto message = [](double tolerance, double min_step) {
        return refusal([&] { AdaptiveStepper(ball(0.5), with_tolerance(tolerance, min_step), 0.1); });
    };
    EXPECT_EQ(message(0.0, 0.0), "moreau-jean: the tolerance is 0; it must be positive");
    EXPECT_EQ(message(1e-6, 0.2), "moreau-jean: min_step is 0.2; it must be between 0 and the step, 0.1");
    EXPECT_EQ(message(1e-6, 1e-15), "moreau-jean: min_step 1e-15 is too short for the step 0.1; make it 1e-13");
}

}  // namespace
}  // namespace saltus
