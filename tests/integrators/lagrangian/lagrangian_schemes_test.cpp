#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "saltus/core/dense.hpp"
#include "saltus/integrators/lagrangian/anitescu_potra_stepper.hpp"
#include "saltus/integrators/lagrangian/d1_minus_stepper.hpp"
#include "saltus/integrators/lagrangian/generalised_alpha_stepper.hpp"
#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli_stepper.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle_stepper.hpp"
#include "saltus/model/function_from.hpp"
#include "saltus/model/system_functions.hpp"
#include "support/allocations.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"
#include "support/sanitized.hpp"

namespace saltus {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Vector2d, Eigen::Vector3d;
using testing::allocations_in;
using testing::observed_order;
using testing::refusal;

constexpr double gravity = 9.81;

// A scheme with its options, and what it declares.
template <class Options, class StepperType>
struct Case : Options {
    using Scheme = Options;
    using Stepper = StepperType;
    static Options options() { return {}; }
    static constexpr bool has_restitution = true, has_friction = true;
    static constexpr bool allocates = false;        // in steps whose active interactions stay the same
    static constexpr bool holds_positions = false;  // constraints and gaps are met by the positions, without drift
};
struct MoreauJeanHalf : Case<MoreauJean, MoreauJeanStepper> {};
struct MoreauJeanOne : Case<MoreauJean, MoreauJeanStepper> {
    static MoreauJean options() { return {.theta = 1.0}; }
    static constexpr int order = 1, joint_order = 1;
};
struct SchatzmanPaoliCase : Case<SchatzmanPaoli, SchatzmanPaoliStepper> {
    static constexpr bool has_friction = false, holds_positions = true;
};
struct StewartTrinkleCase : Case<StewartTrinkle, StewartTrinkleStepper> {
    static constexpr bool has_restitution = false, holds_positions = true;
};
struct StewartTrinkleFacets : StewartTrinkleCase {
    static StewartTrinkle options() { return {.facets = 8}; }
};
struct AnitescuPotraCase : Case<AnitescuPotra, AnitescuPotraStepper> {};
struct D1MinusCase : Case<D1Minus, D1MinusStepper> {};
struct GeneralisedAlphaCase : Case<GeneralisedAlpha, GeneralisedAlphaStepper> {
    static constexpr bool holds_positions = true, allocates = true;
};
struct GeneralisedAlphaOne : GeneralisedAlphaCase {
    static GeneralisedAlpha options() { return {.spectral_radius = 1.0}; }
};

template <class Scheme>
bool has_facets() {
    if constexpr (requires { Scheme::options().facets; }) return Scheme::options().facets > 0;
    return false;
}

template <class Scheme>
class LagrangianSchemeTest : public ::testing::Test {
protected:
    using Stepper = typename Scheme::Stepper;
    static constexpr double restitution = Scheme::has_restitution ? 0.8 : 0.0;

    // Steps from t0 to t0 + duration; after each, observe(state).
    template <class Observe>
    static LagrangianState run(const LagrangianModel& model, double duration, long steps, Observe observe) {
        Stepper stepper(model, Scheme::options(), duration / static_cast<double>(steps));
        LagrangianState state;
        for (long k = 0; k < steps; ++k) {
            if (stepper.step() == StepOutcome::failed) {
                ADD_FAILURE() << "step " << k << " failed: " << stepper.report().message;
                break;
            }
            stepper.read(state);
            observe(state);
        }
        return state;
    }
    static LagrangianState run(const LagrangianModel& model, double duration, long steps) {
        return run(model, duration, steps, [](const LagrangianState&) {});
    }

    // The largest error, at the ends of the parts of a second, with 2^k steps.
    static double error_of_positions(const LagrangianModel& model, const std::vector<VectorXd>& exact, int k) {
        const long steps = 1L << k, part = steps / std::ssize(exact);
        long step = 0;
        double worst = 0.0;
        run(model, 1.0, steps, [&](const LagrangianState& state) {
            if (++step % part == 0)
                worst = std::max(worst, (state.q - exact[static_cast<std::size_t>(step / part - 1)]).norm());
        });
        return worst;
    }
};

using Schemes =
    ::testing::Types<MoreauJeanHalf, MoreauJeanOne, SchatzmanPaoliCase, StewartTrinkleCase, StewartTrinkleFacets,
                     AnitescuPotraCase, D1MinusCase, GeneralisedAlphaCase, GeneralisedAlphaOne>;
TYPED_TEST_SUITE(LagrangianSchemeTest, Schemes);

// The classical Runge-Kutta method on M v' = F, without interactions: what smooth motion is measured by, at the ends
// of eight parts of the time.
constexpr int parts = 8;
std::vector<VectorXd> reference(const LagrangianModel& model, double duration) {
    constexpr int steps = 2000 * parts;
    std::vector<VectorXd> result;
    const double h = duration / steps;
    SystemFunctions functions(model.systems[0]);
    const Index n = functions.size();
    VectorXd x(2 * n), force(n);
    x << model.systems[0].q0, model.systems[0].v0;
    const auto slope = [&](double t, const VectorXd& at) {
        const VectorXd q = at.head(n), v = at.tail(n);
        functions.evaluate_mass(q.data());
        functions.evaluate_force(t, q.data(), v.data(), force);
        VectorXd rate(2 * n);
        rate << v, solve_positive_definite(functions.mass(), force);
        return rate;
    };
    for (int k = 0; k < steps; ++k) {
        const double t = model.t0 + k * h;
        const VectorXd a = slope(t, x), b = slope(t + h / 2, x + h / 2 * a), c = slope(t + h / 2, x + h / 2 * b),
                       d = slope(t + h, x + h * c);
        x += h / 6 * (a + 2 * b + 2 * c + d);
        if ((k + 1) % (steps / parts) == 0) result.push_back(x.head(n));
    }
    return result;
}

VectorXd vector(std::initializer_list<double> values) {
    return Eigen::Map<const VectorXd>(values.begin(), static_cast<Index>(values.size()));
}
Function weight(const VectorXd& force) { return Function::constant(1, force); }

// q'' + c q' + k q = load(t), two of them coupled by the damping.
LagrangianModel oscillator() {
    MatrixXd C(2, 2), K(2, 2), M(2, 2);
    M << 2.0, 0.5, 0.5, 1.0;
    C << 0.4, -0.1, -0.1, 0.3;
    K << 8.0, -3.0, -3.0, 5.0;
    const Function load = Function::from(1, 2, [](const auto& in, auto& out) {
        using std::cos, std::sin;
        out[0] = 3.0 * cos(2.0 * in[0]);
        out[1] = sin(3.0 * in[0]);
    });
    return {
        .name = "oscillator",
        .systems = {{.name = "o", .q0 = vector({1, -0.5}), .v0 = vector({0, 2}), .M = M, .C = C, .K = K, .b = load}},
        .interactions = {},
        .t0 = 0.3};
}

// Two unit masses on unit bars, angles from the vertical.
LagrangianModel double_pendulum() {
    const Function mass = Function::from(2, 4, [](const auto& q, auto& M) {
        using std::cos;
        using Scalar = std::decay_t<decltype(M[0])>;
        const Scalar coupling = cos(q[0] - q[1]);
        M[0] = Scalar(2.0);
        M[1] = M[2] = coupling;
        M[3] = Scalar(1.0);
    });
    const Function force = Function::from(5, 2, [](const auto& in, auto& f) {
        using std::sin;
        f[0] = -2.0 * gravity * sin(in[0]);
        f[1] = -gravity * sin(in[1]);
    });
    return {.name = "double pendulum",
            .systems = {{.name = "p",
                         .q0 = vector({1.0, -0.5}),
                         .v0 = vector({0.0, 1.0}),
                         .mass = mass,
                         .f = force,
                         .derives_inertial_terms = true}}};
}

LagrangianModel ball(double height, double restitution) {
    return {.name = "ball",
            .systems = {{.name = "ball",
                         .q0 = vector({height}),
                         .v0 = vector({0.0}),
                         .M = MatrixXd::Constant(1, 1, 2.0),
                         .b = weight(vector({-2.0 * gravity}))}},
            .interactions = {
                {.name = "ground", .G = MatrixXd::Identity(1, 1), .law = ContactLaw{.restitution = restitution}}}};
}

// Height and velocity at t of a ball dropped from `height`.
Vector2d bouncing(double height, double restitution, double t) {
    const double fall = std::sqrt(2.0 * height / gravity);
    if (t < fall) return {height - 0.5 * gravity * t * t, -gravity * t};
    double since = t - fall, up = restitution * gravity * fall;
    while (up > 1e-12 && since > 2.0 * up / gravity) {
        since -= 2.0 * up / gravity;
        up *= restitution;
    }
    if (up <= 1e-12) return {0.0, 0.0};
    return {up * since - 0.5 * gravity * since * since, up - gravity * since};
}

// A unit mass on a unit bar, as a point in the plane with a joint; and the same as an angle.
LagrangianModel joint_pendulum() {
    const Function bar =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = in[0] * in[0] + in[1] * in[1] - 1.0; });
    return {.name = "joint pendulum",
            .systems = {{.name = "mass",
                         .q0 = vector({std::sin(1.0), -std::cos(1.0)}),
                         .v0 = vector({0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}),
                         .b = weight(vector({0.0, -gravity}))}},
            .interactions = {{.name = "bar", .g = bar, .law = JointLaw{}}}};
}
LagrangianModel angle_pendulum() {
    const Function force = Function::from(3, 1, [](const auto& in, auto& f) {
        using std::sin;
        f[0] = -gravity * sin(in[0]);
    });
    return {.name = "angle", .systems = {{.name = "a", .q0 = vector({1.0}), .v0 = vector({0.5}), .f = force}}};
}

TYPED_TEST(LagrangianSchemeTest, HasItsOrderOnSmoothMotion) {
    for (const LagrangianModel& model : {oscillator(), double_pendulum()}) {
        const std::vector<VectorXd> exact = reference(model, 1.0);
        const auto error = [&](int k) { return this->error_of_positions(model, exact, k); };
        EXPECT_NEAR(observed_order(7, 11, error), TypeParam::order, 0.15) << model.name;
    }
}

// The means over steps of similar length: the error depends on where in a step the impact is.
TYPED_TEST(LagrangianSchemeTest, HasItsOrderThroughImpacts) {
    if (TypeParam::name == GeneralisedAlpha::name) SALTUS_SKIP_IF_SANITIZED();
    const double e = this->restitution, duration = 2.0;
    const auto errors = [&](int k) {  // of positions in the sup norm, of velocities in that of L1
        Vector2d sum = Vector2d::Zero();
        for (int part = 0; part < 8; ++part) {
            const long steps = (8 + part) * (1L << k) / 8;
            double worst = 0.0, integral = 0.0;
            this->run(ball(1.0, e), duration, steps, [&](const LagrangianState& state) {
                const Vector2d exact = bouncing(1.0, e, state.t);
                worst = std::max(worst, std::abs(state.q[0] - exact[0]));
                integral += duration / static_cast<double>(steps) * std::abs(state.v[0] - exact[1]);
            });
            sum += Vector2d(worst, integral);
        }
        return sum;
    };
    EXPECT_NEAR(observed_order(7, 11, [&](int k) { return errors(k)[0]; }), TypeParam::impact_order, 0.15);
    EXPECT_NEAR(observed_order(7, 11, [&](int k) { return errors(k)[1]; }), TypeParam::impact_order, 0.15);
}

TYPED_TEST(LagrangianSchemeTest, JointHoldsAPendulum) {
    std::vector<VectorXd> exact = reference(angle_pendulum(), 1.0);
    for (VectorXd& q : exact) q = vector({std::sin(q[0]), -std::cos(q[0])});
    const auto error = [&](int k) { return this->error_of_positions(joint_pendulum(), exact, k); };
    EXPECT_NEAR(observed_order(7, 11, error), TypeParam::joint_order, 0.15);
    const auto drift = [&](int k) {
        double worst = 0.0;
        this->run(joint_pendulum(), 1.0, 1L << k,
                  [&](const LagrangianState& state) { worst = std::max(worst, std::abs(state.y[0])); });
        return worst;
    };
    if (TypeParam::holds_positions)
        EXPECT_LT(drift(8), 1e-12);
    else
        EXPECT_LT(drift(11), drift(7) / 12.0);
}

// A block in the plane of a slope, coordinates (normal, down the slope).
LagrangianModel slope(double angle, double friction, double speed) {
    return {
        .name = "slope",
        .systems = {{.name = "block",
                     .q0 = vector({0.0, 0.0}),
                     .v0 = vector({0.0, speed}),
                     .M = 3.0 * MatrixXd::Identity(2, 2),
                     .b = weight(3.0 * gravity * vector({-std::cos(angle), std::sin(angle)}))}},
        .interactions = {{.name = "slope", .G = MatrixXd::Identity(2, 2), .law = ContactLaw{.friction = friction}}}};
}

TYPED_TEST(LagrangianSchemeTest, BlockSticksToAnInclineOrSlides) {
    if constexpr (TypeParam::has_friction) {
        const double angle = 0.4;
        this->run(slope(angle, 1.01 * std::tan(angle), 0.0), 1.0, 500, [&](const LagrangianState& state) {
            EXPECT_NEAR(state.v[1], 0.0, 1e-12) << state.t;
            EXPECT_NEAR(state.q[1], 0.0, 1e-12) << state.t;
            EXPECT_NEAR(state.P[1], -3.0 * gravity * std::sin(angle) / 500, 1e-11) << state.t;
        });
        const double mu = 0.7 * std::tan(angle), acceleration = gravity * (std::sin(angle) - mu * std::cos(angle));
        this->run(slope(angle, mu, 0.0), 1.0, 500, [&](const LagrangianState& state) {
            EXPECT_NEAR(state.v[1], acceleration * state.t, 1e-9) << state.t;
            EXPECT_NEAR(state.q[1], 0.5 * acceleration * state.t * state.t, TypeParam::order == 2 ? 1e-9 : 1e-2);
            EXPECT_NEAR(state.P[1], -mu * state.P[0], 1e-9) << state.t;
        });
        // Pushed up the slope it comes to rest, and stays.
        const LagrangianState up = this->run(slope(angle, 1.01 * std::tan(angle), -2.0), 1.0, 1000);
        const double braking = gravity * (std::sin(angle) + 1.01 * std::tan(angle) * std::cos(angle));
        EXPECT_NEAR(up.q[1], -2.0 / braking, 2e-3);
        EXPECT_NEAR(up.v[1], 0.0, 1e-12);
    }
}

// A linear model takes the same steps when it is given by functions about which nothing is known.
TYPED_TEST(LagrangianSchemeTest, MatricesAndFunctionsGiveTheSameSteps) {
    LagrangianModel linear = oscillator();
    linear.interactions = {{.name = "wall",
                            .G = MatrixXd(Eigen::RowVector2d(1, 0.5)),
                            .e = Function::constant(1, vector({0.2})),
                            .law = ContactLaw{.restitution = this->restitution}}};
    LagrangianModel general = linear;
    LagrangianSystem& system = general.systems[0];
    system = {.name = "o", .q0 = system.q0, .v0 = system.v0, .b = system.b};
    system.mass = Function::from(2, 4, [](const auto&, auto& M) {
        using Scalar = std::decay_t<decltype(M[0])>;
        M[0] = Scalar(2.0);
        M[1] = M[2] = Scalar(0.5);
        M[3] = Scalar(1.0);
    });
    system.f = Function::from(5, 2, [](const auto& in, auto& f) {
        f[0] = -8.0 * in[0] + 3.0 * in[1] - 0.4 * in[2] + 0.1 * in[3];
        f[1] = 3.0 * in[0] - 5.0 * in[1] + 0.1 * in[2] - 0.3 * in[3];
    });
    general.interactions[0].G = {};
    general.interactions[0].e = {};
    general.interactions[0].g =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = in[0] + 0.5 * in[1] + 0.2; });
    std::vector<LagrangianState> states;
    this->run(linear, 3.0, 300, [&](const LagrangianState& state) { states.push_back(state); });
    std::size_t k = 0;
    double largest = 0.0;
    this->run(general, 3.0, 300, [&](const LagrangianState& state) {
        EXPECT_NEAR((state.q - states[k].q).norm() + (state.v - states[k].v).norm(), 0.0, 1e-8) << state.t;
        EXPECT_NEAR(state.P[0], states[k++].P[0], 1e-8) << state.t;
        largest = std::max(largest, state.P[0]);
    });
    EXPECT_GT(largest, 0.1);
}

TYPED_TEST(LagrangianSchemeTest, RestingBallShowsItsWeight) {
    const long steps = 1000;
    const double h = 1.0 / static_cast<double>(steps);
    this->run(ball(0.0, this->restitution), 1.0, steps, [&](const LagrangianState& state) {
        EXPECT_NEAR(state.P[0], 2.0 * gravity * h, 1e-12) << state.t;
        EXPECT_NEAR(state.q[0], 0.0, 1e-12);
        EXPECT_NEAR(state.v[0], 0.0, 1e-12);
    });
}

// A ball on a table that moves as wave(t) = 0.01 sin(20 t): its acceleration stays below gravity.
TYPED_TEST(LagrangianSchemeTest, BallFollowsAMovingTable) {
    LagrangianModel model = ball(0.0, 0.0);
    model.systems[0].v0[0] = 0.2;
    model.interactions[0].e = Function::from(1, 1, [](const auto& t, auto& out) {
        using std::sin;
        out[0] = -0.01 * sin(20.0 * t[0]);
    });
    const long steps = 4000;
    const double h = 1.0 / static_cast<double>(steps);
    this->run(model, 1.0, steps, [&](const LagrangianState& state) {
        EXPECT_NEAR(state.y[0], 0.0, TypeParam::holds_positions ? 1e-9 : 2e-4) << state.t;
        EXPECT_NEAR(state.v[0], 0.2 * std::cos(20.0 * state.t), 0.01) << state.t;
    });
    double total = 0.0;
    this->run(model, 1.0, steps, [&](const LagrangianState& state) { total += state.P[0]; });
    EXPECT_NEAR(total, 2.0 * (gravity + 0.2 * std::cos(20.0) - 0.2), 40.0 * h);
}

// On a table that rises steadily a ball bounces as on one at rest, seen from the table.
TYPED_TEST(LagrangianSchemeTest, StepsAreTheSameOnARisingTable) {
    const double rise = 3.0;
    LagrangianModel model = ball(1.0, TypeParam::has_restitution ? 0.77 : 0.0);
    std::vector<LagrangianState> states;
    this->run(model, 2.0, 1000, [&](const LagrangianState& state) { states.push_back(state); });
    model.systems[0].v0[0] = rise;
    model.interactions[0].e = Function::from(1, 1, [=](const auto& t, auto& out) { out[0] = -rise * t[0]; });
    std::size_t k = 0;
    this->run(model, 2.0, 1000, [&](const LagrangianState& state) {
        const LagrangianState& other = states[k++];
        EXPECT_NEAR(state.q[0] - rise * state.t, other.q[0], 1e-6) << state.t;
        EXPECT_NEAR(state.v[0] - rise, other.v[0], 1e-6) << state.t;
        EXPECT_NEAR(state.P[0], other.P[0], 1e-6) << state.t;
    });
}

TYPED_TEST(LagrangianSchemeTest, MayBeginWithAnImpact) {
    LagrangianModel model = ball(0.0, this->restitution);
    model.systems[0].v0[0] = -2.0;
    const double h = 1e-3;
    double total = 0.0;
    const LagrangianState state =
        this->run(model, 10 * h, 10, [&](const LagrangianState& each) { total += each.P[0]; });
    EXPECT_NEAR(state.v[0], this->restitution > 0.0 ? 2.0 * this->restitution - 10 * h * gravity : 0.0, 0.05);
    EXPECT_NEAR(total, 2.0 * (state.v[0] + 2.0 + 10 * h * gravity), 0.05);
}

// Plastic masses in a row, pushed together: contacts close that were open at the beginning of the step, because of
// others.
TYPED_TEST(LagrangianSchemeTest, GapsStayOpenWherePositionsAreHeld) {
    if constexpr (TypeParam::holds_positions) {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> gap(0.0, 0.02);
        LagrangianModel row{.systems = {{.name = "row", .q0 = VectorXd::Zero(5), .v0 = vector({3, 0, 0, 0, -2})}}};
        row.systems[0].b = weight(vector({1, 0, 0, 0, -9}));
        for (Index i = 0; i + 1 < 5; ++i) {
            row.systems[0].q0[i + 1] = row.systems[0].q0[i] + gap(random);
            MatrixXd G = MatrixXd::Zero(1, 5);
            G(0, i) = -1.0;
            G(0, i + 1) = 1.0;
            row.interactions.push_back({.name = fmt::format("{}", i), .G = G, .law = ContactLaw{}});
        }
        this->run(row, 0.5, 100,
                  [&](const LagrangianState& state) { EXPECT_GE(state.y.minCoeff(), -1e-12) << state.t; });
    }
}

// A mass that slides in a bowl without friction is a pendulum.
TYPED_TEST(LagrangianSchemeTest, BowlHoldsASlidingMass) {
    LagrangianModel model = joint_pendulum();
    model.interactions[0].g =
        Function::from(4, 1, [](const auto& in, auto& out) { out[0] = 1.0 - in[0] * in[0] - in[1] * in[1]; });
    model.interactions[0].law = ContactLaw{};
    std::vector<VectorXd> exact = reference(angle_pendulum(), 1.0);
    for (VectorXd& q : exact) q = vector({std::sin(q[0]), -std::cos(q[0])});
    const double coarse = this->error_of_positions(model, exact, 8), fine = this->error_of_positions(model, exact, 11);
    EXPECT_LT(fine, 0.01);
    EXPECT_LT(fine, 0.25 * coarse);
}

// A sphere of radius 1 that falls with sliding and spin, coordinates (height, along, angle): where it sticks, the
// contact point stops and the centre keeps 5/7 of its speed; else it slips, and friction takes mu times the normal.
LagrangianModel sphere(double friction, double restitution) {
    MatrixXd M = MatrixXd::Identity(3, 3), G(2, 3);
    M(2, 2) = 0.4;
    G << 1, 0, 0, 0, 1, 1;
    return {.name = "sphere",
            .systems = {{.name = "sphere",
                         .q0 = vector({1e-3, 0, 0}),
                         .v0 = vector({-2, 1, 0}),
                         .M = M,
                         .b = weight(vector({-gravity, 0, 0}))}},
            .interactions = {
                {.name = "floor", .G = G, .law = ContactLaw{.restitution = restitution, .friction = friction}}}};
}

TYPED_TEST(LagrangianSchemeTest, SphereSticksOrSlipsInAnImpact) {
    if constexpr (TypeParam::has_friction) {
        const double e = TypeParam::has_restitution ? 0.5 : 0.0;
        const double sticking = 2.0 / 7.0 / (2.0 * (1.0 + e));  // the least coefficient that sticks
        const LagrangianState stuck = this->run(sphere(1.2 * sticking, e), 1e-2, 100);
        EXPECT_NEAR(stuck.v[1], 5.0 / 7.0, 1e-9);
        EXPECT_NEAR(stuck.u[1], 0.0, 1e-9);
        const LagrangianState slipping = this->run(sphere(0.5 * sticking, 0.5 * e), 1e-3, 100);
        EXPECT_NEAR(slipping.v[1], 1.0 - 0.5 * sticking * (1.0 + 0.5 * e) * 2.0, 3e-3);
        EXPECT_NEAR(slipping.v[0], e, 2e-2);
    }
}

// A block on a plane, pushed aside while it slides: the direction of friction turns. Coordinates (height, x, y).
TYPED_TEST(LagrangianSchemeTest, FrictionFollowsTheDirectionOfSliding) {
    if constexpr (TypeParam::has_friction) {
        const double mu = 0.3, push = 1.0;
        const Function friction = Function::from(5, 2, [=](const auto& in, auto& f) {
            using std::sqrt;
            using Scalar = std::decay_t<decltype(f[0])>;
            const Scalar speed = sqrt(in[2] * in[2] + in[3] * in[3]);
            f[0] = -mu * gravity * in[2] / speed;
            f[1] = push - mu * gravity * in[3] / speed;
        });
        const LagrangianModel smooth{
            .systems = {{.name = "s", .q0 = vector({0, 0}), .v0 = vector({4, -1}), .f = friction}}};
        const LagrangianModel block{
            .systems = {{.name = "block",
                         .q0 = vector({0, 0, 0}),
                         .v0 = vector({0, 4, -1}),
                         .b = weight(vector({-gravity, 0, push}))}},
            .interactions = {{.name = "floor", .G = MatrixXd::Identity(3, 3), .law = ContactLaw{.friction = mu}}}};
        const VectorXd exact = reference(smooth, 1.0).back();
        EXPECT_NEAR((this->run(block, 1.0, 2000).q.tail(2) - exact).norm(), 0.0, has_facets<TypeParam>() ? 0.25 : 2e-3);
        const LagrangianState rest = this->run(block, 3.0, 3000);
        EXPECT_NEAR(rest.v.norm(), 0.0, 1e-10);
        EXPECT_NEAR(rest.P[2], -push * 1e-3, 1e-9);
    }
}

// Two masses on springs between walls, which hit a wall and each other: plastic impacts, so that all schemes take it.
LagrangianModel two_masses() {
    MatrixXd K(2, 2), G(1, 2);
    K << 30, -10, -10, 20;
    G << -1, 1;
    const Function load = Function::from(1, 2, [](const auto& t, auto& out) {
        using std::sin;
        out[0] = -20.0 * sin(3.0 * t[0]);
        out[1] = -15.0 * sin(2.0 * t[0]);
    });
    return {.name = "two masses",
            .systems = {{.name = "m",
                         .q0 = vector({0.5, 1.0}),
                         .v0 = vector({-1, -3}),
                         .M = vector({1.0, 2.0}).asDiagonal().toDenseMatrix(),
                         .K = K,
                         .b = load}},
            .interactions = {{.name = "wall", .G = MatrixXd(Eigen::RowVector2d(1, 0)), .law = ContactLaw{}},
                             {.name = "pair", .G = G, .law = ContactLaw{}}}};
}

TYPED_TEST(LagrangianSchemeTest, AgreesWithTheOthersOnTwoContacts) {
    const long steps = 8000;
    std::vector<VectorXd> expected;
    LagrangianState state;
    MoreauJeanStepper other(two_masses(), {}, 2.0 / 32000);
    for (long k = 1; k <= 32000; ++k) {
        ASSERT_NE(other.step(), StepOutcome::failed);
        other.read(state);
        if (k % 4 == 0) expected.push_back(state.q);
    }
    long step = 0, wall = 0, pair = 0;
    this->run(two_masses(), 2.0, steps, [&](const LagrangianState& own) {
        ASSERT_NEAR((own.q - expected[static_cast<std::size_t>(step++)]).norm(), 0.0, 4e-3) << own.t;
        wall += own.P[0] > 0.0;
        pair += own.P[1] > 0.0;
    });
    EXPECT_GT(wall, 10);
    EXPECT_GT(pair, 10);
}

// The woodpecker toy (Glocker 1995): impacts with friction and sticking, q = (height, angle of the sleeve, that of the
// bird). y(0.05) and phi_S(0.05) as computed with located events.
LagrangianModel woodpecker() {
    const double mM = 3e-4, JM = 5e-9, mS = 4.5e-3, JS = 7e-7, c = 5.6e-3, rO = 2.5e-3, rM = 3.1e-3, hM = 5.8e-3,
                 lM = 0.010, lG = 0.015, hS = 0.02, lS = 0.0201;
    MatrixXd M(3, 3), K(3, 3);
    M << mS + mM, mS * lM, mS * lG, mS * lM, JM + mS * lM * lM, mS * lM * lG, mS * lG, mS * lM * lG, JS + mS * lG * lG;
    K << 0, 0, 0, 0, c, -c, 0, -c, c;
    LagrangianModel model{.systems = {{.name = "woodpecker",
                                       .q0 = vector({0, -0.1036, -0.2788}),
                                       .v0 = vector({-0.3411, 0, -7.4583}),
                                       .M = M,
                                       .K = K,
                                       .b = weight(-gravity * vector({mS + mM, mS * lM, mS * lG}))}}};
    const auto add = [&](const char* name, const Eigen::RowVector3d& gap, double offset,
                         const Eigen::RowVector3d& sliding, double restitution) {
        MatrixXd G(2, 3);
        G << gap, sliding;
        model.interactions.push_back({.name = name,
                                      .G = G,
                                      .e = Function::constant(1, vector({offset, 0})),
                                      .law = ContactLaw{.restitution = restitution, .friction = 0.3}});
    };
    add("beak", {0, 0, -hS}, lM + lG - lS - rO, {1, lM, lG - lS}, 0.5);
    add("up", {0, hM, 0}, rM - rO, {1, rM, 0}, 0.0);
    add("down", {0, -hM, 0}, rM - rO, {1, rM, 0}, 0.0);
    return model;
}

TYPED_TEST(LagrangianSchemeTest, WoodpeckerPecks) {
    if (TypeParam::name == GeneralisedAlpha::name) SALTUS_SKIP_IF_SANITIZED();
    if constexpr (TypeParam::has_friction && TypeParam::has_restitution) {
        const LagrangianState once = this->run(woodpecker(), 0.05, 2000);
        EXPECT_NEAR(once.q[0], -4.4074e-3, 2e-5);
        EXPECT_NEAR(once.q[2], -0.39298, 1e-3);
        EXPECT_NEAR(this->run(woodpecker(), 1.0, 20000).q[0], -0.1284, 3e-3);
    }
}

// Springs without damping and contacts of one restitution: M = A A' + 1, K = B B'.
LagrangianModel random_oscillator(unsigned seed, double restitution) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto matrix = [&](Index rows, Index cols) {
        return MatrixXd(MatrixXd::NullaryExpr(rows, cols, [&] { return normal(random); }));
    };
    const Index n = 4;
    const MatrixXd A = matrix(n, n), B = 3.0 * matrix(n, n);
    LagrangianModel model{.systems = {{.name = "o",
                                       .q0 = matrix(n, 1),
                                       .v0 = matrix(n, 1),
                                       .M = MatrixXd(A * A.transpose() + MatrixXd::Identity(n, n)),
                                       .K = MatrixXd(B * B.transpose())}}};
    for (const char* name : {"a", "b", "c"}) {
        const MatrixXd G = matrix(1, n);
        const double gap = (G * model.systems[0].q0)[0];
        model.interactions.push_back({.name = name,
                                      .G = G,
                                      .e = Function::constant(1, vector({0.3 - gap})),
                                      .law = ContactLaw{.restitution = restitution}});
    }
    return model;
}

double energy(const LagrangianModel& model, const VectorXd& q, const VectorXd& v) {
    return 0.5 * v.dot(model.systems[0].M * v) + 0.5 * q.dot(model.systems[0].K * q);
}

// The steps in which it does, by rounding or the order of the scheme, leave it near what it was at most.
TYPED_TEST(LagrangianSchemeTest, EnergyStaysBelowItsBeginning) {
    if (TypeParam::name == GeneralisedAlpha::name) SALTUS_SKIP_IF_SANITIZED();
    for (const double e : {0.0, 0.5, 1.0})
        for (unsigned seed = 1; seed <= 5; ++seed) {
            if (e > 0.0 && !TypeParam::has_restitution) continue;
            const LagrangianModel model = random_oscillator(seed, e);
            const double first = energy(model, model.systems[0].q0, model.systems[0].v0);
            double last = first, most = first;
            this->run(model, 2.0, 8000, [&](const LagrangianState& state) {
                last = energy(model, state.q, state.v);
                most = std::max(most, last);
            });
            EXPECT_LT(most, 1.003 * first) << "e = " << e << ", seed " << seed;
            if (e < 1.0)
                EXPECT_LT(last, 0.8 * first);
            else
                EXPECT_GT(last, 0.95 * first);
        }
}

// In a step of Moreau and Jean's scheme without loads the energy changes by
//     -(theta - 1/2) (|v+ - v|_M^2 + |q+ - q|_K^2) + (1 - theta (1 + e)) u-.P:
// it never grows where theta <= 1 / (1 + e) (Acary 2016) and no contact is pressed that was about to open, which
// happens to one that overlaps; it is conserved for theta = 1/2, e = 1. Elsewhere it may grow with h.
TEST(MoreauJeanEnergy, NeverGrows) {
    int impacts = 0;
    for (const double theta : {0.5, 0.75, 1.0})
        for (const double e : {0.0, 0.5, 1.0})
            for (unsigned seed = 1; seed <= 10; ++seed) {
                const LagrangianModel model = random_oscillator(seed, e);
                MoreauJeanStepper stepper(model, {.theta = theta}, 0.01);
                LagrangianState before, after;
                stepper.read(before);
                const double first = energy(model, before.q, before.v);
                for (int k = 0; k < 500; ++k) {
                    ASSERT_NE(stepper.step(), StepOutcome::failed);
                    stepper.read(after);
                    const VectorXd dv = after.v - before.v, dq = after.q - before.q;
                    const double change = energy(model, after.q, after.v) - energy(model, before.q, before.v);
                    double work = 0.0;  // a closed contact that opens has e = 1
                    for (Index i = 0; i < before.u.size(); ++i)
                        work += (1.0 - theta * (1.0 + (before.u[i] > 0.0 ? 1.0 : e))) * before.u[i] * after.P[i];
                    ASSERT_NEAR(change, work - 2.0 * (theta - 0.5) * energy(model, dq, dv), 1e-10 * first);
                    if (theta <= 1.0 / (1.0 + e)) {
                        ASSERT_LE(change, 1e-12 * first) << theta << ' ' << e;
                    }
                    impacts += after.P.maxCoeff() > 0.0;
                    before = after;
                }
            }
    EXPECT_GT(impacts, 500);
}

TYPED_TEST(LagrangianSchemeTest, FailsWhereTheModelEnds) {  // the load is not a number after t = 1/2
    LagrangianModel model = ball(1.0, 0.0);
    model.systems[0].b = Function::from(1, 1, [](const auto& t, auto& out) {
        using std::sqrt;
        out[0] = sqrt(0.5 - t[0]);
    });
    typename TestFixture::Stepper stepper(model, TypeParam::options(), 0.01);
    LagrangianState before, after;
    StepOutcome outcome = StepOutcome::kept;
    for (int k = 0; k < 60 && outcome != StepOutcome::failed; ++k) {
        stepper.read(before);
        outcome = stepper.step();
    }
    stepper.read(after);
    EXPECT_EQ(outcome, StepOutcome::failed);
    EXPECT_NEAR(after.t, 0.5, 0.011);
    EXPECT_EQ(before.q, after.q);
    EXPECT_EQ(before.v, after.v);
    EXPECT_FALSE(stepper.report().converged());
    EXPECT_FALSE(stepper.report().message.empty());
}

TYPED_TEST(LagrangianSchemeTest, GoesOnFromAState) {  // half the time by one stepper, half by another
    const LagrangianModel model = joint_pendulum();
    typename TestFixture::Stepper first(model, TypeParam::options(), 1e-3), second(model, TypeParam::options(), 1e-3);
    LagrangianState state;
    for (int k = 0; k < 499; ++k) {
        ASSERT_NE(first.step(), StepOutcome::failed);
        ASSERT_NE(second.step(), StepOutcome::failed);
    }
    ASSERT_NE(first.step(), StepOutcome::failed);
    first.read(state);
    second.resume(state);
    EXPECT_EQ(second.t(), first.t());
    for (int k = 0; k < 500; ++k) {
        ASSERT_NE(first.step(), StepOutcome::failed);
        ASSERT_NE(second.step(), StepOutcome::failed);
    }
    LagrangianState other;
    first.read(state);
    second.read(other);
    EXPECT_NEAR((state.q - other.q).norm(), 0.0, 5e-3);
}

TYPED_TEST(LagrangianSchemeTest, AllocatesNothingAfterTheFirstSteps) {
    typename TestFixture::Stepper stepper(ball(0.0, 0.0), TypeParam::options(), 1e-3);
    const auto some_steps = [&] {
        for (int k = 0; k < 100; ++k) stepper.step();
    };
    some_steps();
    if constexpr (!TypeParam::allocates) {
        EXPECT_EQ(allocations_in(some_steps), 0);
    }
}

// What a simulation does with any of them.
TEST(LagrangianSchemes, StandInOneVariant) {
    using AnyStepper = std::variant<MoreauJeanStepper, SchatzmanPaoliStepper, StewartTrinkleStepper,
                                    AnitescuPotraStepper, D1MinusStepper, GeneralisedAlphaStepper>;
    std::vector<AnyStepper> steppers;
    const LagrangianModel model = ball(1.0, 0.0);
    const double h = 1e-3;
    steppers.emplace_back(std::in_place_type<MoreauJeanStepper>, model, MoreauJean{}, h);
    steppers.emplace_back(std::in_place_type<SchatzmanPaoliStepper>, model, SchatzmanPaoli{}, h);
    steppers.emplace_back(std::in_place_type<StewartTrinkleStepper>, model, StewartTrinkle{}, h);
    steppers.emplace_back(std::in_place_type<AnitescuPotraStepper>, model, AnitescuPotra{}, h);
    steppers.emplace_back(std::in_place_type<D1MinusStepper>, model, D1Minus{}, h);
    steppers.emplace_back(std::in_place_type<GeneralisedAlphaStepper>, model, GeneralisedAlpha{}, h);
    for (AnyStepper& any : steppers)
        std::visit(
            [&](auto& stepper) {
                int switches = 0;
                LagrangianState state;
                for (int k = 0; k < 1000; ++k) switches += stepper.step() == StepOutcome::switched;
                stepper.read(state);
                EXPECT_EQ(switches, 1);  // the ball falls, and rests
                EXPECT_EQ(stepper.placement(), Placement{Place::basic});
                EXPECT_EQ(stepper.steps(), 1000);
                EXPECT_DOUBLE_EQ(stepper.t(), 1.0);
                EXPECT_TRUE(stepper.report().converged());
                stepper.resume(state);
                EXPECT_EQ(stepper.steps(), 1001);
                EXPECT_TRUE(stepper.accept_unsolved());
                (void)stepper.problem();
                EXPECT_LT(stepper.law_residual(), 1e-9);
            },
            any);
}

TEST(LagrangianSchemes, RefuseWhatTheyHaveNot) {
    const auto refused = [](const LagrangianModel& model, auto scheme, auto* stepper) {
        return refusal([&] { std::decay_t<decltype(*stepper)>(model, scheme, 1e-3); });
    };
    const auto schatzman = [&](const LagrangianModel& model) {
        return refused(model, SchatzmanPaoli{}, static_cast<SchatzmanPaoliStepper*>(nullptr));
    };
    EXPECT_EQ(schatzman(slope(0.1, 0.3, 0.0)),
              "interaction 'slope': schatzman-paoli has no contacts with sliding; take moreau-jean");
    EXPECT_EQ(schatzman(ball(1.0, 0.5)), "accepted");
    EXPECT_EQ(refused(ball(1.0, 0.5), StewartTrinkle{}, static_cast<StewartTrinkleStepper*>(nullptr)),
              "interaction 'ground': stewart-trinkle has no restitution; take moreau-jean");
    EXPECT_EQ(refused(ball(1.0, 0.5), StewartTrinkle{.facets = 2}, static_cast<StewartTrinkleStepper*>(nullptr)),
              "stewart-trinkle: facets is 2; it must be 0 (the disk), or 3 or more");
    EXPECT_EQ(refused(ball(1.0, 0.5), GeneralisedAlpha{.spectral_radius = 1.5},
                      static_cast<GeneralisedAlphaStepper*>(nullptr)),
              "generalised-alpha: spectral_radius is 1.5; it must be between 0 and 1");
    LagrangianModel spring = ball(1.0, 0.0);
    spring.interactions[0].law = SpringLaw{.pieces = {{.stiffness = 100.0}}};
    EXPECT_EQ(refused(spring, D1Minus{}, static_cast<D1MinusStepper*>(nullptr)),
              "interaction 'ground': d1-minus has no springs; take moreau-jean");
    EXPECT_EQ(refused(spring, GeneralisedAlpha{}, static_cast<GeneralisedAlphaStepper*>(nullptr)),
              "interaction 'ground': generalised-alpha has no springs; take moreau-jean");
    EXPECT_EQ(refused(spring, AnitescuPotra{}, static_cast<AnitescuPotraStepper*>(nullptr)), "accepted");
    LagrangianModel poisson = ball(1.0, 0.0);
    poisson.interactions[0].law = ContactLaw{.impact = ContactLaw::Impact::poisson, .restitution = 0.5};
    EXPECT_EQ(refused(poisson, D1Minus{}, static_cast<D1MinusStepper*>(nullptr)),
              "interaction 'ground': d1-minus has no impact poisson; take moreau-jean");
    EXPECT_EQ(refused(poisson, AnitescuPotra{}, static_cast<AnitescuPotraStepper*>(nullptr)), "accepted");
}

// Poisson's law in the two phases: for one contact without friction it is Newton's; a sphere slips under (1 + e) times
// the compression; for two contacts the percussions are those of the compression, times 1 + e.
TEST(AnitescuPotraImpact, ExpandsByPoissonsLaw) {
    for (const int facets : {0, 6}) {
        const double e = 0.5, mu = 0.02;
        LagrangianModel model = sphere(mu, e);
        model.interactions[0].law = ContactLaw{.impact = ContactLaw::Impact::poisson, .restitution = e, .friction = mu};
        AnitescuPotraStepper stepper(model, {.facets = facets}, 1e-6);
        LagrangianState state;
        for (int k = 0; k < 1000; ++k) {
            ASSERT_NE(stepper.step(), StepOutcome::failed);
            stepper.read(state);
            if (state.P[0] > 0.0) break;
        }
        EXPECT_NEAR(state.v[0], e * 2.0, 0.01);
        EXPECT_NEAR(state.P[0], (1.0 + e) * 2.0, 0.01);
        EXPECT_NEAR(state.P[1], -mu * state.P[0], 1e-9);
    }
    // In space the polygon bounds friction, in the direction of a corner, by mu (1 + e) times the compression.
    LagrangianModel block{.systems = {{.name = "block", .q0 = vector({0, 0, 0}), .v0 = vector({-2, 3, 0})}}};
    block.interactions = {
        {.name = "floor",
         .G = MatrixXd::Identity(3, 3),
         .law = ContactLaw{.impact = ContactLaw::Impact::poisson, .restitution = 0.5, .friction = 0.1}}};
    for (const int facets : {0, 4, 6}) {
        AnitescuPotraStepper stepper(block, {.facets = facets}, 1e-3);
        LagrangianState state;
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        stepper.read(state);
        EXPECT_NEAR((state.v - vector({1.0, 3.0 - 0.1 * 1.5 * 2.0, 0.0})).norm(), 0.0, 1e-9) << facets;
    }
    // A mass hits two springless masses in a row: three in a line, the last two touch. Compression: all move with one
    // velocity 1/3; expansion by e = 1 gives (-1/3, 2/3, 2/3).
    LagrangianModel line{.systems = {{.name = "line", .q0 = vector({0, 0, 0}), .v0 = vector({1, 0, 0})}}};
    line.interactions = {{.name = "ab", .G = MatrixXd(Eigen::RowVector3d(-1, 1, 0))},
                         {.name = "bc", .G = MatrixXd(Eigen::RowVector3d(0, -1, 1))}};
    for (LagrangianInteraction& interaction : line.interactions)
        interaction.law = ContactLaw{.impact = ContactLaw::Impact::poisson, .restitution = 1.0};
    AnitescuPotraStepper stepper(line, {}, 1e-3);
    LagrangianState state;
    ASSERT_NE(stepper.step(), StepOutcome::failed);
    stepper.read(state);
    EXPECT_NEAR((state.v - vector({-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0})).norm(), 0.0, 1e-12);
    EXPECT_NEAR((state.P - vector({4.0 / 3.0, 2.0 / 3.0})).norm(), 0.0, 1e-12);

    // The same with rows of sliding, and a second contact that only resists: the expansion of the first presses on it.
    line.systems[0] = {.name = "line", .q0 = VectorXd::Zero(6), .v0 = vector({1, 0, 0, 0, 0, 0})};
    for (Index i = 0; i < 2; ++i) {
        MatrixXd G = MatrixXd::Zero(2, 6);
        G(0, i) = G(1, 3 + i) = -1.0;
        G(0, i + 1) = G(1, 4 + i) = 1.0;
        line.interactions[static_cast<std::size_t>(i)].G = G;
        line.interactions[static_cast<std::size_t>(i)].law =
            ContactLaw{.impact = ContactLaw::Impact::poisson, .restitution = i == 0 ? 1.0 : 0.0, .friction = 0.3};
    }
    AnitescuPotraStepper sliding(line, {}, 1e-3);
    ASSERT_NE(sliding.step(), StepOutcome::failed);
    sliding.read(state);
    EXPECT_NEAR((state.v.head(3) - vector({-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0})).norm(), 0.0, 1e-9);
}

}  // namespace
}  // namespace saltus
