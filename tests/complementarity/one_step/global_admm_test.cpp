#include "saltus/complementarity/one_step/global_admm.hpp"

#include <gtest/gtest.h>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/one_step/admm.hpp"
#include "saltus/complementarity/one_step/global.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"
#include "support/friction_law.hpp"
#include "support/random_friction.hpp"

namespace saltus {
namespace {

using testing::Random;

// Spheres of random mass in a row, the first on the ground: contact i between body i - 1 and body i. `skew` couples the
// velocities of a body as gyroscopic terms do.
GlobalFrictionProblem row_of_bodies(Index bodies, int dimension, double skew, Random& random) {
    const Index n = 6 * bodies;
    std::vector<Eigen::Triplet<double>> M, H;
    for (Index k = 0; k < bodies; ++k)
        for (int i = 0; i < 6; ++i) {
            const int row = static_cast<int>(6 * k) + i;
            M.emplace_back(row, row, random.uniform(1.0, 3.0));
            if (i == 3) {
                M.emplace_back(row, row + 1, skew);
                M.emplace_back(row + 1, row, -skew);
            }
            for (int c = 0; c < dimension; ++c) {
                H.emplace_back(row, static_cast<int>(dimension * k) + c, random.uniform());
                if (k + 1 < bodies) H.emplace_back(row, static_cast<int>(dimension * (k + 1)) + c, random.uniform());
            }
        }
    GlobalFrictionProblem problem{
        {}, {}, random.vector(n), random.vector(dimension * bodies), random.vector(bodies, 0.1, 0.8), {}};
    if (dimension == 5) problem.rolling = random.vector(bodies, 0.05, 0.2);
    Matrix::Sparse mass(n, n), directions(n, dimension * bodies);
    mass.setFromTriplets(M.begin(), M.end());
    directions.setFromTriplets(H.begin(), H.end());
    problem.M = mass;
    problem.H = directions;
    return problem;
}

TEST(GlobalAdmm, SolvesWhatTheLocalFormSolves) {
    for (const int d : {2, 3, 5})
        for (const double skew : {0.0, 1e-2, 1.0})
            for (const Index bodies : {1, 4, 40}) {
                Random random(static_cast<unsigned>(bodies));
                const GlobalFrictionProblem problem = row_of_bodies(bodies, d, skew, random);
                Eigen::VectorXd v = Eigen::VectorXd::Zero(6 * bodies), r = Eigen::VectorXd::Zero(d * bodies);
                const SolveReport report = one_step::GlobalAdmm{.tolerance = 1e-10}.solve(problem, v, r);
                EXPECT_TRUE(report.converged()) << d << ' ' << skew << ' ' << bodies << ": " << report.residual;
                EXPECT_LE(residual(problem, v, r), 1e-10);
                EXPECT_LE(testing::law_violation(reduce(problem).local, r), 1e-6);

                Eigen::VectorXd local_v = Eigen::VectorXd::Zero(6 * bodies),
                                local_r = Eigen::VectorXd::Zero(d * bodies);
                EXPECT_TRUE(solve_global(one_step::Admm{.tolerance = 1e-10}, problem, local_v, local_r).converged());
                EXPECT_LE((v - local_v).norm(), 1e-6 * (1.0 + v.norm())) << "the velocities are unique";
            }
}

TEST(GlobalSolverChoice, FindsTheSameVelocitiesInTheLocalAndInTheGlobalForm) {
    Random random(2);
    const GlobalFrictionProblem problem = row_of_bodies(4, 3, 0.0, random);
    std::vector<Eigen::VectorXd> velocities;
    for (const std::string_view name : {"auto", "nsgs", "global-admm"}) {
        Eigen::VectorXd v = Eigen::VectorXd::Zero(24), r = Eigen::VectorXd::Zero(12);
        const auto solver = solver_of_name<one_step::GlobalSolverChoice>(name);
        EXPECT_TRUE(one_step::solve(solver, problem, v, r).converged()) << name;
        EXPECT_LE(residual(problem, v, r), 1e-8) << name;
        velocities.push_back(v);
    }
    for (const Eigen::VectorXd& v : velocities) EXPECT_LE((v - velocities[0]).norm(), 1e-5);
}

TEST(GlobalAdmm, TakesNoIterationFromItsOwnAnswer) {
    Random random(1);
    const GlobalFrictionProblem problem = row_of_bodies(5, 3, 0.1, random);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(30), r = Eigen::VectorXd::Zero(15);
    EXPECT_GT(one_step::GlobalAdmm{}.solve(problem, v, r).iterations, 0);
    EXPECT_EQ(one_step::GlobalAdmm{}.solve(problem, v, r).iterations, 0);
}

TEST(GlobalAdmm, KeepsTheHistoryOfItsResidual) {
    Random random(1);
    const GlobalFrictionProblem problem = row_of_bodies(5, 3, 0.1, random);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(30), r = Eigen::VectorXd::Zero(15), recorded_v = v, recorded_r = r;
    const double first = residual(problem, v, r);
    std::vector<double> residuals;
    const SolveReport report = one_step::GlobalAdmm{}.solve(problem, v, r),
                      recorded = one_step::GlobalAdmm{.history = {&residuals}}.solve(problem, recorded_v, recorded_r);
    EXPECT_EQ(recorded_v, v);
    EXPECT_EQ(recorded_r, r);
    testing::expect_same_report(recorded, report);
    EXPECT_EQ(std::ssize(residuals), report.iterations + 1);
    EXPECT_EQ(residuals.front(), first);
    EXPECT_EQ(residuals.back(), report.residual);
}

TEST(GlobalFriction, SolveGlobalKeepsTheHistoryOfTheLocalForm) {
    Random random(1);
    const GlobalFrictionProblem problem = row_of_bodies(5, 3, 0.1, random);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(30), r = Eigen::VectorXd::Zero(15);
    std::vector<double> residuals;
    const SolveReport report = solve_global(one_step::Admm{.history = {&residuals}}, problem, v, r);
    EXPECT_NEAR(residuals.front(), residual(reduce(problem).local, Eigen::VectorXd::Zero(15)), 1e-13);
    EXPECT_GE(std::ssize(residuals), report.iterations + 2);
    EXPECT_EQ(residuals.back(), report.residual);
}

TEST(GlobalAdmm, DoesNotClaimToSolveWhatHasNoSolution) {  // a mass between two walls that close in on it
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3, 6);
    H(0, 0) = 1.0;
    H(0, 3) = -1.0;
    const GlobalFrictionProblem problem{Eigen::MatrixXd(Eigen::Matrix3d::Identity()),
                                        H,
                                        Eigen::Vector3d::Zero(),
                                        -H.cwiseAbs().colwise().sum().transpose(),
                                        Eigen::Vector2d(0.5, 0.5),
                                        {}};
    Eigen::VectorXd v = Eigen::Vector3d::Zero(), r = Eigen::VectorXd::Zero(6);
    const SolveReport report = one_step::GlobalAdmm{}.solve(problem, v, r);
    EXPECT_FALSE(report.converged()) << r.transpose();
    EXPECT_FALSE(report.message.empty());
}

TEST(GlobalAdmm, RefusesWhatMakesNoSense) {
    Random random(1);
    const GlobalFrictionProblem problem = row_of_bodies(2, 3, 0.0, random);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(12), r = Eigen::VectorXd::Zero(6), wrong = Eigen::VectorXd::Zero(5);
    EXPECT_THROW(one_step::GlobalAdmm{}.solve(problem, v, wrong), InvalidInput);
    EXPECT_THROW(one_step::GlobalAdmm{.step = -1.0}.solve(problem, v, r), InvalidInput);
}

}  // namespace
}  // namespace saltus
