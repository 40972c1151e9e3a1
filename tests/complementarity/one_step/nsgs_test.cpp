#include "saltus/complementarity/one_step/nsgs.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/one_step/contact_graph.hpp"
#include "saltus/complementarity/one_step/sweep.hpp"
#include "support/allocations.hpp"
#include "support/friction_law.hpp"
#include "support/random_friction.hpp"
#include "support/sphere_packing.hpp"

namespace saltus::one_step {
namespace {

using testing::DelassusClass;
using testing::Random;

FrictionProblem packing(double friction) { return testing::sphere_packing(30, friction); }

TEST(Nsgs, EveryLocalSolverLeadsToTheSameVelocities) {
    const FrictionProblem problem = packing(0.2);
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(problem.q.size());
    ASSERT_TRUE((Nsgs{.tolerance = 1e-11}.solve(problem, expected).converged()));
    for (const LocalSolver local : {LocalSolver::alart_curnier, LocalSolver::jean_moreau, LocalSolver::projection}) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        const SolveReport report = Nsgs{.tolerance = 1e-11, .local = local}.solve(problem, r);
        EXPECT_TRUE(report.converged()) << static_cast<int>(local) << ' ' << report.residual;
        EXPECT_LE((problem.W * (r - expected)).norm(), 1e-8) << static_cast<int>(local);
        EXPECT_LE(testing::law_violation(problem, r), 1e-8);
    }
}

TEST(Nsgs, EveryOptionLeadsToASolution) {
    const FrictionProblem problem = packing(0.2);
    for (const Nsgs& solver :
         {Nsgs{.memory = 0}, Nsgs{.memory = 3}, Nsgs{.retreats = true}, Nsgs{.settling = 1}, Nsgs{.settling = 20},
          Nsgs{.relaxation = 0.7}, Nsgs{.relaxation = 1.2}, Nsgs{.rest = 10}, Nsgs{.coloured = true}}) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        EXPECT_TRUE(solver.solve(problem, r).converged());
        EXPECT_LE(testing::law_violation(problem, r), 1e-6);
    }
}

TEST(Nsgs, AccelerationSavesMostSweeps) {
    const FrictionProblem problem = packing(0.2);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    const int plain = Nsgs{.memory = 0}.solve(problem, r).iterations;
    r.setZero();
    EXPECT_LT(3 * Nsgs{}.solve(problem, r).iterations, plain);
}

// The first turn is one of plain sweeps; the acceleration that follows saves as much as otherwise.
TEST(Nsgs, SettlesBeforeItAccelerates) {
    const FrictionProblem problem = packing(0.3);
    const auto sweep = [&](const Nsgs& solver, Eigen::VectorXd& r) {
        r = Eigen::VectorXd::Zero(problem.q.size());
        return solver.solve(problem, r);
    };
    Eigen::VectorXd plain, settling;
    sweep({.max_iterations = 40, .memory = 0}, plain);
    sweep({.max_iterations = 40, .settling = 50}, settling);
    EXPECT_LE((settling - plain).norm(), 1e-14 * plain.norm());  // plain sweeps are projected once more, which rounds
    const SolveReport whole = sweep({.memory = 0}, plain);
    ASSERT_TRUE(whole.converged());
    const SolveReport late = sweep({.settling = whole.iterations / 4}, settling);
    EXPECT_TRUE(late.converged());
    EXPECT_LT(late.iterations, whole.iterations);
    EXPECT_GT(late.iterations, whole.iterations / 4);
}

TEST(Nsgs, GivesTheSameBitsOnAnyNumberOfThreads) {
    const FrictionProblem problem = packing(0.3);
    Eigen::VectorXd one = Eigen::VectorXd::Zero(problem.q.size());
    Nsgs{.max_iterations = 50, .coloured = true}.solve(problem, one);
    for (const int threads : {2, 3, 4}) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        Nsgs{.max_iterations = 50, .coloured = true, .threads = threads}.solve(problem, r);
        EXPECT_EQ(r, one) << threads << " threads";
    }
}

TEST(Sweep, AllocatesNothing) {
    Random random(3);
    const std::vector<int> sizes{2, 1, 3, 2, 5};
    const OneStepProblem mixture{
        BlockMatrix(Matrix(testing::random_delassus(DelassusClass::symmetric, 13, random)), sizes),
        random.vector(13, -3.0, 3.0),
        {Equality{2}, Interval{-0.2, 0.3}, Coulomb3D{{0.4}}, Coulomb2D{{0.7}}, RollingFriction{{0.5, 0.1}}}};
    const FrictionProblem contacts = packing(0.3);
    const auto expect_none = [](const OneStepView& problem) {
        Sweep sweep(problem, {});
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
        EXPECT_EQ(testing::allocations_in([&] { sweep.run(r); }), 0);
    };
    expect_none(mixture);
    expect_none(contacts);
}

// Friction zero: the normal percussions solve 0 <= r_N _|_ (W r)_N + q_N >= 0.
TEST(Nsgs, WithoutFrictionItIsTheLcpOfTheNormals) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        auto [problem, known, u] = testing::random_friction(DelassusClass::symmetric, 3, 6, random);
        problem.mu.setZero();
        Lcp lcp;
        IndexList normals;
        for (Index i = 0; i < problem.contacts(); ++i) normals.push_back(3 * i);
        const Eigen::MatrixXd W = problem.W.to_dense();
        lcp.M = Matrix(Eigen::MatrixXd(W(normals, normals)));
        lcp.q = problem.q(normals);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(18), z = Eigen::VectorXd::Zero(6);
        ASSERT_TRUE((Nsgs{.tolerance = 1e-12}.solve(problem, r).converged()));
        ASSERT_TRUE(saltus::Auto{}.solve(lcp, z).converged());
        for (Index i = 0; i < 6; ++i) EXPECT_NEAR(r[3 * i], z[i], 1e-9) << "seed " << seed;
    }
}

TEST(Nsgs, DegenerateProblems) {
    const auto solve = [](const FrictionProblem& problem) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        const SolveReport report = Nsgs{}.solve(problem, r);
        EXPECT_TRUE(report.converged()) << report.message;
        EXPECT_LE(testing::law_violation(problem, r), 1e-6);
        return r;
    };
    const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
    const Eigen::Vector3d q(-1.0, 3.0, 0.0);
    solve({BlockMatrix(), Eigen::VectorXd(), Eigen::VectorXd()});  // no contact
    // Friction so large that nothing slides.
    EXPECT_LE((solve({BlockMatrix(Matrix(I), 3), q, Eigen::VectorXd::Constant(1, 1e8)}) + q).norm(), 1e-7);
    // A contact twice: the two share the percussion of one.
    Eigen::MatrixXd twice(6, 6);
    twice << I, I, I, I;
    Eigen::VectorXd q_twice(6);
    q_twice << q, q;
    const Eigen::VectorXd r = solve({BlockMatrix(Matrix(twice), 3), q_twice, Eigen::Vector2d(0.5, 0.5)});
    EXPECT_NEAR(r[0] + r[3], 1.0, 1e-7);
    // A block of zeros: the velocity of the second contact is given.
    Eigen::MatrixXd with_zero = Eigen::MatrixXd::Zero(6, 6);
    with_zero.topLeftCorner(3, 3) = I;
    q_twice[3] = 1.0;
    EXPECT_EQ(solve({BlockMatrix(Matrix(with_zero), 3), q_twice, Eigen::Vector2d(0.5, 0.5)}).tail(3).norm(), 0.0);
}

TEST(Nsgs, RenumberingTheContactsRenumbersTheVelocities) {
    const FrictionProblem problem = packing(0.2);
    IndexList order;
    for (Index i = problem.contacts() - 1; i >= 0; --i) order.push_back(i);
    const FrictionProblem renumbered{problem.W.principal(order), gather(problem.W, order, problem.q), problem.mu};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size()), s = r;
    ASSERT_TRUE((Nsgs{.tolerance = 1e-11}.solve(problem, r).converged()));
    ASSERT_TRUE((Nsgs{.tolerance = 1e-11}.solve(renumbered, s).converged()));
    EXPECT_LE((gather(problem.W, order, velocity(problem, r)) - velocity(renumbered, s)).norm(), 1e-8);
}

TEST(ContactGraph, ColoursHaveNoNeighboursAndIslandsNoContact) {
    const FrictionProblem problem = testing::sphere_packing({.spheres = 60, .kept = 0.5});
    const Eigen::MatrixXd W = problem.W.to_dense();
    const auto coupled = [&](Index i, Index j) { return W.block<3, 3>(3 * i, 3 * j).norm() > 0.0; };
    Index coloured = 0;
    for (const IndexList& colour : colours(problem.W)) {
        coloured += std::ssize(colour);
        for (const Index i : colour)
            for (const Index j : colour) EXPECT_TRUE(i == j || !coupled(i, j));
    }
    EXPECT_EQ(coloured, problem.contacts());
    const auto parts = islands(problem.W);
    EXPECT_GT(parts.size(), 1u);
    for (const IndexList& a : parts)
        for (const IndexList& b : parts)
            for (const Index i : a)
                for (const Index j : b) EXPECT_TRUE(&a == &b || !coupled(i, j));
}

TEST(Nsgs, IslandsApartGiveTheSolutionOfTheWhole) {
    const FrictionProblem problem = testing::sphere_packing({.spheres = 60, .friction = 0.2, .kept = 0.5});
    Eigen::VectorXd apart = Eigen::VectorXd::Zero(problem.q.size()), whole = apart, threaded = apart;
    ASSERT_TRUE((Nsgs{.tolerance = 1e-11}.solve(problem, apart).converged()));
    ASSERT_TRUE((Nsgs{.tolerance = 1e-11, .islands = false}.solve(problem, whole).converged()));
    EXPECT_LE((problem.W * (apart - whole)).norm(), 1e-8);
    Nsgs{.tolerance = 1e-11, .coloured = true}.solve(problem, apart);
    Nsgs{.tolerance = 1e-11, .coloured = true, .threads = 3}.solve(problem, threaded);
    EXPECT_LE((problem.W * (apart - threaded)).norm(), 1e-8);
}

TEST(Nsgs, RefusesBadInputByName) {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3);
    const BlockMatrix W(Matrix(Eigen::MatrixXd(Eigen::Matrix3d::Identity())), 3);
    const Eigen::Vector3d q(-1.0, 0.0, 0.0);
    const auto message = [&](const FrictionProblem& problem, const Nsgs& solver = {}) -> std::string {
        try {
            solver.solve(problem, r);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_NE(message({W, q, Eigen::VectorXd::Constant(1, -0.5)}).find("-0.5"), std::string::npos);
    EXPECT_NE(message({W, q, Eigen::VectorXd::Constant(2, 0.5)}).find("FrictionProblem"), std::string::npos);
    EXPECT_NE(message({W, Eigen::Vector3d(NAN, 0.0, 0.0), Eigen::VectorXd::Ones(1)}).find("q[0]"), std::string::npos);
    EXPECT_NE(message({W, q, Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1)}).find("rolling"), std::string::npos);
    EXPECT_NE(message({W, q, Eigen::VectorXd::Ones(1)}, Nsgs{.relaxation = 2.5}).find("2.5"), std::string::npos);
    r.resize(2);
    EXPECT_NE(message({W, q, Eigen::VectorXd::Ones(1)}).find("guess"), std::string::npos);
}

}  // namespace
}  // namespace saltus::one_step
