#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/core/infinity.hpp"
#include "saltus/model/function_from.hpp"
#include "support/allocations.hpp"
#include "support/observed_order.hpp"
#include "support/point_masses.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ball;
using testing::constant;
using testing::observed_order;
using testing::point;
using testing::refusal;
using testing::row;
using testing::vector;

constexpr double g = testing::gravity;

// A column of beads of radius 0.1 that touch.
LagrangianModel column(int beads) {
    constexpr double radius = 0.1;
    LagrangianModel model{.name = "column"};
    for (int i = 0; i < beads; ++i) {
        LagrangianSystem bead = point(vector({radius * (2 * i + 1)}), vector({0.0}), constant({-g}));
        bead.name = "bead" + std::to_string(i);
        model.systems.push_back(bead);
        LagrangianInteraction contact{.name = "contact" + std::to_string(i), .law = ContactLaw{}};
        contact.systems = i == 0 ? std::vector<Index>{0} : std::vector<Index>{i - 1, i};
        contact.G = i == 0 ? row({1.0}) : row({-1.0, 1.0});
        contact.e = constant({i == 0 ? -radius : -2.0 * radius});
        model.interactions.push_back(contact);
    }
    return model;
}

// The state after `steps` steps; each must be solved.
LagrangianState run(MoreauJeanStepper& stepper, long steps) {
    for (long k = 0; k < steps; ++k)
        if (stepper.step() == StepOutcome::failed) {
            ADD_FAILURE() << "step " << k << ": " << stepper.report().message;
            break;
        }
    LagrangianState state;
    stepper.read(state);
    return state;
}
LagrangianState run(const LagrangianModel& model, const MoreauJean& scheme, double duration, long steps) {
    MoreauJeanStepper stepper(model, scheme, duration / static_cast<double>(steps));
    return run(stepper, steps);
}

TEST(MoreauJean, BallPassesTheAccumulationOfImpactsAndCarriesItsWeight) {
    const double h = 1e-3, first = std::sqrt(2.0 / g), e = 0.8;
    MoreauJeanStepper stepper(ball(e), {}, h);
    std::vector<double> impacts;
    double rebound = 0.0;
    for (long k = 0; k < 5000; ++k) {
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.for_each_impact([&](const auto& impact) {
            impacts.push_back(impact.t);
            if (impacts.size() == 1) rebound = impact.after / impact.before;
        });
    }
    ASSERT_GE(impacts.size(), 5u);
    double expected = first;
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(impacts[k], expected, 2e-3 * static_cast<double>(k + 1));
        expected += 2.0 * first * std::pow(e, static_cast<double>(k + 1));
    }
    EXPECT_NEAR(rebound, -e, 1e-12);
    LagrangianState state;
    stepper.read(state);
    EXPECT_LT(impacts.back(), first * (1.0 + e) / (1.0 - e) + 5e-3);
    EXPECT_NEAR(state.P[0], g * h, 1e-15);
    EXPECT_NEAR(state.v[0], 0.0, 1e-15);
    EXPECT_NEAR(state.q[0], 0.0, 1e-4);
}

TEST(MoreauJean, ColumnAtRestCarriesTheWeightAbove) {
    for (const int beads : {1, 7, 100}) {
        const double h = 5e-3;
        const LagrangianState state = run(column(beads), {}, 200 * h, 200);
        for (int i = 0; i < beads; ++i) EXPECT_NEAR(state.P[i], (beads - i) * g * h, 1e-11 * beads) << beads;
        EXPECT_LE(state.v.lpNorm<Eigen::Infinity>(), 1e-12);
        EXPECT_LE(state.y.lpNorm<Eigen::Infinity>(), 1e-12);
    }
}

TEST(MoreauJean, StepsAllocateNothing) {
    MoreauJeanStepper flying(ball(0.8), {}, 1e-3), resting(column(5), {}, 1e-3);
    run(flying, 5000);
    run(resting, 10);
    EXPECT_EQ(testing::allocations_in([&] {
                  for (int k = 0; k < 100; ++k) {
                      flying.step();
                      resting.step();
                  }
              }),
              0);
}

// A mass flies against a spring: contact lasts half a period, and the mass leaves with the speed it came with.
TEST(MoreauJean, OneSidedSpringGivesBackItsEnergyToSecondOrder) {
    const double k = 100.0, contact = std::numbers::pi / std::sqrt(k), duration = 0.1 + contact + 0.1;
    LagrangianModel model{.name = "spring"};
    model.systems.push_back(point(vector({0.1}), vector({-1.0})));
    model.interactions.push_back({.name = "wall", .G = row({1.0}), .law = SpringLaw{.pieces = {{.stiffness = k}}}});
    const auto error = [&](int power) {
        const LagrangianState end = run(model, {}, duration, 1L << power);
        return std::abs(end.q[0] - 0.1) + std::abs(end.v[0] - 1.0);
    };
    EXPECT_LE(error(12), 2e-5);
    EXPECT_GE(observed_order(7, 12, error), 1.6);
    model.interactions[0].law = SpringLaw{.pieces = {{.stiffness = k}}, .damping = 2.0};
    const LagrangianState damped = run(model, {}, duration, 1L << 12);
    EXPECT_LT(damped.v[0], 0.9);
    EXPECT_GT(damped.v[0], 0.5);
}

// At rest under the load F: the penetration is that of the points (0.1, 2), (0.3, 3), continued with slope 50.
TEST(MoreauJean, SpringOfPiecesFollowsItsPoints) {
    const std::vector<SpringLaw::Piece> pieces{{0.0, 20.0, 2.0}, {0.1, 5.0, 1.0}, {0.3, 50.0}};
    for (const auto& [load, penetration] : {std::pair(1.0, 0.05), std::pair(2.5, 0.2), std::pair(8.0, 0.4)}) {
        LagrangianModel model{.name = "pieces"};
        model.systems.push_back(point(vector({-penetration}), vector({0.0}), constant({-load})));
        model.interactions.push_back({.name = "stop", .G = row({1.0}), .law = SpringLaw{.pieces = pieces}});
        const LagrangianState end = run(model, {}, 1.0, 100);
        EXPECT_NEAR(end.q[0], -penetration, 1e-12);
        EXPECT_NEAR(end.P.sum() / 0.01, load, 1e-10);
    }
}

// g = q + lambda / k + lambda^3: a relation that depends on its force.
TEST(MoreauJean, CompliantRelationHolds) {
    LagrangianModel model{.name = "compliant"};
    const double load = 2.0, rest = -(load / 10.0 + load * load * load);
    model.systems.push_back(point(vector({rest}), vector({0.0}), constant({-load})));
    const Function relation =
        Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[0] + in[1] / 10.0 + in[1] * in[1] * in[1]; });
    model.interactions.push_back({.name = "soft", .g = relation, .law = SpringLaw{}});
    const LagrangianState end = run(model, {}, 0.1, 100);
    EXPECT_NEAR(end.q[0], rest, 1e-9);
    EXPECT_NEAR(end.P[0] / 1e-3, load, 1e-6);
}

TEST(MoreauJean, DryFrictionStopsExactly) {
    LagrangianModel model{.name = "line"};
    const double mu = 0.3, v0 = 3.0, h = 1e-3;
    model.systems.push_back(point(vector({0.0}), vector({v0})));
    LagrangianInteraction friction{.name = "friction", .law = RelayLaw{{{-mu * g, mu * g}}}};
    friction.h = Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[1]; });
    model.interactions.push_back(friction);
    const LagrangianState end = run(model, {}, 2.0, 2000);
    EXPECT_EQ(end.v[0], 0.0);
    EXPECT_NEAR(end.q[0], v0 * v0 / (2.0 * mu * g), mu * g * h * h);
}

// A point slides on a plane and stops on the line of its velocity; the same with the weight in the third coordinate.
TEST(MoreauJean, SlidingInThePlaneIsIsotropic) {
    LagrangianModel model{.name = "plane"};
    const double mu = 0.2;
    model.systems.push_back(point(vector({0.0, 0.0, 0.0}), vector({0.0, 1.2, -1.6}), constant({-g, 0.0, 0.0})));
    model.interactions.push_back({.name = "plane", .G = MatrixXd::Identity(3, 3), .law = ContactLaw{.friction = mu}});
    const LagrangianState end = run(model, {}, 2.0, 4000);
    const double path = 4.0 / (2.0 * mu * g);
    EXPECT_NEAR(end.q[1], 0.6 * path, 1e-3);
    EXPECT_NEAR(end.q[2], -0.8 * path, 1e-3);
    EXPECT_NEAR(end.v.norm(), 0.0, 1e-12);
    EXPECT_NEAR(end.q[1] / end.q[2], -0.75, 1e-9);
}

// q = (height, x, y, angles): a sphere rolls and slows down by 5/7 of g times the rolling arm over the radius.
TEST(MoreauJean, RollingFrictionSlowsASphere) {
    const double radius = 0.2, arm = 0.01, v0 = 1.0;
    LagrangianModel model{.name = "sphere"};
    LagrangianSystem sphere =
        point(vector({0, 0, 0, 0, 0}), vector({0, v0, 0, 0, v0 / radius}), constant({-g, 0, 0, 0, 0}));
    const double inertia = 0.4 * radius * radius;
    sphere.M = vector({1, 1, 1, inertia, inertia}).asDiagonal().toDenseMatrix();
    model.systems.push_back(sphere);
    MatrixXd G = MatrixXd::Identity(5, 5);
    G(1, 4) = -radius;
    G(2, 3) = radius;
    model.interactions.push_back({.name = "ground", .G = G, .law = ContactLaw{.friction = 0.5, .rolling = arm}});
    const double duration = 0.5;
    const LagrangianState end = run(model, {}, duration, 500);
    EXPECT_NEAR(end.v[1], v0 - 5.0 / 7.0 * g * arm / radius * duration, 1e-8);
    EXPECT_NEAR(end.u[1], 0.0, 1e-8);
}

// A ball under a ceiling which holds it with 12 N: its weight of 9.81 N hangs, one of 19.62 N falls.
TEST(MoreauJean, CohesionHoldsAWeightAndBreaks) {
    const auto hung = [](double mass, bool is_brittle) {
        LagrangianModel model{.name = "ceiling"};
        LagrangianSystem weight = point(vector({0.0}), vector({0.0}), constant({-mass * g}));
        weight.M = row({mass});
        model.systems.push_back(weight);
        model.interactions.push_back(
            {.name = "ceiling", .G = row({-1.0}), .law = ContactLaw{.cohesion = 12.0, .is_brittle = is_brittle}});
        return model;
    };
    const LagrangianState holds = run(hung(1.0, true), {}, 1.0, 1000);
    EXPECT_EQ(holds.q[0], 0.0);
    EXPECT_NEAR(holds.P[0], -g * 1e-3, 1e-15);
    const LagrangianState falls = run(hung(2.0, true), {}, 1.0, 1000);
    EXPECT_LT(falls.q[0], -4.0);
    EXPECT_EQ(falls.P[0], 0.0);
}

// The load grows as 10 t; cohesion carries 5: the contact opens at t = 1/2, whether it is brittle or not, and the mass
// has then v = 5 t^2 - 5/4, or with cohesion to the end the same, since it does not come back.
TEST(MoreauJean, CohesionCarriesAGrowingLoadUpToItsStrength) {
    for (const bool is_brittle : {false, true}) {
        LagrangianModel model{.name = "hanging"};
        model.systems.push_back(point(vector({0.0}), vector({0.0})));
        model.systems[0].b = Function::from(1, 1, [](const auto& in, auto& out) { out[0] = -10.0 * in[0]; });
        model.interactions.push_back(
            {.name = "ceiling", .G = row({-1.0}), .law = ContactLaw{.cohesion = 5.0, .is_brittle = is_brittle}});
        const double h = 1e-3;
        MoreauJeanStepper stepper(model, {}, h);
        const LagrangianState before = run(stepper, 499), after = run(stepper, 501);
        EXPECT_EQ(before.v[0], 0.0);
        EXPECT_NEAR(before.P[0] / h, -10.0 * 0.4985, 1e-9);
        EXPECT_NEAR(after.v[0], -5.0 + 1.25, 6e-3);
        EXPECT_EQ(after.P[0], 0.0);
    }
}

// A bond opens by its force alone, whatever the positions drift: one end is driven, the other is pulled by less than
// cohesion carries.
TEST(MoreauJean, CohesionHoldsOnADrivenBody) {
    LagrangianModel model{.name = "shaker"};
    const double speed = 0.2 * std::numbers::pi;
    model.systems.push_back(point(vector({0.0, 0.0}), vector({speed, speed}), constant({0.0, 1.0})));
    LagrangianInteraction drive{.name = "drive", .G = row({1.0, 0.0}), .law = JointLaw{}};
    drive.e = Function::from(1, 1, [](const auto& in, auto& out) {
        using std::sin;
        out[0] = -0.1 * sin(2.0 * std::numbers::pi * in[0]);
    });
    model.interactions.push_back(drive);
    model.interactions.push_back(
        {.name = "glue", .G = row({-1.0, 1.0}), .law = ContactLaw{.cohesion = 10.0, .is_brittle = true}});
    for (const Projection projection : {Projection::none, Projection::direct, Projection::combined}) {
        const LagrangianState end = run(model, {.projection = projection}, 3.1, 1033);
        EXPECT_NEAR(end.q[1], 0.1 * std::sin(6.2 * std::numbers::pi), 2e-3);
        EXPECT_TRUE(end.broken.empty());
    }
}

// What a run that divided a step passes on.
TEST(MoreauJean, ABrokenContactStaysBrokenWhenAStateIsTakenOver) {
    LagrangianModel model{.name = "hanging"};
    model.systems.push_back(point(vector({0.0}), vector({0.0}), constant({-1.0})));
    model.interactions.push_back(
        {.name = "ceiling", .G = row({-1.0}), .law = ContactLaw{.cohesion = 5.0, .is_brittle = true}});
    MoreauJeanStepper holds(model, {}, 1e-2), falls(model, {}, 1e-2);
    LagrangianState state = run(holds, 1);
    holds.resume(state);
    EXPECT_NEAR(run(holds, 100).v[0], 0.0, 1e-15);
    state = run(falls, 1);
    state.broken = {0};
    falls.resume(state);
    EXPECT_NEAR(run(falls, 100).v[0], -1.0, 0.02);
    falls.read(state);
    EXPECT_EQ(state.broken, IndexList{0});
}

// A rigid one-sided spring is a contact without restitution: whatever theta, it throws nothing back.
TEST(MoreauJean, RigidAndStiffSpringsGainNoEnergy) {
    for (const double stiffness : {infinity, 1e12, 1e7})
        for (const double theta : {0.5, 0.75, 1.0}) {
            LagrangianModel model = ball(0.0);
            model.interactions[0].law = SpringLaw{.pieces = {{.stiffness = stiffness}}};
            MoreauJeanStepper stepper(model, {.theta = theta}, 1e-3);
            for (int k = 0; k < 3000; ++k) {
                const LagrangianState state = run(stepper, 1);
                ASSERT_LE(0.5 * state.v[0] * state.v[0] + g * state.q[0], g * 1.001) << stiffness << " " << theta;
            }
        }
}

// A bead slides in a bowl: u_N = 0 at both ends of a step, and the gap drifts by O(h^2). It must stay closed, with the
// force of its weight and its turning, and without impacts.
TEST(MoreauJean, AClosedContactOnACurvedSurfaceStaysClosed) {
    const double h = 1e-3;
    MoreauJeanStepper stepper(testing::bowl(), {}, h);
    LagrangianState state;
    for (int k = 0; k < 2000; ++k) {
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.for_each_impact([](const Impact& impact) { ADD_FAILURE() << "impact at " << impact.t; });
        stepper.read(state);
        // N = g cos + v^2 / r, and v^2 = 2 g (height lost).
        const double height = state.q[1] / state.q.norm(), force = -g * height + 2.0 * g * (-0.8 - height);
        if (k > 0) {
            ASSERT_NEAR(state.P[0] / h, force, 0.1) << k;
        }
    }
}

// A pendulum of length 1 in Cartesian coordinates.
LagrangianModel pendulum() {
    LagrangianModel model{.name = "pendulum"};
    model.systems.push_back(point(vector({1.0, 0.0}), vector({0.0, 0.0}), constant({0.0, -g})));
    const Function length =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = 0.5 * (in[0] * in[0] + in[1] * in[1] - 1.0); });
    model.interactions.push_back({.name = "rod", .g = length, .law = JointLaw{}});
    return model;
}

TEST(MoreauJean, ProjectionKeepsAJoint) {
    const LagrangianState drifted = run(pendulum(), {}, 5.0, 5000);
    EXPECT_GT(std::abs(drifted.y[0]), 1e-7);
    for (const Projection projection : {Projection::direct, Projection::combined}) {
        const LagrangianState end = run(pendulum(), {.projection = projection}, 5.0, 5000);
        EXPECT_LE(std::abs(end.y[0]), 1e-8);
        EXPECT_NEAR(0.5 * end.v.squaredNorm() + g * end.q[1], 0.0, 0.05);
    }
}

TEST(MoreauJean, ProjectionKeepsContactsClosedAndOpenOnesApart) {
    for (const Projection projection : {Projection::direct, Projection::combined}) {
        MoreauJeanStepper stepper(ball(0.5), {.projection = projection}, 1e-2);
        LagrangianState state;
        for (int k = 0; k < 400; ++k) {
            ASSERT_NE(stepper.step(), StepOutcome::failed);
            stepper.read(state);
            ASSERT_GE(state.y[0], -1e-8);
        }
        EXPECT_NEAR(state.P[0], g * 1e-2, 1e-12);
    }
}

// The free end of a clamped bar, pulled by a prescribed motion of its other end: boundary conditions are joints.
TEST(MoreauJean, PrescribedMotionIsFollowed) {
    LagrangianModel model{.name = "drive"};
    model.systems.push_back(point(vector({0.0, 0.0}), vector({1.0, 0.0})));
    model.systems[0].K = (MatrixXd(2, 2) << 4.0, -4.0, -4.0, 4.0).finished();
    LagrangianInteraction drive{.name = "drive", .G = row({1.0, 0.0}), .law = JointLaw{}};
    drive.e = Function::from(1, 1, [](const auto& in, auto& out) {
        using std::sin;
        out[0] = -sin(in[0]);
    });
    model.interactions.push_back(drive);
    const LagrangianState end = run(model, {}, 2.0, 2000);
    EXPECT_NEAR(end.q[0], std::sin(2.0), 1e-6);
    // x'' + 4 x = 4 sin t, x(0) = x'(0) = 0
    EXPECT_NEAR(end.q[1], 4.0 / 3.0 * std::sin(2.0) - 2.0 / 3.0 * std::sin(4.0), 1e-5);
}

// An elastic bar of `elements`, L = c = EA = 1, sparse: leaves the wall near t = 2 with the speed 1.
TEST(MoreauJean, SparseBarLeavesTheWall) {
    const Index elements = 400, n = elements + 1;
    const double m = 1.0 / static_cast<double>(elements), k = static_cast<double>(elements);
    std::vector<Eigen::Triplet<double>> mass, stiffness;
    for (int i = 0; i < n; ++i) {
        mass.emplace_back(i, i, i == 0 || i == n - 1 ? 0.5 * m : m);
        for (const int j : {i - 1, i + 1})
            if (j >= 0 && j < n) {
                stiffness.emplace_back(i, i, k);
                stiffness.emplace_back(i, j, -k);
            }
    }
    Matrix::Sparse M(n, n), K(n, n), G(1, n);
    M.setFromTriplets(mass.begin(), mass.end());
    K.setFromTriplets(stiffness.begin(), stiffness.end());
    G.insert(0, 0) = 1.0;
    LagrangianModel model{.name = "bar"};
    model.systems.push_back(
        {.name = "bar", .q0 = VectorXd::Zero(n), .v0 = VectorXd::Constant(n, -1.0), .M = M, .K = K});
    model.interactions.push_back({.name = "wall", .G = G, .law = ContactLaw{}});
    const double h = 1e-3;
    MoreauJeanStepper stepper(model, {}, h);
    LagrangianState state;
    double impulse = 0.0, leaves = 0.0;
    for (int step = 0; step < 2500; ++step) {
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.read(state);
        impulse += state.P[0];
        if (state.P[0] > 0.0) leaves = state.t;
    }
    EXPECT_NEAR(leaves, 2.0, 0.02);
    EXPECT_NEAR(impulse, 2.0, 0.01);
    EXPECT_NEAR(M.diagonal().dot(state.v), 1.0, 0.01);
}

TEST(MoreauJean, OptionsAndModelsAreChecked) {
    EXPECT_EQ(refusal([] { MoreauJeanStepper(ball(0.5), {.theta = 0.3}, 1e-3); }),
              "moreau-jean: theta is 0.3; it must be between 1/2 and 1");
    EXPECT_EQ(refusal([] { MoreauJeanStepper(ball(1.5), {}, 1e-3); }),
              "interaction 'ground': restitution is 1.5; it must be between 0 and 1");
    LagrangianModel bad = ball(0.5);
    bad.systems[0].M = row({-1.0});
    EXPECT_EQ(refusal([&] { MoreauJeanStepper(bad, {}, 1e-3); }), "system 'point': M(0, 0) is -1; a mass is positive");
    bad = ball(0.5);
    bad.interactions[0].law = ContactLaw{.friction = 0.5};
    EXPECT_EQ(
        refusal([&] { MoreauJeanStepper(bad, {}, 1e-3); }),
        "interaction 'ground': friction is 0.5, and the contact has no sliding velocity; give it a second row, or "
        "tangents");
}

// A force that blows up ends the run with a message, never with numbers.
TEST(MoreauJean, ABlowUpIsAFailedStep) {
    LagrangianModel model{.name = "blow-up"};
    LagrangianSystem system = point(vector({1.0}), vector({0.0}));
    system.f = Function::from(3, 1, [](const auto& in, auto& out) { out[0] = in[0] * in[0] * in[0] * 1e4; });
    model.systems.push_back(system);
    MoreauJeanStepper stepper(model, {}, 0.1);
    StepOutcome outcome = StepOutcome::kept;
    for (int k = 0; k < 1000 && outcome != StepOutcome::failed; ++k) outcome = stepper.step();
    EXPECT_EQ(outcome, StepOutcome::failed);
    EXPECT_FALSE(stepper.report().converged());
    EXPECT_FALSE(stepper.report().message.empty());
    LagrangianState state;
    stepper.read(state);
    EXPECT_TRUE(state.q.allFinite() && state.v.allFinite());
}

}  // namespace
}  // namespace saltus
