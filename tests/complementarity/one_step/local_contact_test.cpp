// One contact: the exact solvers against exhaustive search.
#include "saltus/complementarity/one_step/local_contact.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/one_step/local_block.hpp"
#include "support/random_problems.hpp"

namespace saltus::one_step {
namespace {

using testing::Random;

// W of every kind: symmetric positive definite, nearly singular, with a skew part, with separate scales.
template <class Law>
LocalContact<Law> random_contact(Random& random) {
    constexpr int n = Law::dimension;
    typename Law::Square A = random.matrix(n, n);
    const Index kind = random.integer(0, 3);
    if (kind == 1) A.row(random.integer(0, n - 1)) *= 1e-6;  // singular values of W down to 1e-12
    LocalContact<Law> contact;
    contact.W = A * A.transpose();
    if (kind == 2) {
        const typename Law::Square B = random.matrix(n, n, -0.3, 0.3);
        contact.W += B - B.transpose();
    }
    if (kind == 3) contact.W *= std::pow(10.0, random.uniform(-8.0, 8.0));
    for (double& mu : contact.law.mu) mu = random.coin(0.1) ? 0.0 : random.uniform(0.0, 1.5);
    return contact;
}

template <class Law>
typename Law::Vector random_velocity(const LocalContact<Law>& contact, Random& random) {
    return random.vector(Law::dimension) * contact.W.diagonal().mean();
}

// |r - P_K(r - rho dual(u))| over the size of its terms.
template <class Law>
double law_error(const LocalContact<Law>& contact, const typename Law::Vector& q, const typename Law::Vector& r) {
    const typename Law::Vector u = contact.W * r + q;
    const double rho = 1.0 / contact.W.diagonal().mean();
    const typename Law::Vector step = r - contact.law.project(r - rho * contact.law.dual(u));
    return step.norm() / std::max({r.norm(), rho * q.norm(), rho * (contact.W.cwiseAbs() * r.cwiseAbs()).norm()});
}

// Whether some direction of sliding solves the law: u_N = 0 on the edge of the cone in direction angle, where
// r_N = -q_N / (W_NN + mu W_NT t), and u_T against t. Found by the sign changes of u_T x t on a fine grid.
bool slides_somewhere(const LocalContact<Coulomb3D>& contact, const Eigen::Vector3d& q) {
    const double mu = contact.law.mu[0];
    const auto velocity = [&](double angle, Eigen::Vector2d& t) -> std::optional<Eigen::Vector2d> {
        t = {std::cos(angle), std::sin(angle)};
        const double stiffness = contact.W(0, 0) + mu * contact.W.block<1, 2>(0, 1).dot(t);
        if (!(stiffness > 0.0)) return std::nullopt;
        const double normal = -q[0] / stiffness;
        const Eigen::Vector3d r(normal, mu * normal * t[0], mu * normal * t[1]);
        return Eigen::Vector2d((contact.W * r + q).tail<2>());
    };
    constexpr int steps = 720;
    std::optional<double> last;
    for (int k = 0; k <= steps; ++k) {
        Eigen::Vector2d t;
        const auto u = velocity(2.0 * M_PI * k / steps, t);
        const std::optional<double> cross = u ? std::optional((*u)[0] * t[1] - (*u)[1] * t[0]) : std::nullopt;
        if (cross && last && *cross * *last <= 0.0 && u->dot(t) <= 0.0) return true;
        last = cross;
    }
    return false;
}

TEST(SpatialContact, SolvesTheLawWheneverExhaustiveSearchFindsASolution) {
    Random random(1);
    int stuck = 0, sliding = 0, separated = 0, none = 0;
    for (int k = 0; k < 100000; ++k) {
        const auto contact = random_contact<Coulomb3D>(random);
        const Eigen::Vector3d q = random_velocity(contact, random);
        Eigen::Vector3d r = Eigen::Vector3d::Zero();
        double alpha = random.coin() ? 0.0 : random.uniform(0.0, 10.0) * contact.W.trace();
        switch (SpatialContact(contact).solve(q, r, alpha)) {
            case ContactState::separated:
                ++separated;
                break;
            case ContactState::stuck:
                ++stuck;
                break;
            case ContactState::sliding:
                ++sliding;
                break;
            case ContactState::none:
                ++none;
                EXPECT_FALSE(slides_somewhere(contact, q)) << "contact " << k;
                continue;
        }
        ASSERT_LE(law_error(contact, q, r), 1e-11) << "contact " << k << "\n"
                                                   << contact.W << "\nmu " << contact.law.mu[0];
    }
    EXPECT_GT(stuck, 5000);
    EXPECT_GT(sliding, 5000);
    EXPECT_GT(separated, 40000);
    EXPECT_LT(none, 1000);
}

TEST(PlaneContact, SolvesTheLawOrHasNoSolutionAtAll) {
    Random random(2);
    int solved = 0;
    for (int k = 0; k < 100000; ++k) {
        const auto contact = random_contact<Coulomb2D>(random);
        const Eigen::Vector2d q = random_velocity(contact, random);
        Eigen::Vector2d r = Eigen::Vector2d::Zero();
        if (solve_exactly(contact, q, r) != ContactState::none) {
            ++solved;
            ASSERT_LE(law_error(contact, q, r), 1e-11) << "contact " << k;
            continue;
        }
        // The remaining cases: sliding to either side with a positive percussion (sticking was tried).
        for (const double sign : {1.0, -1.0}) {
            const double stiffness = contact.W(0, 0) + sign * contact.law.mu[0] * contact.W(0, 1);
            const Eigen::Vector2d slid = -q[0] / stiffness * Eigen::Vector2d(1.0, sign * contact.law.mu[0]);
            EXPECT_FALSE(slid[0] > 0.0 && law_error(contact, q, slid) < 1e-14) << "contact " << k;
        }
    }
    EXPECT_GT(solved, 95000);
}

TEST(PlaneContact, ReportsPainlevesParadox) {
    // Sticking needs r_N < 0, sliding to the right W_NN + mu W_NT > 0, sliding to the left u_T >= 0: none has it.
    const LocalContact<Coulomb2D> contact{(Eigen::Matrix2d() << 1.0, -2.0, -2.0, 1.0).finished(), {{1.0}}};
    Eigen::Vector2d r(7.0, 8.0);
    EXPECT_EQ(solve_exactly(contact, Eigen::Vector2d(-1.0, 0.0), r), ContactState::none);
    EXPECT_EQ(r, Eigen::Vector2d(7.0, 8.0));
}

TEST(RollingContact, SolvesTheLawOfRandomContacts) {
    Random random(3);
    int solved = 0;
    constexpr int contacts = 3000;  // nested bracketing is slow; Newton is tried first in sweeps
    for (int k = 0; k < contacts; ++k) {
        const auto contact = random_contact<RollingFriction>(random);
        const RollingFriction::Vector q = random_velocity(contact, random);
        RollingFriction::Vector r = RollingFriction::Vector::Zero();
        if (solve_exactly(contact, q, r) == ContactState::none) continue;
        ++solved;
        ASSERT_LE(law_error(contact, q, r), 1e-9) << "contact " << k;
    }
    EXPECT_GT(solved, 0.97 * contacts);
}

// Every local solver of a sweep, on the same contacts as the exact ones.
template <class Law>
void expect_blocks_solve(LocalSolver solver, unsigned seed, int contacts, double share) {
    Random random(seed);
    int solved = 0;
    for (int k = 0; k < contacts; ++k) {
        const auto contact = random_contact<Law>(random);
        const typename Law::Vector q = random_velocity(contact, random);
        typename Law::Vector r = random.vector(Law::dimension);
        FrictionBlock<Law> block(contact.law, contact.W, solver);
        if (!block.solve(q, r)) continue;
        ++solved;
        ASSERT_LE(law_error(contact, q, r), 1e-9) << "contact " << k << "\n" << contact.W << "\nq " << q.transpose();
    }
    EXPECT_GT(solved, share * contacts);
}

TEST(FrictionBlock, EverySolverSolvesTheLawOfRandomContacts) {
    for (const LocalSolver solver : {LocalSolver::exact, LocalSolver::alart_curnier, LocalSolver::jean_moreau}) {
        expect_blocks_solve<Coulomb2D>(solver, 4, 100000, 0.95);
        expect_blocks_solve<Coulomb3D>(solver, 5, 100000, 0.97);
        expect_blocks_solve<RollingFriction>(solver, 6, 20000, 0.95);
    }
}

TEST(FrictionBlock, RepeatedProjectionsConvergeToTheExactSolution) {
    Random random(7);
    for (int k = 0; k < 200; ++k) {
        LocalContact<Coulomb3D> contact = random_contact<Coulomb3D>(random);
        const Eigen::Matrix3d A = random.matrix(3, 3, -0.2, 0.2);
        contact.W = Eigen::Matrix3d::Identity() + A * A.transpose();
        const Eigen::Vector3d q = random_velocity(contact, random);
        FrictionBlock<Coulomb3D> block(contact.law, contact.W, LocalSolver::projection);
        Eigen::Vector3d r = Eigen::Vector3d::Zero();
        for (int iteration = 0; iteration < 300; ++iteration) block.solve(q, r);
        EXPECT_LE(law_error(contact, q, r), 1e-12) << "contact " << k;
    }
}

TEST(FrictionBlock, AnIntervalWithoutCouplingSitsAtTheBoundThatTheVelocityAsksFor) {
    IntervalBlock block(Interval{-1.0, 2.0}, Eigen::MatrixXd::Zero(1, 1), LocalSolver::exact);
    IntervalBlock::Vector r(0.5);
    EXPECT_TRUE(block.solve(IntervalBlock::Vector(3.0), r));
    EXPECT_EQ(r[0], -1.0);
    EXPECT_TRUE(block.solve(IntervalBlock::Vector(-3.0), r));
    EXPECT_EQ(r[0], 2.0);
    IntervalBlock unbounded(Interval{}, Eigen::MatrixXd::Zero(1, 1), LocalSolver::exact);
    EXPECT_FALSE(unbounded.solve(IntervalBlock::Vector(-1.0), r));
}

}  // namespace
}  // namespace saltus::one_step
