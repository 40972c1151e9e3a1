#include <gtest/gtest.h>

#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/global_admm.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"
#include "support/friction_law.hpp"

// Points whose residual is small for another reason than being a solution: r runs to infinity, or a small contact hides
// behind a large one.
namespace saltus::one_step {
namespace {

template <int N>
FrictionProblem plane_contacts(const Eigen::Matrix<double, N, N>& W, const Eigen::Vector<double, N>& q, double mu) {
    return {BlockMatrix(Matrix(Eigen::MatrixXd(W)), 2), q, Eigen::VectorXd::Constant(N / 2, mu)};
}

// Painleve: W_NN - mu W_NT = 0 on the edge of the cone, so that no force stops the contact.
FrictionProblem painleve() {
    return plane_contacts<2>((Eigen::Matrix2d() << 1.0, 2.0, 2.0, 1.0).finished(), {-1.0, 0.0}, 0.5);
}

TEST(Escape, NobodyConvergesWhereThereIsNoSolution) {
    for_each_solver<SolverChoice>([](const auto& solver) {
        for (const double size : {0.0, 1e9}) {
            Eigen::VectorXd r = Eigen::Vector2d(size, -0.5 * size);
            const SolveReport report = solver.solve(painleve(), r);
            EXPECT_FALSE(report.converged()) << solver.name << " from " << size << ": r = " << r.transpose();
        }
    });
}

// A contact with a body that cannot move, and approaches: H = 0, b_N = -1.
TEST(Escape, GlobalProblemsWithoutSolutionAreNotSolved) {
    GlobalFrictionProblem problem{Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)),
                                  Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, 3)), Eigen::Vector3d::Zero(),
                                  Eigen::Vector3d(-1.0, 0.0, 0.0), Eigen::VectorXd::Constant(1, 0.5)};
    for (const double size : {0.0, 1e12}) {
        Eigen::VectorXd v = Eigen::Vector3d::Zero(), r = Eigen::Vector3d(size, 0.0, 0.0);
        EXPECT_FALSE(solve_global(Auto{}, problem, v, r).converged()) << r.transpose();
        r = Eigen::Vector3d(size, 0.0, 0.0);
        EXPECT_FALSE(GlobalAdmm{}.solve(problem, v, r).converged()) << r.transpose();
    }
}

// Contacts that do not affect each other are judged one by one.
TEST(Escape, ASmallContactCountsBesideALargeOne) {
    const Eigen::Vector4d mobility(1e-3, 1e-3, 10.0, 10.0);
    const FrictionProblem problem =
        plane_contacts<4>(Eigen::Matrix4d(mobility.asDiagonal()), {-20.0, 1.0, -1e-3, 0.0}, 0.5);
    const auto expect_solved = [&](const auto& solver) {
        Eigen::VectorXd r = Eigen::Vector4d(20e3, -1e3, 0.0, 0.0);  // right for the first
        EXPECT_TRUE(solver.solve(problem, r).converged());
        EXPECT_NEAR(r[2], 1e-4, 1e-11) << solver.name;
    };
    expect_solved(Auto{});
    expect_solved(Nsgs{});
}

TEST(Escape, AnIslandWithoutSolutionIsNotHiddenByALargeOne) {
    const Eigen::Vector4d mobility(1.0, 1.0, 0.0, 0.0);
    const FrictionProblem problem =
        plane_contacts<4>(Eigen::Matrix4d(mobility.asDiagonal()), {-1e9, 0.0, -1.0, 0.0}, 0.5);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(4);
    EXPECT_FALSE(Auto{}.solve(problem, r).converged());
    r.setZero();
    EXPECT_FALSE(Nsgs{}.solve(problem, r).converged());
}

// q = 0: everything in the kernel of W and in K is a solution, however large.
TEST(Escape, ASelfStressIsNoEscape) {
    const Eigen::Matrix<double, 1, 4> H(1.0, 0.0, -1.0, 0.0);
    const FrictionProblem problem = plane_contacts<4>(Eigen::Matrix4d(H.transpose() * H), Eigen::Vector4d::Zero(), 0.5);
    for_each_solver<SolverChoice>([&](const auto& solver) {
        Eigen::VectorXd r = Eigen::Vector4d(1e6 * (1.0 + 1e-9), 0.0, 1e6, 0.0);
        const SolveReport report = solver.solve(problem, r);
        EXPECT_TRUE(report.converged()) << solver.name << ": " << report.message;
    });
}

TEST(Escape, ToleranceZeroIsMetByAnExactSolution) {
    const FrictionProblem problem = plane_contacts<2>(Eigen::Matrix2d::Identity(), {-1.0, 0.0}, 0.5);
    Eigen::VectorXd r = Eigen::Vector2d(1.0, 0.0);
    EXPECT_TRUE(Auto{.tolerance = 0.0}.solve(problem, r).converged());
}

// The step of the extragradient method grows while r shrinks to the only solution, zero.
TEST(Escape, ExtraGradientEndsWhereTheSolutionIsZero) {
    const FrictionProblem problem =
        plane_contacts<2>((Eigen::Matrix2d() << 0.45, -0.27, -0.27, 0.99).finished(), {0.0, 0.0}, 0.5);
    Eigen::VectorXd r = Eigen::Vector2d(0.7, -0.4);
    const SolveReport report = ExtraGradient{}.solve(problem, r);
    EXPECT_LE(report.iterations, ExtraGradient{}.max_iterations);
    EXPECT_LT(r.norm(), 1e-6);
}

}  // namespace
}  // namespace saltus::one_step
