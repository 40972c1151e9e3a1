#include "saltus/complementarity/affine/conversions.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/dual_active_set.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"
#include "support/relay_modes.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

template <class Problem>
Eigen::VectorXd solved(const Problem& problem) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
    const SolveReport report = SemismoothNewton{}.solve(problem, z);
    EXPECT_TRUE(report.converged()) << report.residual << ' ' << report.message;
    return z;
}

Matrix stored(const Eigen::MatrixXd& M, bool sparse) { return sparse ? Matrix(Matrix(M).to_sparse()) : Matrix(M); }

BoxVi random_relay(Random& random, bool sparse) {
    const Index n = random.integer(1, 8);
    const Eigen::VectorXd lower = random.vector(n, -2.0, 0.0);
    return {stored(random_matrix(MatrixClass::positive_definite, n, random), sparse), random.vector(n, -3.0, 3.0),
            lower, lower + random.vector(n, 0.1, 2.0)};
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "none";
}

TEST(Conversions, ARelayHasTheSameSolutionInBothLcpForms) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const bool sparse = seed % 2 == 1;
        const BoxVi relay = random_relay(random, sparse);
        const Eigen::VectorXd expected = solved(relay);
        for (const auto& convert : {relay_to_lcp_by_inverse, relay_to_lcp_by_slack}) {
            const Converted<Lcp> converted = convert(relay);
            EXPECT_EQ(converted.problem.M.is_sparse(), sparse);
            const Eigen::VectorXd z = converted.solution(solved(converted.problem));
            EXPECT_LE(residual(relay, z), 1e-8) << seed;
            EXPECT_LE((z - expected).norm(), 1e-7) << seed;
        }
    }
}

TEST(Conversions, ForTheUnitRelayTheFormsAreThoseOfThePaper) {
    const Eigen::MatrixXd G{{2.0, 1.0}, {0.0, 4.0}}, inverse = saltus::inverse(G), I = Eigen::MatrixXd::Identity(2, 2);
    const Eigen::VectorXd q{{0.3, -5.0}}, e{{1.0, 1.0}};
    const BoxVi relay{G, q, -e, e};
    Eigen::MatrixXd nine(4, 4), eleven(4, 4);
    nine << inverse, -inverse, -inverse, inverse;
    eleven << G, I, -I, Eigen::MatrixXd::Zero(2, 2);
    Eigen::VectorXd nine_q(4), eleven_q(4);
    nine_q << e - inverse * q, e + inverse * q;
    eleven_q << -q - G * e, 2.0 * e;  // - G e, not + G e
    const Lcp by_inverse = relay_to_lcp_by_inverse(relay).problem, by_slack = relay_to_lcp_by_slack(relay).problem;
    EXPECT_LE((by_inverse.M.dense() - nine).norm(), 1e-15);
    EXPECT_LE((by_inverse.q - nine_q).norm(), 1e-15);
    EXPECT_EQ(by_slack.M.dense(), eleven);
    EXPECT_EQ(by_slack.q, eleven_q);
}

TEST(Conversions, TheSlackFormNeedsNoInverse) {  // M = 0: z_i = l where q_i > 0, u where q_i < 0
    const Eigen::Vector3d one = Eigen::Vector3d::Ones();
    const BoxVi relay{Eigen::Matrix3d::Zero(), Eigen::Vector3d(1.0, -2.0, 0.5), -one, 2.0 * one};
    const Converted<Lcp> converted = relay_to_lcp_by_slack(relay);
    EXPECT_LE((converted.solution(solved(converted.problem)) - Eigen::Vector3d(-1.0, 2.0, -1.0)).norm(), 1e-9);
    EXPECT_EQ(message_of([&] { relay_to_lcp_by_inverse(relay); }),
              "relay_to_lcp_by_inverse: M is singular; use relay_to_lcp_by_slack, which needs no inverse");
    const BoxVi half_open{relay.M, relay.q, -one, Eigen::Vector3d(1.0, infinity, 1.0)};
    EXPECT_EQ(
        message_of([&] { relay_to_lcp_by_slack(half_open); }),
        "relay_to_lcp_by_slack: the interval of variable 1 is [-1, inf]; a relay has finite bounds, use to_mlcp for "
        "others");
}

// Heemels, Camlibel, Schumacher 2000, theorem 5.3 and corollary 5.4: a P-matrix gives one solution for every q.
TEST(RelaySolvability, APMatrixGivesOneSolutionForEveryQ) {
    for (const MatrixClass kind : {MatrixClass::p_matrix, MatrixClass::positive_definite, MatrixClass::m_matrix})
        for (unsigned seed = 0; seed < 40; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 5);
            const Eigen::VectorXd one = Eigen::VectorXd::Ones(n);
            const Eigen::MatrixXd M = random_matrix(kind, n, random);
            for (int trial = 0; trial < 5; ++trial) {
                const BoxVi relay{M, random.vector(n, -4.0, 4.0), -one, one};
                const auto solutions = testing::solutions_by_modes(relay);
                ASSERT_EQ(solutions.size(), 1u) << seed << ' ' << trial;
                EXPECT_LE(residual(relay, solutions.front()), 1e-9);
            }
        }
}

// The one-step problem of their relay system x' = A x + B u, y = C x + D u: G = C (I/h - A)^-1 B + D, q = C (I - h
// A)^-1 x_j. Here C B is a P-matrix, so that h G -> C B makes G one for small h.
TEST(RelaySolvability, BackwardEulerStepsAreUniquelySolvable) {
    const Eigen::Matrix2d A{{1.0, -3.0}, {2.0, 0.5}}, B{{1.0, -2.0}, {2.0, 1.0}}, I = Eigen::Matrix2d::Identity();
    const Eigen::Vector2d one = Eigen::Vector2d::Ones();
    Random random(1);
    for (const double h : {1e-1, 1e-2, 1e-3}) {
        const Eigen::Matrix2d G = (I / h - A).inverse() * B;
        ASSERT_TRUE(G(0, 0) > 0.0 && G(1, 1) > 0.0 && G.determinant() > 0.0);
        for (int trial = 0; trial < 50; ++trial) {
            const Eigen::Vector2d state = random.vector(2, -0.1, 0.1);
            const BoxVi relay{G, (I - h * A).inverse() * state, -one, one};
            EXPECT_EQ(testing::solutions_by_modes(relay, 1e-12).size(), 1u);
        }
    }
}

TEST(RelaySolvability, WithoutAPMatrixThereMayBeSeveral) {
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(1), none = Eigen::VectorXd::Zero(1);
    // M = -1, q = 0: -1, 0 and 1 all solve w = -z, -w in N(z).
    EXPECT_EQ(testing::solutions_by_modes({-Eigen::MatrixXd::Ones(1, 1), none, -one, one}).size(), 3u);
    // A zero minor is enough: M = 0, q = 0 is solved by all of [-1, 1].
    const BoxVi flat{Eigen::MatrixXd::Zero(1, 1), none, -one, one};
    for (const double z : {-1.0, 0.3, 1.0}) EXPECT_EQ(residual(flat, Eigen::VectorXd::Constant(1, z)), 0.0);
}

TEST(Conversions, AnMlcpWithARegularFreeBlockIsAnLcp) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const bool sparse = seed % 2 == 1;
        const Index n = random.integer(1, 10);
        Mlcp mlcp{stored(random_matrix(MatrixClass::positive_definite, n, random), sparse), random.vector(n),
                  std::vector<bool>(n)};
        for (Index i = 0; i < n; ++i) mlcp.free[i] = random.coin();
        const Converted<Lcp> converted = to_lcp(mlcp);
        EXPECT_EQ(converted.problem.M.is_sparse(), sparse);
        EXPECT_EQ(converted.problem.q.size(), std::count(mlcp.free.begin(), mlcp.free.end(), false));
        const Eigen::VectorXd z = converted.solution(solved(converted.problem));
        EXPECT_LE(residual(mlcp, z), 1e-8) << seed;
        EXPECT_LE((z - solved(mlcp)).norm(), 1e-7) << seed;
    }
    const Mlcp singular{Eigen::Matrix2d{{0.0, 1.0}, {-1.0, 0.0}}, Eigen::Vector2d::Zero(), {true, false}};
    EXPECT_EQ(
        message_of([&] { to_lcp(singular); }),
        "to_lcp: the block of the 1 free variables of M is singular, so that they cannot be eliminated; solve the "
        "Mlcp itself");
}

TEST(Conversions, ABoxViOfAllKindsOfBoundsIsAnMlcp) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        BoxVi box = random_relay(random, seed % 2 == 1);
        for (Index i = 0; i < box.q.size(); ++i) {
            if (random.coin(0.3)) box.lower[i] = -infinity;
            if (random.coin(0.3)) box.upper[i] = infinity;
            if (random.coin(0.1)) box.lower[i] = box.upper[i] = 0.5;
        }
        const Converted<Mlcp> converted = to_mlcp(box);
        EXPECT_EQ(converted.problem.M.is_sparse(), seed % 2 == 1);
        const Eigen::VectorXd z = converted.solution(solved(converted.problem));
        EXPECT_LE(residual(box, z), 1e-8) << seed;
        EXPECT_LE((z - solved(box)).norm(), 1e-7) << seed;
    }
}

Qp small_qp(Random& random, bool sparse) {
    const Index n = random.integer(2, 8), equalities = random.integer(0, 1), inequalities = random.integer(0, 3);
    const Eigen::MatrixXd A = random.matrix(equalities, n), G = random.matrix(inequalities, n);
    const Eigen::VectorXd inside = random.vector(n);
    Qp qp{stored(random_matrix(MatrixClass::symmetric_positive_definite, n, random), sparse),
          random.vector(n, -2.0, 2.0),
          stored(A, sparse),
          A * inside,
          stored(G, sparse),
          G * inside - random.vector(inequalities, 0.1, 0.5),
          inside - random.vector(n, 0.1, 1.0),
          inside + random.vector(n, 0.1, 1.0)};
    for (Index i = 0; i < n; ++i) (random.coin() ? qp.lower[i] : qp.upper[i]) *= infinity;
    qp.lower = (qp.lower.array() == infinity).select(-infinity, qp.lower);
    qp.upper = (qp.upper.array() == -infinity).select(infinity, qp.upper);
    return qp;
}

TEST(Conversions, AQpIsAnMlcp) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Qp qp = small_qp(random, seed % 2 == 1);
        const Converted<Mlcp> converted = to_mlcp(qp);
        EXPECT_EQ(converted.problem.M.is_sparse(), seed % 2 == 1);
        Eigen::VectorXd expected = Eigen::VectorXd::Zero(qp.unknowns());
        ASSERT_TRUE(DualActiveSet{}.solve(qp, expected).converged());
        const Eigen::VectorXd z = converted.solution(solved(converted.problem));
        EXPECT_LE(residual(qp, z), 1e-8) << seed;
        EXPECT_LE((z - expected).head(qp.size()).norm(), 1e-6) << seed;
    }
}

TEST(Conversions, TheKktConditionsGiveTheQpBack) {  // from Mlcp, with the unknowns in any order, and from BoxVi
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const bool sparse = seed % 2 == 1;
        const Qp qp = small_qp(random, sparse);
        const Mlcp mlcp = to_mlcp(qp).problem;
        const Index n = mlcp.q.size();
        IndexList order(n);
        for (Index i = 0; i < n; ++i) order[i] = i;
        for (Index i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
        Mlcp shuffled{mlcp.M.block(order, order), mlcp.q(order), std::vector<bool>(n)};
        for (Index i = 0; i < n; ++i) shuffled.free[i] = mlcp.free[order[i]];

        const Converted<Qp> from_mlcp = to_qp(shuffled), from_box = to_qp(kkt(qp));
        EXPECT_EQ(from_mlcp.problem.H.is_sparse(), sparse);
        EXPECT_EQ(from_mlcp.problem.size(), qp.size());
        EXPECT_EQ(from_box.problem.size(), qp.size());
        Eigen::VectorXd y = Eigen::VectorXd::Zero(from_mlcp.problem.unknowns());
        ASSERT_TRUE(DualActiveSet{}.solve(from_mlcp.problem, y).converged()) << seed;
        EXPECT_LE(residual(shuffled, from_mlcp.solution(y)), 1e-9) << seed;
        y = Eigen::VectorXd::Zero(from_box.problem.unknowns());
        ASSERT_TRUE(DualActiveSet{}.solve(from_box.problem, y).converged()) << seed;
        EXPECT_LE(residual(kkt(qp), from_box.solution(y)), 1e-9) << seed;
    }
}

TEST(Conversions, AnLcpWithASymmetricMatrixIsAQpWithoutRows) {
    Random random(1);
    const Lcp lcp =
        testing::lcp_with_solution(random_matrix(MatrixClass::symmetric_positive_definite, 6, random), random);
    const Converted<Qp> converted = to_qp(lcp);
    EXPECT_EQ(converted.problem.unknowns(), 6);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(6);
    ASSERT_TRUE(DualActiveSet{}.solve(converted.problem, x).converged());
    EXPECT_LE(residual(lcp, converted.solution(x)), 1e-10);
}

TEST(Conversions, WhatIsMissingForAQpIsNamed) {
    const Eigen::Vector2d q = Eigen::Vector2d::Zero();
    EXPECT_EQ(message_of([&] {
                  to_qp(Lcp{Eigen::Matrix2d{{1.0, 2.0}, {1.0, 1.0}}, q});
              }),
              "to_qp: M(1, 0) is 1 and M(0, 1) is 2; in a KKT system they are equal or opposite");
    EXPECT_EQ(
        message_of([&] {
            to_qp(Lcp{Eigen::Matrix2d{{1.0, 2.0}, {2.0, 1.0}}, q});
        }),
        "to_qp: the block of M that would be H is not positive semidefinite; the problem is not a convex program");
    EXPECT_EQ(
        message_of([&] {
            to_qp(Lcp{Eigen::Matrix2d{{1.0, 2.0}, {-2.0, 1.0}}, q});
        }),
        "to_qp: M(0, 1) = -M(1, 0) but 0 and 1 would both be variables of the quadratic program; no KKT system has "
        "this");
    const BoxVi bounded{Eigen::Matrix2d{{1.0, -1.0}, {1.0, 0.0}}, q, q, Eigen::Vector2d::Ones()};
    EXPECT_EQ(message_of([&] { to_qp(bounded); }),
              "to_qp: variable 1 is a multiplier with the interval [0, 1]; it must be free or [0, inf)");
}

TEST(Conversions, SmallestProblems) {
    const Eigen::VectorXd none(0);
    const Eigen::MatrixXd empty(0, 0);
    EXPECT_EQ(relay_to_lcp_by_inverse({empty, none, none, none}).problem.q.size(), 0);
    EXPECT_EQ(relay_to_lcp_by_slack({empty, none, none, none}).problem.q.size(), 0);
    EXPECT_EQ(to_lcp(Mlcp{empty, none, {}}).problem.q.size(), 0);
    EXPECT_EQ(to_mlcp(Qp{}).problem.q.size(), 0);
    EXPECT_EQ(to_qp(Lcp{empty, none}).problem.size(), 0);
    const Converted<Lcp> all_free = to_lcp({Eigen::MatrixXd::Constant(1, 1, 2.0), -Eigen::VectorXd::Ones(1), {true}});
    EXPECT_DOUBLE_EQ(all_free.solution(none)[0], 0.5);
}

}  // namespace
}  // namespace saltus
