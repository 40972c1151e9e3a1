#include "saltus/integrators/lagrangian/impact_map.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"
#include "saltus/model/model_checks.hpp"
#include "support/observed_order.hpp"
#include "support/random_problems.hpp"
#include "support/refusal.hpp"
#include "support/sanitized.hpp"

namespace saltus {
namespace {

using testing::Random;
using testing::refusal;
using Kind = ContactLaw::Impact;
using Vector = Eigen::VectorXd;

constexpr Kind all_impacts[] = {Kind::newton, Kind::poisson, Kind::cascade};

Vector vector(std::initializer_list<double> entries) {
    return Eigen::Map<const Vector>(entries.begin(), static_cast<Index>(entries.size()));
}

IndexList all_of(const LagrangianModel& model) {
    IndexList result;
    for (Index i = 0; i < std::ssize(model.interactions); ++i) result.push_back(i);
    return result;
}

Vector velocities_of(const LagrangianModel& model) {
    Vector v(model.coordinates());
    Index at = 0;
    for (const LagrangianSystem& system : model.systems) {
        v.segment(at, system.size()) = system.v0;
        at += system.size();
    }
    return v;
}

struct Outcome {
    Vector v, P;
    SolveReport report;
};

// All contacts are closed.
Outcome impact(const LagrangianModel& model) {
    Outcome outcome{velocities_of(model), {}, {}};
    outcome.report =
        ImpactMap(model).apply(0.0, Vector::Zero(model.coordinates()), all_of(model), outcome.v, outcome.P);
    return outcome;
}

// Balls on a line that touch, each at a position of its own: contact i between balls i and i + 1.
LagrangianModel chain(const Vector& masses, const Vector& v0, const std::vector<ContactLaw>& laws) {
    LagrangianModel model{.name = "chain"};
    for (Index i = 0; i < masses.size(); ++i)
        model.systems.push_back({.name = "ball " + std::to_string(i),
                                 .q0 = Vector::Zero(1),
                                 .v0 = v0.segment(i, 1),
                                 .M = Matrix(Eigen::MatrixXd::Constant(1, 1, masses[i]))});
    for (Index i = 0; i + 1 < masses.size(); ++i)
        model.interactions.push_back({.name = "contact " + std::to_string(i),
                                      .systems = {i, i + 1},
                                      .G = Matrix(Eigen::MatrixXd(Eigen::RowVector2d(-1.0, 1.0))),
                                      .law = laws[static_cast<std::size_t>(i)]});
    return model;
}

LagrangianModel equal_chain(Index balls, const ContactLaw& law) {
    return chain(Vector::Ones(balls), Vector::Unit(balls, 0),
                 std::vector<ContactLaw>(static_cast<std::size_t>(balls - 1), law));
}

void expect_near(const Vector& v, const Vector& expected, double tolerance, const std::string& what = "") {
    ASSERT_EQ(v.size(), expected.size());
    EXPECT_LE((v - expected).lpNorm<Eigen::Infinity>(), tolerance)
        << what << ": " << v.transpose() << " instead of " << expected.transpose();
}

// One body with a random mass matrix and contacts of `rows` rows, in random directions.
LagrangianModel random_body(Kind kind, Index contacts, Index rows, bool has_equal_restitution, Random& random) {
    const Index n = random.integer(2, 2 + 2 * contacts);
    const Eigen::MatrixXd A = random.matrix(n, n);
    LagrangianModel model{.name = "random"};
    model.systems.push_back({.name = "body",
                             .q0 = Vector::Zero(n),
                             .v0 = random.vector(n),
                             .M = Matrix(A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n))});
    const double restitution = random.uniform(0.0, 1.0);
    for (Index i = 0; i < contacts; ++i) {
        ContactLaw law{.impact = kind,
                       .restitution = has_equal_restitution ? restitution : random.uniform(0.0, 1.0),
                       .friction = rows > 1 ? random.uniform(0.0, 2.0) : 0.0,
                       .stiffness = random.uniform(0.1, 10.0),
                       .exponent = random.coin() ? 1.0 : 1.5};
        if (random.coin(0.2)) law.restitution = has_equal_restitution ? restitution : 0.0;
        model.interactions.push_back(
            {.name = std::to_string(i), .G = Matrix(random.matrix(rows, n)), .law = MechanicalLaw(law)});
    }
    return model;
}

double kinetic_energy(const LagrangianModel& model, const Vector& v) {
    double sum = 0.0;
    Index at = 0;
    for (const LagrangianSystem& system : model.systems) {
        const Vector own = v.segment(at, system.size());
        sum += 0.5 * own.dot(is_absent(system.M) ? own : Vector(system.M * own));
        at += system.size();
    }
    return sum;
}

double relative_growth(const LagrangianModel& model, const Vector& v) {
    const double before = kinetic_energy(model, velocities_of(model));
    return (kinetic_energy(model, v) - before) / before;
}

// --- Known numbers --------------------------------------------------------------------------------------------------

TEST(ImpactMap, ThreeEqualBalls) {
    for (const Kind kind : {Kind::newton, Kind::poisson}) {
        const Outcome rigid = impact(equal_chain(3, {.impact = kind, .restitution = 1.0}));
        expect_near(rigid.v, vector({-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}), 1e-14, std::string(to_string(kind)));
        expect_near(rigid.P, vector({4.0 / 3.0, 2.0 / 3.0}), 1e-14);
    }
    const Outcome linear = impact(equal_chain(3, {.impact = Kind::cascade, .restitution = 1.0}));
    expect_near(linear.v, vector({-0.1302616951, 0.1502295694, 0.9800321257}), 1e-10, "linear springs");
    const Outcome hertz = impact(equal_chain(3, {.impact = Kind::cascade, .restitution = 1.0, .exponent = 1.5}));
    expect_near(hertz.v, vector({-0.0709523537, 0.0764030391, 0.9945493146}), 1e-10, "Hertz");
    EXPECT_TRUE(linear.report.converged() && hertz.report.converged());
}

// The first contact much stiffer: the balls strike one after the other. Much softer: the other two move as one, then
// part as Newton's law has it.
TEST(ImpactMap, StiffnessesFarApartAreSequencesOfImpacts) {
    const auto v = [](double stiffness) {
        return impact(chain(Vector::Ones(3), Vector::Unit(3, 0),
                            {{.impact = Kind::cascade, .restitution = 1.0, .stiffness = stiffness},
                             {.impact = Kind::cascade, .restitution = 1.0}}))
            .v;
    };
    expect_near(v(1e12), vector({0.0, 0.0, 1.0}), 1e-11);
    EXPECT_GT((v(1e4) - v(1e12)).norm(), 1e-6);
    expect_near(v(1e-6), vector({-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}), 1e-5);
}

TEST(ImpactMap, OnlyRatiosOfStiffnessCountWhereExponentsAreEqual) {
    for (const double exponent : {0.7, 1.0, 1.5}) {
        const auto v = [&](double scale) {
            return impact(
                       chain(vector({1.0, 0.3, 2.0, 1.0}), vector({1.0, 0.0, 0.0, -0.5}),
                             {{.impact = Kind::cascade, .restitution = 0.6, .stiffness = scale, .exponent = exponent},
                              {.impact = Kind::cascade,
                               .restitution = 0.9,
                               .stiffness = 3.0 * scale,
                               .exponent = exponent},
                              {.impact = Kind::cascade,
                               .restitution = 0.2,
                               .stiffness = 0.4 * scale,
                               .exponent = exponent}}))
                .v;
        };
        expect_near(v(1e7), v(1.0), 1e-10);
        expect_near(v(1e-5), v(1.0), 1e-10);
    }
}

// The velocities may have any unit.
TEST(ImpactMap, IsHomogeneousInTheVelocities) {
    for (const Kind kind : all_impacts) {
        LagrangianModel model = equal_chain(4, {.impact = kind, .restitution = 0.7, .exponent = 1.5});
        const Vector v = impact(model).v;
        for (const double scale : {1e-9, 1e9}) {
            for (LagrangianSystem& system : model.systems) system.v0 *= scale;
            expect_near(impact(model).v / scale, v, 1e-10, std::string(to_string(kind)));
            for (LagrangianSystem& system : model.systems) system.v0 /= scale;
        }
    }
}

TEST(ImpactMap, OneContactObeysRestitution) {
    Random random(1);
    for (const Kind kind : all_impacts)
        for (int trial = 0; trial < 50; ++trial) {
            const LagrangianModel model = random_body(kind, 1, 1, false, random);
            const Eigen::MatrixXd J = model.interactions[0].G.to_dense();
            const double before = (J * model.systems[0].v0)[0];
            const double e = std::get<ContactLaw>(model.interactions[0].law).restitution;
            const double least = kind == Kind::cascade ? ImpactCascade::least_restitution : 0.0;
            if (e > 0.0 && e < least) continue;
            const Outcome outcome = impact(model);
            EXPECT_NEAR((J * outcome.v)[0], before < 0.0 ? -e * before : before, 1e-11) << to_string(kind) << " " << e;
        }
}

// --- Cascade against integrations of its own ------------------------------------------------------------------------

// Balls with springs of finite stiffness between them, by Runge and Kutta's method; e = 1. A contact that opens has a
// gap, which the cascade does not see: `reopened` says that it closed again, and that they need not agree.
struct CompliantChain {
    Vector masses, stiffness, exponents, x, v;
    bool reopened = false;

    Vector acceleration(const Vector& positions) const {
        Vector force = Vector::Zero(masses.size());
        for (Index i = 0; i + 1 < masses.size(); ++i) {
            const double indentation = std::max(0.0, positions[i] - positions[i + 1]);
            const double f = stiffness[i] * std::pow(indentation, exponents[i]);
            force[i] -= f;
            force[i + 1] += f;
        }
        return force.cwiseQuotient(masses);
    }
    bool is_over() const {
        bool is_over = true;
        for (Index i = 0; i < stiffness.size(); ++i) is_over = is_over && x[i + 1] > x[i] && v[i + 1] >= v[i];
        return is_over;
    }
    void run(double h) {
        std::vector<bool> has_opened(static_cast<std::size_t>(stiffness.size()), false);
        while (!is_over() && !reopened) {
            const Vector k1 = acceleration(x), k2 = acceleration(x + 0.5 * h * v);
            const Vector k3 = acceleration(x + 0.5 * h * v + 0.25 * h * h * k1);
            const Vector k4 = acceleration(x + h * v + 0.5 * h * h * k2);
            x += h * v + h * h / 6.0 * (k1 + k2 + k3);
            v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            for (Index i = 0; i < stiffness.size(); ++i) {
                auto opened = has_opened[static_cast<std::size_t>(i)];
                if (x[i + 1] > x[i]) has_opened[static_cast<std::size_t>(i)] = true;
                if (opened && v[i + 1] < v[i] - 1e-9) reopened = true;
            }
        }
    }
};

TEST(ImpactCascade, IsTheLimitOfSprings) {
    Random random(7);
    int compared = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const Index balls = random.integer(2, 5);
        CompliantChain springs{random.vector(balls, 0.2, 3.0), random.vector(balls - 1, 0.2, 5.0),
                               Vector::Ones(balls - 1), Vector::Zero(balls), Vector::Zero(balls)};
        for (double& exponent : springs.exponents) exponent = random.coin() ? 1.0 : 1.5;  // also mixed
        springs.v[0] = 1.0;
        if (random.coin()) springs.v[balls - 1] = -random.uniform(0.0, 1.0);
        std::vector<ContactLaw> laws;
        for (Index i = 0; i + 1 < balls; ++i)
            laws.push_back({.impact = Kind::cascade,
                            .restitution = 1.0,
                            .stiffness = springs.stiffness[i],
                            .exponent = springs.exponents[i]});
        const Outcome outcome = impact(chain(springs.masses, springs.v, laws));
        ASSERT_TRUE(outcome.report.converged()) << outcome.report.message;
        springs.run(2e-4);
        if (springs.reopened) continue;
        ++compared;
        expect_near(outcome.v, springs.v, 1e-7, "trial " + std::to_string(trial));
    }
    EXPECT_GE(compared, 25);
}

// The law as it is written, in energies and percussions: dP_j proportional to k_j^(1/(eta+1)) E_j^(eta/(eta+1)). Its
// right-hand side vanishes at E = 0, where a contact that closes is given a little energy to begin with.
Vector energies_and_percussions(const Eigen::MatrixXd& W, const Vector& u0, const std::vector<ContactLaw>& laws,
                                double eta, double h) {
    const Index n = u0.size();
    Vector P = Vector::Zero(n), E = Vector::Zero(n);
    const auto rates = [&](const Vector& P_now, const Vector& E_now, Vector& dP, Vector& dE) {
        const Vector u = u0 + W * P_now;
        for (Index j = 0; j < n; ++j) {
            const ContactLaw& law = laws[static_cast<std::size_t>(j)];
            dP[j] = std::pow(law.stiffness, 1.0 / (eta + 1.0)) * std::pow(std::max(0.0, E_now[j]), eta / (eta + 1.0));
            dE[j] = -u[j] * dP[j] * (u[j] < 0.0 ? 1.0 : 1.0 / (law.restitution * law.restitution));
        }
    };
    Vector dP(n), dE(n), dP_middle(n), dE_middle(n);
    for (int step = 0; step < 10000000; ++step) {
        const Vector u = u0 + W * P;
        bool is_over = true;
        for (Index j = 0; j < n; ++j) {
            if (u[j] < -1e-7 && E[j] <= 0.0) E[j] = 1e-15;
            is_over = is_over && E[j] <= 0.0;
        }
        if (is_over) return P;
        rates(P, E, dP, dE);
        rates(P + 0.5 * h * dP, E + 0.5 * h * dE, dP_middle, dE_middle);
        P += h * dP_middle;
        for (Index j = 0; j < n; ++j)
            E[j] = E[j] + 0.5 * h * dE[j] <= 0.0 ? 0.0 : std::max(0.0, E[j] + h * dE_middle[j]);
    }
    ADD_FAILURE() << "it does not end";
    return P;
}

TEST(ImpactCascade, ObeysTheLawInEnergiesAndPercussions) {
    Random random(11);
    for (int trial = 0; trial < 16; ++trial) {
        const Index balls = random.integer(3, 4);
        const double eta = trial % 2 == 0 ? 1.0 : 1.5;
        std::vector<ContactLaw> laws;
        for (Index i = 0; i + 1 < balls; ++i)
            laws.push_back({.impact = Kind::cascade,
                            .restitution = random.uniform(0.3, 1.0),
                            .stiffness = random.uniform(0.3, 3.0),
                            .exponent = eta});
        const LagrangianModel model = chain(random.vector(balls, 0.3, 3.0), Vector::Unit(balls, 0), laws);
        Eigen::MatrixXd W = Eigen::MatrixXd::Zero(balls - 1, balls - 1);
        for (Index i = 0; i + 1 < balls; ++i) {
            const auto mass = [&](Index b) { return model.systems[static_cast<std::size_t>(b)].M(0, 0); };
            W(i, i) = 1.0 / mass(i) + 1.0 / mass(i + 1);
            if (i > 0) W(i, i - 1) = W(i - 1, i) = -1.0 / mass(i);
        }
        const Outcome outcome = impact(model);
        expect_near(outcome.P, energies_and_percussions(W, -Vector::Unit(balls - 1, 0), laws, eta, 2e-4), 2e-4,
                    "trial " + std::to_string(trial));
    }
}

// e = 0 is the limit of small e.
TEST(ImpactCascade, ZeroRestitutionIsALimit) {
    const auto v = [](double e) {
        return impact(chain(vector({10.0, 1.0, 0.3, 5.0}), vector({1.0, 0.0, 0.0, -1.0}),
                            {{.impact = Kind::cascade, .restitution = 0.9},
                             {.impact = Kind::cascade, .restitution = e},
                             {.impact = Kind::cascade, .restitution = 0.5}}))
            .v;
    };
    const double coarse = (v(2e-3) - v(0.0)).norm(), fine = (v(1e-3) - v(0.0)).norm();
    EXPECT_LE(fine, 1e-3);
    EXPECT_NEAR(coarse / fine, 2.0, 0.1);
    // Two contacts that stop at the same time, by symmetry: half of them strikes a mass that does not move.
    const ContactLaw outer{.impact = Kind::cascade, .restitution = 0.9}, inner{.impact = Kind::cascade};
    const Vector both = impact(chain(vector({1.0, 1.0, 2.0, 1.0, 1.0}), vector({1.0, 1.0, 0.0, -1.0, -1.0}),
                                     {outer, inner, inner, outer}))
                            .v;
    const Vector half = impact(chain(vector({1.0, 1.0, 1e15}), vector({1.0, 1.0, 0.0}), {outer, inner})).v;
    expect_near(both.head(3), half, 1e-8);
    // All of them zero: the balls stay together.
    for (const double exponent : {1.0, 1.5})
        expect_near(impact(equal_chain(5, {.impact = Kind::cascade, .exponent = exponent})).v, Vector::Constant(5, 0.2),
                    1e-9);
}

// A ball strikes two others at once, one on each side: what is symmetric stays so, also where e = 0.
TEST(ImpactCascade, KeepsSymmetry) {
    for (const double e : {0.0, 0.5, 1.0}) {
        const Outcome outcome = impact(chain(vector({1.0, 1.0, 2.0, 1.0, 1.0}), vector({1.0, 1.0, 0.0, -1.0, -1.0}),
                                             std::vector<ContactLaw>(4, {.impact = Kind::cascade, .restitution = e})));
        EXPECT_TRUE(outcome.report.converged());
        EXPECT_NEAR(outcome.v[0], -outcome.v[4], 1e-9) << e;
        EXPECT_NEAR(outcome.v[1], -outcome.v[3], 1e-9) << e;
        EXPECT_NEAR(outcome.v[2], 0.0, 1e-9) << e;
    }
}

// --- Invariants ------------------------------------------------------------------------------------------------------

TEST(ImpactMap, KeepsMomentumAndOpensContacts) {
    Random random(2);
    for (const Kind kind : all_impacts)
        for (int trial = 0; trial < 40; ++trial) {
            const Index balls = random.integer(2, 8);
            std::vector<ContactLaw> laws;
            for (Index i = 0; i + 1 < balls; ++i)
                laws.push_back({.impact = kind,
                                .restitution = random.uniform(0.1, 1.0),
                                .stiffness = random.uniform(0.1, 10.0),
                                .exponent = random.uniform(0.8, 2.0)});
            const Vector masses = random.vector(balls, 0.1, 3.0);
            const LagrangianModel model = chain(masses, random.vector(balls), laws);
            const Outcome outcome = impact(model);
            ASSERT_TRUE(outcome.report.converged()) << outcome.report.message;
            EXPECT_NEAR(masses.dot(outcome.v), masses.dot(velocities_of(model)), 1e-13);
            for (Index i = 0; i + 1 < balls; ++i) {
                EXPECT_GE(outcome.P[i], 0.0);
                if (kind == Kind::newton) continue;
                EXPECT_GE(outcome.v[i + 1] - outcome.v[i], -2e-10) << to_string(kind);
            }
        }
}

TEST(ImpactMap, LosesKineticEnergyWithoutFriction) {
    Random random(3);
    for (const Kind kind : all_impacts)
        for (const bool is_equal : {true, false}) {
            double least = 0.0;
            int solved = 0;
            for (int trial = 0; trial < 100; ++trial) {
                const Index contacts = random.integer(1, 3);
                const LagrangianModel model = random_body(kind, contacts, 1, is_equal, random);
                const Outcome outcome = impact(model);
                solved += outcome.report.converged();
                // Newton's law and different e: only if no contact opens before the impact.
                bool opens = false;
                for (const LagrangianInteraction& i : model.interactions)
                    opens = opens || (i.G * model.systems[0].v0)[0] > 0.0;
                if (kind == Kind::newton && !is_equal && opens) continue;
                EXPECT_LE(relative_growth(model, outcome.v), 1e-11) << to_string(kind) << " trial " << trial;
                least = std::min(least, relative_growth(model, outcome.v));
            }
            EXPECT_LT(least, -0.1);  // impacts there were
            EXPECT_GE(solved, 99) << to_string(kind);
        }
}

TEST(ImpactMap, KeepsKineticEnergyWhereRestitutionIsOne) {
    for (const Kind kind : all_impacts)
        for (const double exponent : {1.0, 1.5}) {
            const LagrangianModel model = equal_chain(6, {.impact = kind, .restitution = 1.0, .exponent = exponent});
            EXPECT_NEAR(relative_growth(model, impact(model).v), 0.0, 1e-11) << to_string(kind);
        }
}

// With friction energy is lost for certain under Fremond's law, e_T = e, and under Poisson's, with the same e for all;
// with Newton's law and e_T = 0 it may grow.
TEST(ImpactMap, FrictionMayGiveEnergyUnderNewtonsLawOnly) {
    SALTUS_SKIP_IF_SANITIZED();
    Random random(4);
    for (const Index rows : {2, 3}) {
        int grown = 0, solved = 0;
        for (int trial = 0; trial < 300; ++trial) {
            LagrangianModel newton = random_body(Kind::newton, random.integer(1, 3), rows, true, random);
            LagrangianModel fremond = newton, poisson = newton;
            for (std::size_t i = 0; i < newton.interactions.size(); ++i) {
                ContactLaw& law = std::get<ContactLaw>(fremond.interactions[i].law);
                law.tangential_restitution = law.restitution;
                std::get<ContactLaw>(poisson.interactions[i].law).impact = Kind::poisson;
            }
            if (const Outcome outcome = impact(newton); outcome.report.converged())
                grown += relative_growth(newton, outcome.v) > 1e-6;
            for (const LagrangianModel& model : {fremond, poisson})
                if (const Outcome outcome = impact(model); outcome.report.converged()) {
                    EXPECT_LE(relative_growth(model, outcome.v), 1e-7) << rows << " rows, trial " << trial;
                    ++solved;
                }
        }
        EXPECT_GT(grown, 5) << rows;
        EXPECT_GT(solved, 560) << rows;
    }
}

// Kane and Levinson (1985): a double pendulum of two rods, e = 1/2, friction 1/2, strikes the ground and gains energy.
TEST(ImpactMap, KanesPendulum) {
    const double a = 20.0 * std::numbers::pi / 180.0, b = 30.0 * std::numbers::pi / 180.0;
    const double coupling = 0.5 * std::cos(a - b);
    Eigen::MatrixXd M(2, 2), G(2, 2);
    M << 4.0 / 3.0, coupling, coupling, 1.0 / 3.0;
    G << std::sin(a), std::sin(b), std::cos(a), std::cos(b);
    const auto growth = [&](const ContactLaw& law) {
        LagrangianModel model{.name = "pendulum"};
        model.systems.push_back({.name = "rods", .q0 = Vector::Zero(2), .v0 = vector({-0.1, -0.2}), .M = Matrix(M)});
        model.interactions.push_back({.name = "ground", .G = Matrix(G), .law = law});
        return relative_growth(model, impact(model).v);
    };
    EXPECT_GT(growth({.restitution = 0.5, .friction = 0.5}), 0.01);
    EXPECT_LT(growth({.restitution = 0.5, .friction = 0.5, .tangential_restitution = 0.5}), 0.0);
    EXPECT_LT(growth({.impact = Kind::poisson, .restitution = 0.5, .friction = 0.5}), 0.0);
}

// --- Friction --------------------------------------------------------------------------------------------------------

// A sphere: sliding velocity W_TT = 7/2 / m. It sticks, 5/7 v_T remaining, unless (2/7) |v_T| > friction (1 + e) |v_N|.
TEST(ImpactMap, SphereSticksOrSlides) {
    Eigen::MatrixXd M = Eigen::Vector3d(1.0, 1.0, 0.4).asDiagonal();  // height, x, radius times rotation
    Eigen::MatrixXd G(2, 3);
    G << 1.0, 0.0, 0.0, 0.0, 1.0, 1.0;
    for (const Kind kind : {Kind::newton, Kind::poisson})
        for (const double sliding : {1.0, 1.7, 3.0, 8.0}) {
            LagrangianModel model{.name = "sphere"};
            model.systems.push_back(
                {.name = "sphere", .q0 = Vector::Zero(3), .v0 = vector({-1.0, sliding, 0.0}), .M = Matrix(M)});
            model.interactions.push_back({.name = "ground",
                                          .G = Matrix(G),
                                          .law = ContactLaw{.impact = kind, .restitution = 0.5, .friction = 0.4}});
            const Outcome outcome = impact(model);
            const double lost = std::min(2.0 / 7.0 * sliding, 0.4 * 1.5);
            expect_near(outcome.v.head(2), vector({0.5, sliding - lost}), 1e-8, std::string(to_string(kind)));
            expect_near(outcome.P, vector({1.5, -lost}), 1e-8);
        }
}

// The two phases of Poisson's law, judged without the solver: there are P_c and P_e, with sum P, that obey it. Of P_c,
// the inelastic impact, Newton's law with e = 0 knows.
TEST(ImpactMap, PoissonsExpansionObeysItsLaw) {
    Random random(5);
    int judged = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const Index rows = random.integer(2, 3), contacts = random.integer(1, 3);
        const LagrangianModel model = random_body(Kind::poisson, contacts, rows, false, random);
        LagrangianModel inelastic = model;
        for (LagrangianInteraction& i : inelastic.interactions) {
            std::get<ContactLaw>(i.law).impact = Kind::newton;
            std::get<ContactLaw>(i.law).restitution = 0.0;
        }
        const Outcome compression = impact(inelastic), whole = impact(model);
        if (!compression.report.converged() || !whole.report.converged()) continue;
        for (Index i = 0; i < contacts; ++i) {
            const LagrangianInteraction& interaction = model.interactions[static_cast<std::size_t>(i)];
            const ContactLaw& law = std::get<ContactLaw>(interaction.law);
            const Vector u = interaction.G * whole.v;
            const Vector P_c = compression.P.segment(i * rows, rows), P_e = whole.P.segment(i * rows, rows) - P_c;
            const double more = P_e[0] - law.restitution * P_c[0];
            EXPECT_GE(u[0], -1e-7);
            EXPECT_GE(more, -1e-7);
            EXPECT_NEAR(u[0] * more, 0.0, 1e-7);
            const Vector T = P_e.tail(rows - 1), slip = u.tail(rows - 1);
            EXPECT_LE(T.norm(), law.friction * P_e[0] + 1e-7);
            EXPECT_NEAR(T.dot(slip), -law.friction * P_e[0] * slip.norm(), 1e-6);
            ++judged;
        }
    }
    EXPECT_GT(judged, 300);
}

// --- Joints, islands, refusals ---------------------------------------------------------------------------------------

LagrangianInteraction joint_between(Index a, Index b, const std::string& name) {
    return {.name = name,
            .systems = {a, b},
            .G = Matrix(Eigen::MatrixXd(Eigen::RowVector2d(-1.0, 1.0))),
            .law = JointLaw{}};
}

// Balls that joints hold together are one ball of their mass; redundant joints change nothing.
TEST(ImpactMap, JointsTransmitPercussions) {
    for (const Kind kind : all_impacts)
        for (const int joints : {1, 2}) {
            const ContactLaw law{.impact = kind, .restitution = 0.8};
            LagrangianModel model = chain(vector({1.0, 2.0, 0.5}), vector({1.0, 0.0, 0.0}), {law, law});
            model.systems.push_back({.name = "rider",
                                     .q0 = Vector::Zero(1),
                                     .v0 = Vector::Zero(1),
                                     .M = Matrix(Eigen::MatrixXd::Constant(1, 1, 1.5))});
            for (int i = 0; i < joints; ++i)
                model.interactions.push_back(joint_between(1, 3, "joint " + std::to_string(i)));
            const Outcome joined = impact(model);
            const Outcome one = impact(chain(vector({1.0, 3.5, 0.5}), vector({1.0, 0.0, 0.0}), {law, law}));
            ASSERT_TRUE(joined.report.converged()) << joined.report.message;
            expect_near(joined.v, vector({one.v[0], one.v[1], one.v[2], one.v[1]}), 1e-10,
                        std::string(to_string(kind)));
            EXPECT_NEAR(joined.P.tail(joints).sum(), 1.5 * one.v[1], 1e-10);
        }
}

// A joint that is not at rest before the cascade is so after it, as if it had closed just before.
TEST(ImpactMap, JointsComeToRest) {
    const ContactLaw law{.impact = Kind::cascade, .restitution = 0.8};
    LagrangianModel model = chain(vector({1.0, 2.0, 0.5}), vector({1.0, 0.0, 0.0}), {law, law});
    model.systems.push_back({.name = "rider", .q0 = Vector::Zero(1), .v0 = Vector::Constant(1, 0.3)});
    model.interactions.push_back(joint_between(3, 1, "joint"));
    const Outcome joined = impact(model);
    const Outcome one = impact(chain(vector({1.0, 3.0, 0.5}), vector({1.0, 0.1, 0.0}), {law, law}));
    expect_near(joined.v, vector({one.v[0], one.v[1], one.v[2], one.v[1]}), 1e-10);
}

// An island whose contacts open or rest does not take part in the impact of another.
TEST(ImpactMap, IslandsAreApart) {
    for (const Kind kind : all_impacts) {
        const ContactLaw law{.impact = kind, .restitution = 0.8};
        LagrangianModel model = chain(Vector::Ones(4), vector({1.0, 0.0, 0.3, 0.5}), {law, law, law});
        model.interactions.erase(model.interactions.begin() + 1);
        const Outcome outcome = impact(model);
        expect_near(outcome.v, vector({0.1, 0.9, 0.3, 0.5}), 1e-11);
        EXPECT_EQ(outcome.P[1], 0.0);
    }
}

TEST(ImpactMap, RefusesDifferentImpactsOfConnectedBodies) {
    const ContactLaw newton{}, poisson{.impact = Kind::poisson}, cascade{.impact = Kind::cascade};
    EXPECT_EQ(
        refusal([&] {
            chain(Vector::Ones(3), Vector::Zero(3), {newton, cascade}).check();
        }),
        "interactions 'contact 0' and 'contact 1': their impacts are newton and cascade, and bodies connect them; "
        "give both the same");
    LagrangianModel apart = chain(Vector::Ones(4), Vector::Zero(4), {poisson, poisson, cascade});
    apart.interactions.erase(apart.interactions.begin() + 1);
    EXPECT_EQ(refusal([&] { apart.check(); }), "accepted");
    LagrangianModel sprung = apart;
    sprung.interactions.push_back(joint_between(1, 2, "spring"));
    sprung.interactions.back().law = SpringLaw{.pieces = {{.stiffness = 1.0}}};
    EXPECT_EQ(refusal([&] { sprung.check(); }), "accepted");
    apart.interactions.push_back(joint_between(1, 2, "joint"));
    EXPECT_EQ(
        refusal([&] { apart.check(); }),
        "interactions 'contact 0' and 'contact 2': their impacts are poisson and cascade, and bodies connect them; "
        "give both the same");
}

TEST(ImpactCascade, RefusesWrongSizes) {
    Vector P;
    EXPECT_EQ(refusal([&] {
                  ImpactCascade{}.solve({Matrix(Eigen::MatrixXd::Identity(2, 2)), Vector::Zero(3), {{}}}, P);
              }),
              "cascade: W is 2 x 2, u has 3 entries, and there are 1 contacts");
    const SolveReport stuck = ImpactCascade{}.solve({Matrix(Eigen::MatrixXd::Zero(1, 1)), vector({-1.0}), {{}}}, P);
    EXPECT_EQ(stuck.status, SolveStatus::unsuitable_problem);
    const SolveReport short_of_steps =
        ImpactCascade{.max_steps = 3}.solve({Matrix(Eigen::MatrixXd::Identity(1, 1)), vector({-1.0}), {{1.0}}}, P);
    EXPECT_EQ(short_of_steps.status, SolveStatus::iteration_limit);
}

// --- In the steps of Moreau and Jean ---------------------------------------------------------------------------------

LagrangianModel bouncing_ball(const ContactLaw& law, double height = 1.0) {
    LagrangianModel model{.name = "ball"};
    model.systems.push_back({.name = "ball",
                             .q0 = Vector::Constant(1, height),
                             .v0 = Vector::Zero(1),
                             .M = Matrix(Eigen::MatrixXd::Constant(1, 1, 2.0)),
                             .b = Function::constant(1, Vector::Constant(1, -2.0 * 9.81))});
    model.interactions.push_back({.name = "ground", .G = Matrix(Eigen::MatrixXd::Identity(1, 1)), .law = law});
    return model;
}

TEST(MoreauJeanImpacts, BouncingBallIsThatOfNewtonsLaw) {
    for (const Kind kind : {Kind::poisson, Kind::cascade}) {
        const auto difference = [&](int k) {
            const double h = std::pow(2.0, -k);
            MoreauJeanStepper newton(bouncing_ball({.restitution = 0.8}), {}, h);
            MoreauJeanStepper other(bouncing_ball({.impact = kind, .restitution = 0.8}), {}, h);
            LagrangianState a, b;
            double largest = 0.0;
            while (newton.t() < 2.0) {
                EXPECT_NE(newton.step(), StepOutcome::failed);
                EXPECT_NE(other.step(), StepOutcome::failed);
                newton.read(a);
                other.read(b);
                largest = std::max(largest, std::abs(a.q[0] - b.q[0]));
            }
            return largest;
        };
        EXPECT_NEAR(testing::observed_order(8, 13, difference), 1.0, 0.3) << to_string(kind);
        EXPECT_LE(difference(10), 20.0 / 1024.0);
    }
}

// It comes to rest, carries exactly m g h, and does not bounce again.
TEST(MoreauJeanImpacts, RestingContactCarriesTheWeight) {
    const double h = 1e-3;
    for (const Kind kind : all_impacts)
        for (const double height : {0.0, 0.1}) {
            MoreauJeanStepper stepper(bouncing_ball({.impact = kind, .restitution = 0.5}, height), {}, h);
            LagrangianState state;
            for (int step = 0; step < 3000; ++step) {
                ASSERT_NE(stepper.step(), StepOutcome::failed);
                stepper.read(state);
                if (height > 0.0 && step < 1500) continue;
                EXPECT_DOUBLE_EQ(state.P[0], 2.0 * 9.81 * h) << to_string(kind) << " step " << step;
                EXPECT_NEAR(state.v[0], 0.0, 1e-17) << to_string(kind) << " step " << step;
            }
        }
}

// The percussion of the impact is part of that of the step: momentum over the whole run.
TEST(MoreauJeanImpacts, PercussionsAccountForTheMomentum) {
    const double h = 1e-3;
    for (const Kind kind : all_impacts) {
        MoreauJeanStepper stepper(bouncing_ball({.impact = kind, .restitution = 0.9}), {}, h);
        LagrangianState state;
        double sum = 0.0;
        for (int step = 0; step < 1500; ++step) {
            stepper.step();
            stepper.read(state);
            sum += state.P[0];
        }
        EXPECT_NEAR(2.0 * state.v[0], sum - 2.0 * 9.81 * 1.5, 1e-10) << to_string(kind);
        EXPECT_GT(sum, 5.0);
    }
}

// Balls that touch up to rounding strike together, in whatever order the contacts are listed.
TEST(MoreauJeanImpacts, ChainStrikesAsOne) {
    for (const double rounding : {-1e-16, 0.0, 1e-16}) {
        LagrangianModel model = equal_chain(3, {.impact = Kind::cascade, .restitution = 1.0});
        std::swap(model.interactions[0], model.interactions[1]);
        model.systems[2].q0[0] = rounding;
        MoreauJeanStepper stepper(model, {}, 1e-3);
        ASSERT_NE(stepper.step(), StepOutcome::failed);
        LagrangianState state;
        stepper.read(state);
        expect_near(state.v, vector({-0.1302616951, 0.1502295694, 0.9800321257}), 1e-10);
        EXPECT_NEAR(state.P[1], 1.1302616951, 1e-10);
        EXPECT_NEAR(state.P[0], 0.9800321257, 1e-10);
    }
}

// Impacts are reported with the velocities before them; their work is what the kinetic energy loses.
TEST(MoreauJeanImpacts, AreRecorded) {
    for (const Kind kind : {Kind::poisson, Kind::cascade}) {
        LagrangianModel model = equal_chain(3, {.impact = kind, .restitution = 0.5});
        for (LagrangianSystem& system : model.systems) system.b = Function::constant(1, Vector::Constant(1, -3.0));
        MoreauJeanStepper stepper(model, {}, 1e-2);
        stepper.step();
        LagrangianState state;
        stepper.read(state);
        std::vector<double> before;
        stepper.for_each_impact([&](const saltus::Impact& recorded) {
            before.push_back(recorded.before);
            EXPECT_EQ(recorded.percussion, state.P[recorded.interaction]);
        });
        ASSERT_EQ(before.size(), 1);
        EXPECT_EQ(before[0], -1.0);
        const double work_of_forces = -3.0 * (state.q.sum());
        EXPECT_NEAR(0.5 * state.v.squaredNorm() - 0.5 - work_of_forces, stepper.work(), 1e-12) << to_string(kind);
    }
}

// Newton's cradle: five pendulums of length 1, one lifted. Energy is kept except what contacts lose that close within
// a step, of order h; after the first stroke nearly all is in the last ball.
TEST(MoreauJeanImpacts, NewtonsCradle) {
    const auto cradle = [](double h, double t_end, double& lost) {
        LagrangianModel model = equal_chain(5, {.impact = Kind::cascade, .restitution = 1.0, .exponent = 1.5});
        for (LagrangianSystem& system : model.systems) {
            system.v0.setZero();
            system.K = Matrix(Eigen::MatrixXd::Constant(1, 1, 9.81));
        }
        model.systems[0].q0[0] = -0.1;
        MoreauJeanStepper stepper(model, {}, h);
        LagrangianState state;
        const double before = 0.5 * 9.81 * 0.01;
        double last = before;
        while (stepper.t() < t_end) {
            EXPECT_NE(stepper.step(), StepOutcome::failed);
            stepper.read(state);
            const double energy = 0.5 * state.v.squaredNorm() + 0.5 * 9.81 * state.q.squaredNorm();
            EXPECT_LE(energy, last * (1.0 + 1e-11)) << stepper.t();
            last = energy;
        }
        lost = 1.0 - last / before;
        return state;
    };
    double lost = 0.0;
    const double quarter = 0.5 * std::numbers::pi / std::sqrt(9.81);
    // Half way up after the stroke.
    const LagrangianState state = cradle(1e-4, 1.5 * quarter, lost);
    const double speed = 0.1 * std::sqrt(9.81), angle = 0.25 * std::numbers::pi;
    expect_near(state.v,
                speed * std::cos(angle) *
                    vector({-0.071085017086, -0.030273764097, -0.014463629032, 0.127044986068, 0.988777424147}),
                1e-3 * speed);
    EXPECT_LE(std::abs(lost), 1e-6);
    cradle(1e-3, 20.0 * quarter, lost);
    EXPECT_LE(lost, 2e-2);
}

// A column of balls falls, settles, and each contact carries what is above it.
TEST(MoreauJeanImpacts, ColumnSettles) {
    const double h = 2e-3;
    const Index balls = 8;
    for (const Kind kind : {Kind::poisson, Kind::cascade}) {
        LagrangianModel model = equal_chain(balls, {.impact = kind, .restitution = 0.4});
        for (Index i = 0; i < balls; ++i) {
            LagrangianSystem& system = model.systems[static_cast<std::size_t>(i)];
            system.v0.setZero();
            system.q0[0] = 0.05;
            system.b = Function::constant(1, Vector::Constant(1, -9.81));
        }
        model.interactions.push_back(
            {.name = "ground", .G = Matrix(Eigen::MatrixXd::Identity(1, 1)), .law = model.interactions[0].law});
        MoreauJeanStepper stepper(model, {}, h);
        LagrangianState state;
        for (int step = 0; step < 2000; ++step)
            ASSERT_NE(stepper.step(), StepOutcome::failed) << stepper.report().message;
        stepper.read(state);
        EXPECT_LE(state.v.norm(), 1e-9) << to_string(kind);
        EXPECT_NEAR(state.P[balls - 1], static_cast<double>(balls) * 9.81 * h, 1e-8);
        for (Index i = 0; i + 1 < balls; ++i)
            EXPECT_NEAR(state.P[i], static_cast<double>(balls - 1 - i) * 9.81 * h, 1e-8) << to_string(kind);
    }
}

// Where an impact is not solved the step has failed, and the state is that before it.
TEST(MoreauJeanImpacts, FailedImpactLeavesTheState) {
    LagrangianModel model = equal_chain(3, {.impact = Kind::cascade, .restitution = 1.0});
    std::get<ContactLaw>(model.interactions[0].law).stiffness = 1e-18;
    MoreauJeanStepper stepper(model, {}, 1e-3);
    ASSERT_EQ(stepper.step(), StepOutcome::failed);
    EXPECT_EQ(stepper.report().status, SolveStatus::iteration_limit);
    LagrangianState state;
    stepper.read(state);
    EXPECT_EQ(state.v, velocities_of(model));
    EXPECT_EQ(state.t, 0.0);
    EXPECT_TRUE(stepper.accept_unsolved());
    EXPECT_NEAR(stepper.t(), 1e-3, 1e-15);
}

}  // namespace
}  // namespace saltus
