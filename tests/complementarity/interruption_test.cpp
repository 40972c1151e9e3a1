#include "saltus/core/interruption.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/affine/qp_solvers.hpp"
#include "saltus/complementarity/affine/tableau.hpp"
#include "saltus/complementarity/nonlinear/nonlinear_solvers.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"

namespace saltus {
namespace {

// Larger than what is solved at once on a tableau.
constexpr Index large = tableau_capacity + 8;
// Enumeration tries all placements of small problems only.
template <class Solver>
constexpr Index size_for = std::is_same_v<std::decay_t<Solver>, Enumeration> ? 8 : large;

Eigen::MatrixXd positive_definite_matrix(Index size = large) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(
        size, size, [](Index i, Index j) { return std::sin(static_cast<double>(3 + 7 * i + 11 * j)); });
    return A * A.transpose() + Eigen::MatrixXd::Identity(size, size);
}

// Contacts in the plane, which close: the normal velocities are negative.
Eigen::VectorXd free_velocities(Index size = large) {
    Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(size, 1.0, 2.0);
    for (Index i = 0; i < size; i += 2) q[i] = -1.0 - 0.1 * static_cast<double>(i);
    return q;
}

// Every solver of the list asks while it works, also the next one: solve(solver) throws what ends it.
template <class Choice, class Solve>
void expect_all_ask(const Solve& solve) {
    for_each_solver<Choice>([&](const auto& solver) {
        Interruption interruption;
        interruption.end();
        EXPECT_THROW(solve(solver), Interrupted) << solver.name;
    });
}

TEST(Interruption, EndsEverySolverOfAffineProblems) {
    expect_all_ask<AffineSolverChoice>([](const auto& solver) {
        const Index n = size_for<decltype(solver)>;
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        solver.solve(Lcp{positive_definite_matrix(n), free_velocities(n)}, z);
    });
    expect_all_ask<QpSolverChoice>([](const auto& solver) {
        const Index n = size_for<decltype(solver)>;
        const Qp program{.H = positive_definite_matrix(n),
                         .c = free_velocities(n),
                         .lower = Eigen::VectorXd::Zero(n),
                         .upper = Eigen::VectorXd::Ones(n)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        solve(QpSolverChoice(solver), program, z);
    });
}

TEST(Interruption, EndsEverySolverOfNonlinearProblems) {
    const Eigen::MatrixXd M = positive_definite_matrix();
    const Eigen::VectorXd q = free_velocities();
    const VectorFunction F = [&](const Eigen::VectorXd& z, Eigen::VectorXd& w) { w = M * z + q; };
    expect_all_ask<McpSolverChoice>([&](const auto& solver) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(large);
        solver.solve(Ncp{large, F, [&](const Eigen::VectorXd&, Matrix& J) { J = M; }}, z);
    });
    expect_all_ask<ViSolverChoice>([&](const auto& solver) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(large);
        solver.solve(Vi{large, F, [](Eigen::VectorXd& x) { x = x.cwiseMax(0.0); }}, z);
    });
}

TEST(Interruption, EndsEverySolverOfContacts) {
    const Eigen::MatrixXd W = positive_definite_matrix();
    const Eigen::VectorXd mu = Eigen::VectorXd::Constant(large / 2, 0.5);
    const FrictionProblem problem{BlockMatrix(W, 2), free_velocities(), mu};
    expect_all_ask<one_step::SolverChoice>([&](const auto& solver) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(large);
        solver.solve(problem, r);
    });
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(large, large);
    const GlobalFrictionProblem global{W, I, W * free_velocities(), Eigen::VectorXd::Zero(large), mu};
    expect_all_ask<one_step::GlobalSolverChoice>([&](const auto& solver) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(large), r = Eigen::VectorXd::Zero(large);
        one_step::solve(one_step::GlobalSolverChoice(solver), global, v, r);
    });
}

// Pairs of contacts, each an island.
TEST(Interruption, EndsIslandsOnOtherThreads) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(large, large);
    for (Index i = 0; i < large; i += 4) W.block(i, i, 4, 4) = positive_definite_matrix(4);
    const FrictionProblem problem{BlockMatrix(W, 2), free_velocities(), Eigen::VectorXd::Constant(large / 2, 0.5)};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(large);
    {
        Interruption interruption;
        interruption.end();
        EXPECT_THROW((one_step::Nsgs{.threads = 2}.solve(problem, r)), Interrupted);
    }
    EXPECT_TRUE((one_step::Nsgs{.threads = 2}.solve(problem, r).converged()));  // nobody ends this one
}

// An island that is solved at once, and one that is not: the thread that waits for the other asks.
TEST(Interruption, EndsAnIslandThatAnotherThreadSolves) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(large, large);
    W.topLeftCorner(large - 2, large - 2) = positive_definite_matrix(large - 2);
    const FrictionProblem problem{BlockMatrix(W, 2), free_velocities(), Eigen::VectorXd::Constant(large / 2, 0.5)};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(large);
    const auto owner = std::this_thread::get_id();
    int asked = 0;
    Interruption interruption([&] {
        EXPECT_EQ(std::this_thread::get_id(), owner);
        return ++asked < 3;
    });
    const one_step::Nsgs never{.tolerance = 0.0, .max_iterations = std::numeric_limits<int>::max(), .threads = 2};
    EXPECT_THROW(never.solve(problem, r), Interrupted);
    EXPECT_EQ(asked, 3);
}

TEST(Interruption, WatchedWorkEndsBeforeTheExceptionOfTheQuestion) {
    std::atomic<bool> is_working = false;
    Interruption interruption([]() -> bool { throw std::domain_error("no answer"); });
    const auto work = [&] {
        is_working = true;
        try {
            while (true) check_interruption();
        } catch (const Interrupted&) {
            is_working = false;
            throw;
        }
    };
    EXPECT_THROW(interruption.watch(work), std::domain_error);
    EXPECT_FALSE(is_working);
    Interruption another;
    EXPECT_THROW(another.watch([] { throw std::domain_error("from the work"); }), std::domain_error);
    another.watch([] { EXPECT_NE(Interruption::current(), nullptr); });
}

TEST(Interruption, AsksFromTimeToTimeAndOnlyInItsThread) {
    int asked = 0;
    const auto start = std::chrono::steady_clock::now();
    Interruption interruption([&] { return ++asked < 3; });
    std::thread([] { check_interruption(); }).join();  // has none
    const auto check_for_ever = [&] {
        while (true) {
            check_interruption();
            std::thread([&] {
                const Interruption::Scope shared(&interruption);
                check_interruption();
            }).join();
        }
    };
    EXPECT_THROW(check_for_ever(), Interrupted);
    EXPECT_EQ(asked, 3);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(60));
}

TEST(Interruption, TheInnermostCounts) {
    Interruption outer;
    {
        Interruption inner;
        EXPECT_EQ(Interruption::current(), &inner);
    }
    EXPECT_EQ(Interruption::current(), &outer);
}

}  // namespace
}  // namespace saltus
