#include <gtest/gtest.h>

#include "saltus/complementarity/one_step/newton_iteration.hpp"
#include "saltus/complementarity/one_step/one_step_semismooth_newton.hpp"
#include "support/random_one_step.hpp"

namespace saltus::one_step {
namespace {

using testing::Random;
using testing::random_contacts;
using testing::random_mixture;

constexpr Formulation formulations[] = {Formulation::alart_curnier, Formulation::jean_moreau};

// by_w (W + D) + by_r, dense, against central differences of F. At random points no block is at a corner of F.
TEST(OneStepEquation, DerivativeIsThatOfFiniteDifferences) {
    for (const Formulation formulation : formulations) {
        for (unsigned seed = 0; seed < 20; ++seed) {
            const OneStepProblem problem = random_mixture(seed, 10);
            const OneStepView view(problem);
            Random random(seed);
            const Index n = view.size();
            const Eigen::VectorXd r = random.vector(n, -0.2, 1.0), centre = random.vector(n);
            OneStepEquation equation(view, formulation);
            equation.set_proximal(0.3, centre);
            std::vector<BlockDerivative> derivatives(static_cast<std::size_t>(view.blocks())), unused = derivatives;
            const auto F_at = [&](const Eigen::VectorXd& x) {
                Eigen::VectorXd F(n);
                equation.evaluate(x, velocity(view, x), F, unused);
                return F;
            };
            Eigen::VectorXd F(n);
            equation.evaluate(r, velocity(view, r), F, derivatives);
            Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n), W = view.W.to_dense();
            for (Index i = 0; i < view.blocks(); ++i) {
                const Index at = view.W.start(i), size = view.W.size(i);
                J.middleRows(at, size) = derivatives[i].by_w * W.middleRows(at, size);
                J.block(at, at, size, size) += equation.proximal(i) * derivatives[i].by_w + derivatives[i].by_r;
            }
            const double step = 1e-6;
            for (Index c = 0; c < n; ++c) {
                const Eigen::VectorXd e = step * Eigen::VectorXd::Unit(n, c);
                const Eigen::VectorXd difference = (F_at(r + e) - F_at(r - e)) / (2.0 * step);
                EXPECT_LT((J.col(c) - difference).norm(), 1e-7 * (1.0 + difference.norm())) << "seed " << seed;
            }
        }
    }
}

// J d = -F with the open blocks eliminated is J d = -F.
TEST(NewtonSystem, SolvesWithTheWholeDerivative) {
    for (const Index contacts : {6, 40}) {  // dense, sparse
        std::vector<BlockMatrix::Entry> entries;
        Random random(3);
        for (Index i = 0; i < contacts; ++i) {
            entries.push_back({i, i, 4.0 * Eigen::Matrix3d::Identity() + random.matrix(3, 3)});
            if (i > 0) entries.push_back({i, i - 1, random.matrix(3, 3)});
        }
        const FrictionProblem problem{BlockMatrix(std::vector<int>(static_cast<std::size_t>(contacts), 3), entries),
                                      random.vector(3 * contacts), Eigen::VectorXd::Constant(contacts, 0.5)};
        const OneStepView view(problem);
        const Eigen::VectorXd r = random.vector(view.size());
        OneStepEquation equation(view, Formulation::alart_curnier);
        equation.set_proximal(0.1, r);
        NewtonSystem system(equation);
        std::vector<BlockDerivative> derivatives(static_cast<std::size_t>(contacts));
        Eigen::VectorXd F(view.size()), d(view.size());
        equation.evaluate(r, velocity(view, r), F, derivatives);
        ASSERT_TRUE(system.factor(derivatives));
        system.solve(derivatives, F, d);
        const Eigen::VectorXd Wd = view.W * d;
        int open = 0;
        for (Index i = 0; i < contacts; ++i) {
            open += derivatives[i].is_open;
            const Eigen::Vector3d d_i = d.segment<3>(3 * i);
            const Eigen::Vector3d left =
                derivatives[i].by_w * (Wd.segment<3>(3 * i) + equation.proximal(i) * d_i) + derivatives[i].by_r * d_i;
            EXPECT_LT((left + F.segment<3>(3 * i)).norm(), 1e-12);
        }
        EXPECT_GT(open, 0);
        EXPECT_LT(open, contacts);
    }
}

// A block on a plane, W = I / m: the percussion and velocity after the step in closed form.
TEST(SemismoothNewton, FindsStickingSlidingAndSeparation) {
    FrictionProblem problem{BlockMatrix(Matrix(0.5 * Eigen::MatrixXd::Identity(9, 9)), 3), Eigen::VectorXd(9),
                            Eigen::Vector3d::Constant(0.5)};
    problem.q << -1.0, 0.3, 0.0, -1.0, 3.0, 4.0, 1.0, 2.0, 0.0;
    for (const Formulation formulation : formulations) {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(9), expected(9);
        expected << 2.0, -0.6, 0.0, 2.0, -0.6, -0.8, 0.0, 0.0, 0.0;
        EXPECT_TRUE((SemismoothNewton{.tolerance = 1e-14, .formulation = formulation}.solve(problem, r).converged()));
        EXPECT_LT((r - expected).norm(), 1e-13);
    }
}

TEST(SemismoothNewton, SolvesProblemsOfFullRank) {
    for (const int dimension : {2, 3, 5}) {
        for (const Formulation formulation : formulations) {
            for (unsigned seed = 0; seed < 30; ++seed) {
                const FrictionProblem problem = random_contacts(seed, 6, dimension, 12 * dimension, 0.3);
                Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
                const SolveReport report =
                    SemismoothNewton{.tolerance = 1e-13, .formulation = formulation}.solve(problem, r);
                EXPECT_TRUE(report.converged()) << "dimension " << dimension << " seed " << seed;
                EXPECT_LE(report.iterations, 60);
            }
        }
    }
}

TEST(SemismoothNewton, SolvesAMixtureOfLaws) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const OneStepProblem problem = random_mixture(seed, 40);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
        EXPECT_TRUE((SemismoothNewton{.tolerance = 1e-12}.solve(problem, r).converged())) << "seed " << seed;
    }
}

// |F_{k+1}| <= C |F_k|^2 at the end: sliding is curved, so that one step is not enough.
TEST(SemismoothNewton, ConvergesQuadratically) {
    const FrictionProblem problem = random_contacts(4, 10, 3, 60, 0.3);
    const OneStepView view(problem);
    NewtonIteration newton(view, Formulation::alart_curnier);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(view.size());
    newton.start(zero, 0.0, zero);
    std::vector<double> residuals;
    for (int k = 0; k < 30 && newton.residual(1e-8) > 1e-14; ++k) {
        ASSERT_TRUE(newton.step(newton.merit(), 1e-8));
        residuals.push_back(newton.residual(1e-8));
    }
    int quadratic = 0;
    for (std::size_t k = 1; k < residuals.size(); ++k) {
        if (residuals[k - 1] > 1e-2 || residuals[k - 1] < 1e-8) continue;
        ++quadratic;
        EXPECT_LT(residuals[k], std::max(100.0 * residuals[k - 1] * residuals[k - 1], 1e-14));
    }
    EXPECT_GE(quadratic, 2);
}

TEST(SemismoothNewton, ReturnsTheBestIterateAndSaysWhyItStops) {
    const FrictionProblem problem{BlockMatrix(Matrix(-Eigen::MatrixXd::Identity(3, 3)), 3),
                                  Eigen::Vector3d(-1.0, 0.0, 0.0), Eigen::VectorXd::Constant(1, 0.5)};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3);
    const double before = residual(problem, r);
    const SolveReport report = SemismoothNewton{}.solve(problem, r);
    EXPECT_FALSE(report.converged());  // u_N = -1 - r_N < 0 for all r_N >= 0
    EXPECT_FALSE(report.message.empty());
    EXPECT_LE(report.residual, before);
    EXPECT_THROW((SemismoothNewton{.window = 0}.solve(problem, r)), InvalidInput);
}

}  // namespace
}  // namespace saltus::one_step
