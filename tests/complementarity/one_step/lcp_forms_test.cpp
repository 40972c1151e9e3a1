#include "saltus/complementarity/one_step/lcp_forms.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/lemke.hpp"
#include "saltus/complementarity/nonlinear/newton_josephy.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/complementarity/one_step/admm.hpp"
#include "saltus/complementarity/one_step/glocker_ncp.hpp"
#include "saltus/complementarity/one_step/lcp_form_solver.hpp"
#include "support/friction_law.hpp"
#include "support/random_friction.hpp"

namespace saltus {
namespace {

using testing::DelassusClass;
using testing::Random;

template <class Solver>
Eigen::VectorXd solved(const Converted<Lcp>& form, const Solver& solver) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(form.problem.q.size());
    const SolveReport report = solver.solve(form.problem, z);
    EXPECT_TRUE(report.converged()) << to_string(report.status) << ' ' << report.message;
    return form.solution(z);
}

TEST(PlaneLcp, HasTheSolutionsOfCoulombsLaw) {
    for (const DelassusClass kind : testing::all_delassus_classes)
        for (unsigned seed = 0; seed < 20; ++seed) {
            Random random(seed);
            const auto [problem, expected, u] = testing::random_friction(kind, 2, random.integer(1, 6), random);
            const Converted<Lcp> form = to_lcp(problem);
            for (const Eigen::VectorXd& r : {solved(form, Lemke{}), solved(form, Auto{})}) {
                EXPECT_LE(testing::law_violation(problem, r), 1e-7) << seed;
                if (kind == DelassusClass::symmetric) {
                    EXPECT_LE((r - expected).norm(), 1e-7) << seed;
                }
            }
        }
}

TEST(LcpForm, SolvesPlaneFrictionInOtherUnitsAndFromAGuess) {
    for (const double unit : {1e-6, 1.0, 1e6}) {
        Random random(3);
        auto [problem, expected, u] = testing::random_friction(DelassusClass::skewed, 2, 5, random);
        problem.q *= unit;
        Eigen::VectorXd r = Eigen::VectorXd::Zero(10);
        ASSERT_TRUE((one_step::LcpForm{.tolerance = 1e-12}.solve(problem, r).converged())) << unit;
        EXPECT_LE((r - unit * expected).norm(), 1e-9 * unit);
        EXPECT_EQ(one_step::LcpForm{}.solve(problem, r).iterations, 0);
    }
}

TEST(LcpForm, SolvesMixturesAndRefusesSpatialFriction) {
    Random random(11);
    const Eigen::MatrixXd W = testing::random_delassus(DelassusClass::symmetric, 5, random);
    OneStepProblem problem{BlockMatrix(Matrix(W), {2, 1, 2}),
                           random.vector(5, -3.0, 3.0),
                           {Equality{2}, Interval{-0.1, 0.2}, Coulomb2D{{0.4}}}};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(5), by_admm = r;
    EXPECT_TRUE(one_step::LcpForm{}.solve(problem, r).converged());
    EXPECT_TRUE(one_step::Admm{.tolerance = 1e-10}.solve(problem, by_admm).converged());
    EXPECT_LE((r - by_admm).norm(), 1e-7);

    const auto [spatial, expected, u] = testing::random_friction(DelassusClass::symmetric, 3, 2, random);
    r = Eigen::VectorXd::Zero(6);
    const SolveReport report = one_step::LcpForm{}.solve(spatial, r);
    EXPECT_EQ(report.status, SolveStatus::unsuitable_problem);
    EXPECT_EQ(report.message,
              "block 0 is spatial or rolling friction, which no linear complementarity problem describes exactly");
}

TEST(LcpForm, ProvesThatThereIsNoSolution) {  // a body between two walls that close in on it
    const Eigen::Vector4d h(1.0, 0.0, -1.0, 0.0);
    const Eigen::MatrixXd W = h * h.transpose();
    const FrictionProblem problem{BlockMatrix(Matrix(W), 2), -h.cwiseAbs(), Eigen::Vector2d(0.5, 0.5), {}};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(4);
    const SolveReport report = one_step::LcpForm{}.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::no_solution) << to_string(report.status) << report.message;
}

// A contact that slides: on the polygon instead of the disk.
struct Sliding {
    FrictionProblem problem;
    Eigen::VectorXd r;
};
Sliding sliding_contact(Random& random) {
    const Eigen::Matrix3d A = random.matrix(3, 3), W = A * A.transpose() + Eigen::Matrix3d::Identity();
    const double mu = random.uniform(0.2, 0.8), angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    const Eigen::Vector3d direction(0.0, std::cos(angle), std::sin(angle));
    const Eigen::Vector3d r = Eigen::Vector3d::UnitX() + mu * direction, u = -random.uniform(0.5, 1.0) * direction;
    return {{BlockMatrix(Matrix(W), 3), u - W * r, Eigen::VectorXd::Constant(1, mu), {}}, r};
}

// The worst over many contacts: of r, and of the dissipated power, relative to mu r_N |u_T|.
struct FacetErrors {
    double r = 0.0, dissipation = 0.0;
};
FacetErrors worst_errors(int facets, Faceting faceting) {
    FacetErrors worst;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Random random(seed);
        const Sliding exact = sliding_contact(random);
        const Eigen::VectorXd r = solved(to_lcp(exact.problem, facets, faceting), Lemke{});
        const Eigen::VectorXd u = exact.problem.W * r + exact.problem.q;
        const double disk = exact.problem.mu[0] * r[0] * u.tail<2>().norm();
        worst.r = std::max(worst.r, (r - exact.r).norm());
        worst.dissipation = std::max(worst.dissipation, std::abs(1.0 + r.tail<2>().dot(u.tail<2>()) / disk));
    }
    return worst;
}

// The polygon approaches the disk to order two, 1 - cos(pi / facets), and so do the limits of friction; but a contact
// slides on a corner, the nearest in direction: r converges to order one.
TEST(FacetedLcp, ConvergesToOrderTwoInTheLimitsAndOneInDirection) {
    for (const Faceting faceting : {Faceting::inner, Faceting::outer}) {
        const FacetErrors coarse = worst_errors(8, faceting), fine = worst_errors(64, faceting);
        EXPECT_NEAR(std::log(coarse.dissipation / fine.dissipation) / std::log(8.0), 2.0, 0.15);
        EXPECT_NEAR(std::log(coarse.r / fine.r) / std::log(8.0), 1.0, 0.15);
    }
}

TEST(FacetedLcp, BoundsTheFrictionFromInsideAndOutside) {
    for (const int facets : {3, 4, 7, 12})
        for (unsigned seed = 0; seed < 30; ++seed) {
            Random random(seed);
            const Sliding exact = sliding_contact(random);
            const double mu = exact.problem.mu[0], cosine = std::cos(std::numbers::pi / facets);
            for (const Faceting faceting : {Faceting::inner, Faceting::outer}) {
                const Eigen::VectorXd r = solved(to_lcp(exact.problem, facets, faceting), Auto{});
                const Eigen::VectorXd u = exact.problem.W * r + exact.problem.q;
                const double dissipated = -r.tail<2>().dot(u.tail<2>()), disk = mu * r[0] * u.tail<2>().norm();
                const double low = faceting == Faceting::inner ? cosine : 1.0;
                EXPECT_GE(dissipated, low * disk - 1e-9) << facets << ' ' << seed;
                EXPECT_LE(dissipated, low / cosine * disk + 1e-9) << facets << ' ' << seed;
                EXPECT_LE(r.tail<2>().norm(), mu * r[0] / (faceting == Faceting::inner ? 1.0 : cosine) + 1e-9);
                EXPECT_NEAR(u[0], 0.0, 1e-9);
            }
        }
}

TEST(FacetedLcp, IsExactWhereAllContactsStickOrSeparate) {
    Random random(5);
    auto [problem, r, u] = testing::random_friction(DelassusClass::symmetric, 3, 4, random);
    for (Index i = 0; i < 4; ++i) {
        r.segment<2>(3 * i + 1) *= 0.3;
        if (r[3 * i] > 0.0) u.segment<3>(3 * i).setZero();
    }
    problem.q = u - problem.W * r;
    for (const Faceting faceting : {Faceting::inner, Faceting::outer})
        EXPECT_LE((solved(to_lcp(problem, 4, faceting), Auto{}) - r).norm(), 1e-8);
}

TEST(GlockerNcp, HasTheRightJacobian) {
    Random random(2);
    const auto [problem, r, u] = testing::random_friction(DelassusClass::skewed, 3, 3, random);
    const Converted<Ncp> form = to_ncp(problem);
    const Eigen::VectorXd z = random.vector(15, 0.0, 1.0);
    Matrix J;
    form.problem.jacobian(z, J);
    for (Index j = 0; j < 15; ++j) {
        const Eigen::VectorXd step = 1e-6 * Eigen::VectorXd::Unit(15, j);
        Eigen::VectorXd above(15), below(15);
        form.problem.F(z + step, above);
        form.problem.F(z - step, below);
        EXPECT_LE(((above - below) / 2e-6 - J.to_dense().col(j)).norm(), 1e-8);
    }
}

TEST(GlockerNcp, IsSolvedExactlyByTheSolutionsOfCoulombsLaw) {
    constexpr double half_root = std::numbers::sqrt3 / 2.0;
    for (unsigned seed = 0; seed < 30; ++seed) {
        Random random(seed);
        const auto [problem, r, u] = testing::random_friction(DelassusClass::skewed, 3, 4, random);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(20);
        for (Index i = 0; i < 4; ++i) {
            const Eigen::Vector2d r_T = r.segment<2>(3 * i + 1), u_T = u.segment<2>(3 * i + 1);
            const double bound = problem.mu[i] * r[3 * i];
            z[5 * i] = r[3 * i];
            z[5 * i + 1] = bound + r_T[0];
            z[5 * i + 2] = bound - 0.5 * r_T[0] + half_root * r_T[1];
            if (bound > 0.0)
                z[5 * i + 4] = u_T.norm() / bound;
            else  // separated: u_T = sum kappa_i e_i with the least kappa_3 >= 0 that leaves kappa_1, kappa_2 >= 0
                z[5 * i + 3] = std::max({0.0, -u_T[0] - u_T[1] / (2.0 * half_root), -u_T[1] / half_root});
        }
        const Converted<Ncp> form = to_ncp(problem);
        EXPECT_LE(residual(form.problem, z), 1e-12) << seed;
        EXPECT_LE((form.solution(z) - r).norm(), 1e-13);
    }
}

TEST(GlockerNcp, IsSolvedByTheSolversOfTheFoundation) {
    int by_newton_josephy = 0, by_semismooth = 0;  // the problem is not monotone: neither is certain
    constexpr int problems = 20;
    for (unsigned seed = 0; seed < problems; ++seed) {
        Random random(seed);
        const auto [problem, r, u] = testing::random_friction(DelassusClass::symmetric, 3, 2, random);
        const Converted<Ncp> form = to_ncp(problem);
        const auto attempt = [&](const auto& solver) {
            Eigen::VectorXd z = Eigen::VectorXd::Ones(10);
            if (!solver.solve(form.problem, z).converged()) return 0;
            EXPECT_LE(testing::law_violation(problem, form.solution(z)), 1e-5) << seed;
            return 1;
        };
        by_newton_josephy += attempt(NewtonJosephy{});
        by_semismooth += attempt(SemismoothNewton{});
    }
    EXPECT_GE(by_newton_josephy, problems - 2);
    EXPECT_GE(by_semismooth, problems - 1);
}

TEST(ComplementarityForms, RefuseOtherDimensions) {
    Random random(1);
    const auto [plane, r2, u2] = testing::random_friction(DelassusClass::symmetric, 2, 2, random);
    const auto [spatial, r3, u3] = testing::random_friction(DelassusClass::symmetric, 3, 2, random);
    EXPECT_THROW(to_lcp(spatial), InvalidInput);
    EXPECT_THROW(to_lcp(plane, 8, Faceting::inner), InvalidInput);
    EXPECT_THROW(to_lcp(spatial, 2, Faceting::inner), InvalidInput);
    EXPECT_THROW(to_ncp(plane), InvalidInput);
}

}  // namespace
}  // namespace saltus
