#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "saltus/integrators/lagrangian/anitescu_potra.hpp"
#include "saltus/integrators/lagrangian/d1_minus.hpp"
#include "saltus/integrators/lagrangian/generalised_alpha.hpp"
#include "saltus/integrators/lagrangian/moreau_jean.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli.hpp"
#include "saltus/integrators/lagrangian/stewart_trinkle.hpp"
#include "saltus/model/system_functions.hpp"
#include "support/observed_order.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Vector2d, Eigen::Vector3d;
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
};
struct MoreauJeanHalf : Case<MoreauJean, MoreauJeanStepper> {};
struct MoreauJeanOne : Case<MoreauJean, MoreauJeanStepper> {
    static MoreauJean options() { return {.theta = 1.0}; }
    static constexpr int order = 1;
};
struct SchatzmanPaoliCase : Case<SchatzmanPaoli, SchatzmanPaoliStepper> {
    static constexpr bool has_friction = false;
};
struct StewartTrinkleCase : Case<StewartTrinkle, StewartTrinkleStepper> {
    static constexpr bool has_restitution = false;
};
struct StewartTrinkleFacets : StewartTrinkleCase {
    static StewartTrinkle options() { return {.facets = 8}; }
};
struct AnitescuPotraCase : Case<AnitescuPotra, AnitescuPotraStepper> {};
struct D1MinusCase : Case<D1Minus, D1MinusStepper> {};
struct GeneralisedAlphaCase : Case<GeneralisedAlpha, GeneralisedAlphaStepper> {};
struct GeneralisedAlphaOne : GeneralisedAlphaCase {
    static GeneralisedAlpha options() { return {.spectral_radius = 1.0}; }
};

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

    // The largest, at the ends of the parts of a second, with 2^k steps.
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
        rate << v, functions.mass().ldlt().solve(force);
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
    EXPECT_NEAR(observed_order(7, 12, [&](int k) { return errors(k)[0]; }), TypeParam::impact_order, 0.15);
    EXPECT_NEAR(observed_order(7, 12, [&](int k) { return errors(k)[1]; }), TypeParam::impact_order, 0.15);
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
    std::printf("drift %g %g\n", drift(7), drift(11));
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
            EXPECT_NEAR(state.P[1], -mu * state.P[0], 1e-9) << state.t;
        });
        // Pushed up the slope it comes to rest, and stays.
        const LagrangianState up = this->run(slope(angle, 1.01 * std::tan(angle), -2.0), 1.0, 1000);
        const double braking = gravity * (std::sin(angle) + 1.01 * std::tan(angle) * std::cos(angle));
        EXPECT_NEAR(up.q[1], -2.0 / braking, 2e-3);
        EXPECT_NEAR(up.v[1], 0.0, 1e-12);
    }
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

}  // namespace
}  // namespace saltus
