#include "saltus/complementarity/affine/qp.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/affine/dual_active_set.hpp"
#include "saltus/complementarity/affine/interior_point.hpp"
#include "saltus/complementarity/affine/qp_solvers.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

// A feasible Qp: equalities and inequalities through or beside a random point, bounds of all kinds around it; a quarter
// of the inequalities twice, so that active normals depend on each other.
Qp random_qp(Random& random, bool sparse = false) {
    const Index n = random.integer(1, 12), equalities = random.integer(0, n / 2),
                inequalities = random.integer(0, 2 * n);
    const Eigen::VectorXd inside = random.vector(n);
    const Eigen::MatrixXd A = random.matrix(equalities, n);
    Eigen::MatrixXd G = random.matrix(inequalities, n);
    Eigen::VectorXd margin = random.vector(inequalities, 0.0, 0.5);
    for (Index i = 1; i < inequalities; ++i) {
        if (random.coin(0.25)) G.row(i) = G.row(i - 1);
        if (random.coin(0.25)) margin[i] = 0.0;
    }
    Qp qp{random_matrix(MatrixClass::symmetric_positive_definite, n, random),
          random.vector(n, -5.0, 5.0),
          A,
          A * inside,
          G,
          G * inside - margin,
          inside - random.vector(n, 0.0, 0.5),
          inside + random.vector(n, 0.0, 0.5)};
    for (Index i = 0; i < n; ++i) {
        if (random.coin(0.3)) qp.lower[i] = -infinity;
        if (random.coin(0.3)) qp.upper[i] = infinity;
        if (random.coin(0.1)) qp.lower[i] = qp.upper[i] = inside[i];
    }
    if (sparse) {
        qp.H = qp.H.to_sparse();
        qp.A = qp.A.to_sparse();
        qp.G = qp.G.to_sparse();
    }
    return qp;
}

Eigen::VectorXd zeros(const Qp& qp) { return Eigen::VectorXd::Zero(qp.unknowns()); }
double objective(const Qp& qp, const Eigen::VectorXd& x) { return 0.5 * x.dot(qp.H * x) + qp.c.dot(x); }

TEST(Qp, TheResidualIsThatOfTheKktConditions) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Qp qp = random_qp(random, seed % 2 == 1);
        const BoxVi conditions = kkt(qp);
        EXPECT_EQ(conditions.M.is_sparse(), seed % 2 == 1);
        const Eigen::VectorXd z = random.vector(qp.unknowns());
        EXPECT_NEAR(residual(qp, z), residual(conditions, z), 1e-13);
    }
}

TEST(DualActiveSet, SolvesRandomProblems) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const Qp qp = random_qp(random, seed % 2 == 1);
        Eigen::VectorXd z = zeros(qp);
        const SolveReport report = DualActiveSet{}.solve(qp, z);
        ASSERT_TRUE(report.converged()) << seed << ' ' << report.residual << ' ' << report.message;
        EXPECT_EQ(report.residual, residual(qp, z));
    }
}

// A theorem: no feasible point is better. Feasible points on the segments to random feasible points.
TEST(DualActiveSet, NoFeasiblePointIsBetter) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        Random random(seed);
        const Index n = 6;
        const Eigen::MatrixXd G = random.matrix(8, n);
        const Eigen::VectorXd h = -random.vector(8, 0.1, 1.0), one = Eigen::VectorXd::Ones(n);
        const Qp qp{random_matrix(MatrixClass::symmetric_positive_definite, n, random),
                    random.vector(n, -5.0, 5.0),
                    {},
                    {},
                    G,
                    h,
                    -one,
                    one};
        Eigen::VectorXd z = zeros(qp);
        ASSERT_TRUE(DualActiveSet{}.solve(qp, z).converged());
        const Eigen::VectorXd x = z.head(n);
        for (int trial = 0; trial < 200; ++trial) {
            const Eigen::VectorXd other = random.vector(n);
            if (((G * other - h).array() < 0.0).any()) continue;
            EXPECT_LE(objective(qp, x), objective(qp, other) + 1e-12);
        }
    }
}

TEST(DualActiveSet, AgreesWithTheAffineSolversOnTheKktConditions) {  // x is unique, multipliers need not be
    const auto agree = [](const auto& solver, int least) {
        int compared = 0;
        for (unsigned seed = 0; seed < 60; ++seed) {
            Random random(seed);
            const Qp qp = random_qp(random, seed % 2 == 1);
            Eigen::VectorXd z = zeros(qp), by_kkt = zeros(qp);
            ASSERT_TRUE(DualActiveSet{}.solve(qp, z).converged());
            if (!solve(solver, qp, by_kkt).converged()) continue;
            ++compared;
            EXPECT_LE((z - by_kkt).head(qp.size()).norm(), 1e-6) << solver.name << ' ' << seed;
        }
        EXPECT_GE(compared, least) << solver.name;
    };
    agree(InteriorPoint{}, 60);
    agree(SemismoothNewton{}, 55);  // outside its guarantee where active normals depend on each other
}

// H of any rank: the minimum exists (bounds on all x), its value is unique.
TEST(Qp, TheInteriorPointSolvesSemidefiniteProgramsToTheSameValue) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 8);
        const Eigen::VectorXd one = Eigen::VectorXd::Ones(n);
        const Eigen::MatrixXd G = random.matrix(3, n), H = random_matrix(MatrixClass::semidefinite, n, random);
        Qp qp{H, random.vector(n), {}, {}, G, -random.vector(3, 0.1, 1.0), -one, one};
        Eigen::VectorXd z = zeros(qp), perturbed = zeros(qp);
        ASSERT_TRUE(solve(InteriorPoint{}, qp, z).converged()) << seed;
        const double value = objective(qp, z.head(n));
        const double epsilon = 1e-6;  // H + epsilon I moves the minimum by at most epsilon |x|^2 / 2 <= epsilon n / 2
        qp.H = Matrix(Eigen::MatrixXd(H + epsilon * Eigen::MatrixXd::Identity(n, n)));
        ASSERT_TRUE(DualActiveSet{}.solve(qp, perturbed).converged()) << seed;
        EXPECT_LE(std::abs(objective(qp, perturbed.head(n)) - value), 0.5 * epsilon * double(n) + 1e-9) << seed;
    }
}

TEST(DualActiveSet, KeepsTheResidualsOfStartAndEnd) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Qp qp = random_qp(random);
        EXPECT_EQ(testing::expect_history(DualActiveSet{}, qp, zeros(qp)).residuals.size(), 2u);
    }
}

TEST(Qp, AnAffineSolverKeepsTheHistoryOfTheResidual) {
    Random random(1);
    const Qp qp = random_qp(random);
    std::vector<double> residuals;
    Eigen::VectorXd z = zeros(qp);
    const SolveReport report = solve(InteriorPoint{.history = {&residuals}}, qp, z);
    EXPECT_EQ(std::ssize(residuals), report.iterations + 1);
    EXPECT_EQ(residuals.back(), report.residual);
}

TEST(DualActiveSet, KnowsTheClosedForms) {
    const Eigen::Matrix2d H{{2.0, 0.0}, {0.0, 4.0}};
    const Eigen::Vector2d c(-2.0, -8.0);
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    ASSERT_TRUE(DualActiveSet{}.solve(Qp{.H = H, .c = c}, z).converged());  // -H^-1 c
    EXPECT_LE((z - Eigen::Vector2d(1.0, 2.0)).norm(), 1e-14);

    // x_1 + x_2 = 0: 2 x_1 - 2 = 4 x_2 - 8 = y gives x = (-1, 1), y = -4.
    z = Eigen::Vector3d::Zero();
    const Qp with_equality{.H = H, .c = c, .A = Eigen::RowVector2d(1.0, 1.0), .b = Eigen::VectorXd::Zero(1)};
    ASSERT_TRUE(DualActiveSet{}.solve(with_equality, z).converged());
    EXPECT_LE((z - Eigen::Vector3d(-1.0, 1.0, -4.0)).norm(), 1e-14);

    // x_2 <= 1 as a row: -x_2 >= -1, lambda = -(4 - 8) = 4. As a bound: w_2 = -4.
    const Qp with_row{.H = H, .c = c, .G = Eigen::RowVector2d(0.0, -1.0), .h = -Eigen::VectorXd::Ones(1)};
    z = Eigen::Vector3d::Zero();
    ASSERT_TRUE(DualActiveSet{}.solve(with_row, z).converged());
    EXPECT_LE((z - Eigen::Vector3d(1.0, 1.0, 4.0)).norm(), 1e-14);
    z = Eigen::Vector2d::Zero();
    ASSERT_TRUE(DualActiveSet{}.solve(Qp{.H = H, .c = c, .upper = Eigen::Vector2d(infinity, 1.0)}, z).converged());
    EXPECT_NEAR(z[0], 1.0, 1e-15);
    EXPECT_EQ(z[1], 1.0);  // exactly on its bound
}

TEST(DualActiveSet, NothingToMinimise) {
    Eigen::VectorXd z(0);
    EXPECT_TRUE(DualActiveSet{}.solve(Qp{}, z).converged());
}

TEST(DualActiveSet, ProvesInfeasibility) {
    const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
    const Eigen::Vector2d c = Eigen::Vector2d::Zero(), one = Eigen::Vector2d::Ones();
    const Qp rows{.H = I, .c = c, .G = Eigen::Matrix2d{{1.0, 1.0}, {-1.0, -1.0}}, .h = one};  // s >= 1, -s >= 1
    const Qp equalities{.H = I, .c = c, .A = Eigen::Matrix2d{{1.0, 2.0}, {2.0, 4.0}}, .b = Eigen::Vector2d(1.0, 3.0)};
    const Qp bounds{
        .H = I, .c = c, .G = Eigen::RowVector2d(1.0, 1.0), .h = Eigen::VectorXd::Constant(1, 3.0), .upper = one};
    const Qp no_variable{.H = Matrix(Eigen::MatrixXd(0, 0)), .A = Eigen::MatrixXd(1, 0), .b = Eigen::VectorXd::Ones(1)};
    for (const Qp* qp : {&rows, &equalities, &bounds, &no_variable}) {
        Eigen::VectorXd z = zeros(*qp);
        const SolveReport report = DualActiveSet{}.solve(*qp, z);
        EXPECT_EQ(report.status, SolveStatus::no_solution) << report.message;
        EXPECT_TRUE(proves_infeasible(*qp, report.certificate));
        EXPECT_FALSE(proves_infeasible(*qp, -report.certificate));
    }
}

TEST(DualActiveSet,
     ProvesInfeasibilityOfRandomProblems) {  // the rows of G combine to 0 with weights > 0, those of h to 1
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 8), m = random.integer(2, n + 1);
        const Eigen::VectorXd weights = random.vector(m, 0.1, 1.0);
        Eigen::MatrixXd G = random.matrix(m, n);
        Eigen::VectorXd h = random.vector(m);
        G.row(m - 1) = -(weights.head(m - 1).transpose() * G.topRows(m - 1)) / weights[m - 1];
        h[m - 1] = (1.0 - weights.head(m - 1).dot(h.head(m - 1))) / weights[m - 1];
        const Qp qp{.H = random_matrix(MatrixClass::symmetric_positive_definite, n, random),
                    .c = random.vector(n),
                    .G = G,
                    .h = h};
        ASSERT_TRUE(proves_infeasible(qp, weights));
        Eigen::VectorXd z = zeros(qp);
        const SolveReport report = DualActiveSet{}.solve(qp, z);
        ASSERT_EQ(report.status, SolveStatus::no_solution) << seed << ' ' << report.message;
        EXPECT_TRUE(proves_infeasible(qp, report.certificate)) << seed;
    }
}

TEST(Qp, NothingProvesAFeasibleProblemInfeasible) {
    for (unsigned seed = 0; seed < 100; ++seed) {
        Random random(seed);
        const Qp qp = random_qp(random);
        for (int trial = 0; trial < 20; ++trial)
            EXPECT_FALSE(proves_infeasible(qp, random.vector(qp.unknowns() - qp.size())));
    }
}

TEST(DualActiveSet, AcceptsRedundantEqualities) {
    const Qp qp{.H = Eigen::Matrix2d::Identity(),
                .c = Eigen::Vector2d::Zero(),
                .A = Eigen::Matrix2d{{1.0, 1.0}, {2.0, 2.0}},
                .b = Eigen::Vector2d(1.0, 2.0)};
    Eigen::VectorXd z = zeros(qp);
    ASSERT_TRUE(DualActiveSet{}.solve(qp, z).converged());
    EXPECT_LE((z.head(2) - Eigen::Vector2d(0.5, 0.5)).norm(), 1e-15);
}

TEST(DualActiveSet, AGuessSavesItsSteps) {
    int cold = 0, warm = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        Qp qp = random_qp(random);
        Eigen::VectorXd z = zeros(qp);
        cold += DualActiveSet{}.solve(qp, z).iterations;
        const Eigen::VectorXd solution = z;
        const SolveReport again = DualActiveSet{}.solve(qp, z);
        EXPECT_EQ(again.iterations, 0);
        EXPECT_EQ(z, solution);
        qp.c *= 1.0001;
        const SolveReport report = DualActiveSet{}.solve(qp, z);
        EXPECT_TRUE(report.converged()) << seed;
        warm += report.iterations;
        z = random.vector(qp.unknowns(), -2.0, 2.0);
        EXPECT_TRUE(DualActiveSet{}.solve(qp, z).converged()) << seed;  // a bad guess does no harm
    }
    EXPECT_GE(cold, 10 * warm) << warm;
}

TEST(Qp, AnUnboundedProgramIsNotSolved) {  // x_2 -> inf
    const Qp qp{.H = Eigen::Matrix2d{{1.0, 0.0}, {0.0, 0.0}}, .c = Eigen::Vector2d(1.0, -1.0)};
    Eigen::VectorXd z = zeros(qp);
    EXPECT_EQ(DualActiveSet{}.solve(qp, z).status, SolveStatus::unsuitable_problem);
    EXPECT_FALSE(solve(SemismoothNewton{}, qp, z).converged());
    z.setZero();
    EXPECT_FALSE(solve(InteriorPoint{}, qp, z).converged());
}

TEST(QpAuto, SolvesDenseAndSparseAndSemidefinite) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Qp qp = random_qp(random, seed % 2 == 1);
        Eigen::VectorXd z = zeros(qp);
        EXPECT_TRUE(QpAuto{}.solve(qp, z).converged());
        EXPECT_LE(residual(qp, z), 1e-10);
    }
    // x_1 has no curvature: the dual active set alone does not take it.
    const Qp flat{.H = Eigen::Matrix2d{{1.0, 0.0}, {0.0, 0.0}},
                  .c = Eigen::Vector2d(-1.0, 1.0),
                  .lower = Eigen::Vector2d::Zero()};
    Eigen::VectorXd z = zeros(flat);
    EXPECT_FALSE(DualActiveSet{}.solve(flat, z).converged());
    z.setZero();
    EXPECT_TRUE(QpAuto{}.solve(flat, z).converged());
    EXPECT_LE((z - Eigen::Vector2d(1.0, 0.0)).norm(), 1e-9);
}

TEST(QpAuto, KeepsTheHistoryOfTheSolverThatAnswers) {
    Random random(1);
    const Qp qp = random_qp(random);
    Eigen::VectorXd z = zeros(qp);
    std::vector<double> residuals;
    const SolveReport report = QpAuto{.history = {&residuals}}.solve(qp, z);
    ASSERT_FALSE(residuals.empty());
    EXPECT_EQ(residuals.front(), residual(qp, zeros(qp)));
    EXPECT_EQ(residuals.back(), report.residual);
}

TEST(QpAuto, ProvesThatNothingIsFeasible) {
    const Qp qp{.H = Eigen::MatrixXd{{1.0}},
                .c = Eigen::VectorXd::Zero(1),
                .G = Eigen::MatrixXd{{1.0}, {-1.0}},
                .h = Eigen::Vector2d(1.0, 0.0)};
    Eigen::VectorXd z = zeros(qp);
    const SolveReport report = QpAuto{}.solve(qp, z);
    EXPECT_EQ(report.status, SolveStatus::no_solution);
    EXPECT_TRUE(proves_infeasible(qp, report.certificate));
}

TEST(Qp, EverySolverOfTheChoiceAnswersToItsName) {
    Random random(3);
    const Qp qp = random_qp(random);
    std::vector<std::string_view> names;
    for_each_solver<QpSolverChoice>([&](const auto& solver) {
        Eigen::VectorXd z = zeros(qp);
        const SolveReport report = solve(solver_of_name<QpSolverChoice>(solver.name), qp, z);
        EXPECT_TRUE(!report.converged() || residual(qp, z) <= 1e-8) << solver.name;
        EXPECT_EQ(std::ranges::count(names, solver.name), 0) << solver.name;
        names.push_back(solver.name);
    });
}

TEST(Qp, TheCallersMistakesHaveTheirMessage) {
    const auto message = [](const Qp& qp, Index size) -> std::string {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
        try {
            DualActiveSet{}.solve(qp, z);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "none";
    };
    const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
    const Eigen::Vector2d c = Eigen::Vector2d::Ones();
    EXPECT_EQ(message({.H = Eigen::Matrix3d::Identity(), .c = c}, 2), "Qp: H is 3 x 3; it must be 2 x 2");
    EXPECT_EQ(message({.H = I, .c = c, .A = I, .b = Eigen::VectorXd::Ones(1)}, 3), "Qp: A is 2 x 2; it must be 1 x 2");
    EXPECT_EQ(message({.H = I, .c = c, .G = I}, 2), "Qp: G is 2 x 2; it must be 0 x 2");
    EXPECT_EQ(message({.H = Eigen::Matrix2d{{1.0, 1.0}, {0.0, 1.0}}, .c = c}, 2),
              "Qp: H is not symmetric; give (H + H') / 2, which has the same minima");
    EXPECT_EQ(message({.H = I, .c = c, .lower = Eigen::VectorXd::Zero(3)}, 2), "Qp: lower has 3 entries but c has 2");
    EXPECT_EQ(message({.H = I, .c = c, .lower = 2.0 * c, .upper = c}, 2),
              "Qp: the interval [lower, upper] of variable 0 is [2, 1]; it must not be empty");
    EXPECT_EQ(message({.H = I, .c = c, .A = I, .b = c}, 2),
              "dual-active-set: the guess z has 2 entries but (x, y, lambda) has 2 + 2 + 0: the multipliers count");
    EXPECT_EQ(message({.H = I, .c = Eigen::Vector2d(0.0, infinity)}, 2),
              "Qp: c[1] is inf; every entry must be a finite number");
}

}  // namespace
}  // namespace saltus
