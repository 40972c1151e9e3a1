#include "saltus/model/lagrangian_model.hpp"

#include <gtest/gtest.h>

#include "saltus/model/function_from.hpp"
#include "saltus/model/interaction_functions.hpp"
#include "saltus/model/system_functions.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::refusal;

// Two links of unit length and mass, absolute angles: M12 = cos(q1 - q2).
LagrangianSystem double_pendulum() {
    LagrangianSystem system{.name = "pendulum", .q0 = VectorXd::Zero(2), .v0 = VectorXd::Zero(2)};
    system.mass = Function::from(2, 4, [](const auto& in, auto& out) {
        using std::cos;
        out[0] = 2.0 + 0.0 * in[0];
        out[1] = cos(in[0] - in[1]);
        out[2] = cos(in[0] - in[1]);
        out[3] = 1.0 + 0.0 * in[0];
    });
    system.derives_inertial_terms = true;
    return system;
}

TEST(SystemFunctions, InertialTermsAreThoseOfLagrange) {
    SystemFunctions functions(double_pendulum());
    const Eigen::Vector2d q(0.3, 1.1), v(2.0, -0.7);
    VectorXd force(2);
    functions.evaluate_force(0.0, q.data(), v.data(), force);
    const double s = std::sin(q[0] - q[1]);
    EXPECT_NEAR(force[0], -s * v[1] * v[1], 1e-14);
    EXPECT_NEAR(force[1], s * v[0] * v[0], 1e-14);
    MatrixXd force_q(2, 2), force_v(2, 2);
    functions.evaluate_tangents(force_q, force_v);
    EXPECT_NEAR(force_v(0, 0), 0.0, 1e-14);
    EXPECT_NEAR(force_v(0, 1), -2.0 * s * v[1], 1e-14);
    EXPECT_NEAR(force_v(1, 0), 2.0 * s * v[0], 1e-14);
    EXPECT_NEAR(force_v(1, 1), 0.0, 1e-14);
}

TEST(InteractionFunctions, PositionsVelocitiesAndDirections) {
    LagrangianModel model{.name = "model"};
    for (const char* name : {"one", "two"})
        model.systems.push_back({.name = name, .q0 = VectorXd::Zero(2), .v0 = VectorXd::Zero(2)});
    LagrangianInteraction contact{.name = "contact", .systems = {1, 0}};
    contact.g = Function::from(4 + 2 + 1, 1, [](const auto& in, auto& out) { out[0] = in[0] * in[3] - in[6] * in[6]; });
    contact.tangents = Function::from(5, 4, [](const auto& in, auto& out) {
        out[0] = in[0];
        out[1] = 2.0 * in[1];
        out[2] = 3.0 * in[2];
        out[3] = 4.0 * in[4];
    });
    contact.law = ContactLaw{.friction = 0.1};
    model.interactions.push_back(contact);
    model.check();
    InteractionFunctions functions(model, model.starts(), contact);
    const Eigen::Vector4d q(1.0, 2.0, 3.0, 4.0);  // of system one, then two; the contact sees (3, 4, 1, 2)
    functions.evaluate(0.5, q);
    EXPECT_EQ(functions.rows(), 2);
    EXPECT_DOUBLE_EQ(functions.y()[0], 3.0 * 2.0 - 0.25);
    EXPECT_EQ(functions.y()[1], 0.0);
    EXPECT_EQ(functions.coordinates(), (IndexList{2, 3, 0, 1}));
    EXPECT_EQ(functions.J(), (MatrixXd(2, 4) << 2, 0, 0, 3, 3, 8, 3, 2).finished());
    EXPECT_EQ(functions.rate(), Eigen::Vector2d(-1.0, 0.0));
    Eigen::Vector2d u;
    functions.velocity(Eigen::Vector4d(1, 10, 100, 1000), u.data());
    EXPECT_EQ(u, Eigen::Vector2d(2 * 100 + 3 * 10 - 1, 3 * 100 + 8 * 1000 + 3 * 1 + 2 * 10));
}

TEST(InteractionFunctions, OnlyTheNonzeroColumnsOfALargeSystemAreTouched) {
    LagrangianModel model{.name = "model"};
    model.systems.push_back({.name = "bar", .q0 = VectorXd::Zero(1000), .v0 = VectorXd::Zero(1000)});
    Matrix::Sparse G(1, 1000);
    G.insert(0, 17) = 2.0;
    G.insert(0, 900) = -1.0;
    const LagrangianInteraction contact{.name = "contact", .G = G, .law = ContactLaw{}};
    InteractionFunctions functions(model, model.starts(), contact);
    EXPECT_EQ(functions.coordinates(), (IndexList{17, 900}));
    EXPECT_EQ(functions.J(), (MatrixXd(1, 2) << 2.0, -1.0).finished());
}

TEST(LagrangianModel, MistakesAreNamed) {
    const auto model = [](auto change) {
        LagrangianModel result{.name = "model"};
        result.systems.push_back({.name = "ball", .q0 = VectorXd::Zero(2), .v0 = VectorXd::Zero(2)});
        result.interactions.push_back({.name = "ground", .G = MatrixXd::Identity(1, 2), .law = ContactLaw{}});
        change(result);
        return refusal([&] { result.check(); });
    };
    EXPECT_EQ(model([](LagrangianModel&) {}), "accepted");
    EXPECT_EQ(model([](LagrangianModel& m) { m.systems[0].v0.resize(1); }),
              "system 'ball': v0 has 1 entries, q0 has 2; give one velocity per coordinate");
    EXPECT_EQ(model([](LagrangianModel& m) { m.systems[0].M = MatrixXd::Identity(3, 3); }),
              "system 'ball': M is 3 x 3, it must be 2 x 2");
    EXPECT_EQ(model([](LagrangianModel& m) { m.systems[0].derives_inertial_terms = true; }),
              "system 'ball': inertial terms can be derived from a mass that depends on q; the mass is constant, they "
              "are zero");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].G = MatrixXd::Identity(4, 2); }),
              "interaction 'ground': the contact has 4 rows; it must have 1 (gap), 2 or 3 (with sliding), or 5 (with "
              "sliding and rolling)");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].G = {}; }),
              "interaction 'ground': it has no rows; give G, g or h");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].systems = {1}; }),
              "interaction 'ground': there is no system number 1, the model has 1");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].law = ContactLaw{.rolling = 0.1}; }),
              "interaction 'ground': rolling is 0.1, and the contact has 1 rows; it needs 5");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].law = RelayLaw{}; }),
              "interaction 'ground': a RelayLaw speaks of h alone; move G, g and tangents into it");
    EXPECT_EQ(model([](LagrangianModel& m) { m.interactions[0].law = SpringLaw{.pieces = {{.stiffness = -1.0}}}; }),
              "interaction 'ground': a piece begins at 0 with stiffness -1 and carries inf at most; all must be "
              "positive");
    EXPECT_EQ(model([](LagrangianModel& m) { m.systems.push_back(m.systems[0]); }),
              "two systems have the name 'ball'; give each its own");
}

}  // namespace
}  // namespace saltus
