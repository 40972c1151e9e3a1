// The promises of every solver of affine problems, tested on each.
#include <gtest/gtest.h>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

template <class Solver>
class AffineSolverTest : public ::testing::Test {};
using AllAffineSolvers = ::testing::Types<Auto, Lemke, PrincipalPivoting, PrimalDualActiveSet, SemismoothNewton,
                                          InteriorPoint, ProjectedGaussSeidel, Enumeration>;
TYPED_TEST_SUITE(AffineSolverTest, AllAffineSolvers);

Lcp make_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) { return {M, q}; }

// |z - mid(l, z - w, u)|_inf / max(1, |q|_inf), written again: the judge must not be the accused.
double judge(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const Eigen::VectorXd& lower,
             const Eigen::VectorXd& upper, const Eigen::VectorXd& z) {
    const Eigen::VectorXd w = M * z + q;
    return (z - (z - w).cwiseMax(lower).cwiseMin(upper)).lpNorm<Eigen::Infinity>() /
           std::max(1.0, q.lpNorm<Eigen::Infinity>());
}

// Symmetric positive definite, with intervals of every kind; dense, and sparse.
BoxVi random_box(Random& random) {
    const Index n = random.integer(1, 8);
    Eigen::MatrixXd M = testing::random_matrix(MatrixClass::symmetric_positive_definite, n, random);
    M += Eigen::MatrixXd::Identity(n, n);  // well conditioned: Gauss-Seidel too must get there
    BoxVi box{M, random.vector(n, -3.0, 3.0), Eigen::VectorXd(n), Eigen::VectorXd(n)};
    for (Index i = 0; i < n; ++i) {
        box.lower[i] = random.coin(0.3) ? -infinity : random.uniform(-1.0, 0.0);
        box.upper[i] = random.coin(0.3)   ? infinity
                       : random.coin(0.2) ? std::max(box.lower[i], -1.0)
                                          : random.uniform(0.0, 1.0);
    }
    return box;
}
std::vector<BoxVi> in_both_storages(const BoxVi& box) {
    return {box, {box.M.to_sparse(), box.q, box.lower, box.upper}};
}

TYPED_TEST(AffineSolverTest, SolvesSymmetricPositiveDefiniteProblemsOfEveryKindOfBox) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Random random(seed);
        for (const BoxVi& problem : in_both_storages(random_box(random))) {
            Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
            const SolveReport report = TypeParam{}.solve(problem, z);
            EXPECT_TRUE(report.converged()) << "seed " << seed << ": " << to_string(report.status) << report.message;
            EXPECT_LE(judge(problem.M.to_dense(), problem.q, problem.lower, problem.upper, z), 1e-10)
                << "seed " << seed;
        }
    }
}

TYPED_TEST(AffineSolverTest, SolvesMixedProblemsWithFreeVariablesInAnyOrder) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 8);
        Mlcp problem{testing::random_matrix(MatrixClass::symmetric_positive_definite, n, random), random.vector(n), {}};
        problem.M = Matrix(problem.M.dense() + Eigen::MatrixXd::Identity(n, n));
        for (Index i = 0; i < n; ++i) problem.free.push_back(random.coin(0.4));
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        ASSERT_TRUE(TypeParam{}.solve(problem, z).converged()) << "seed " << seed;
        const Eigen::VectorXd w = problem.M * z + problem.q;
        for (Index i = 0; i < n; ++i) EXPECT_NEAR(problem.free[i] ? w[i] : std::min(z[i], w[i]), 0.0, 1e-9);
    }
}

TYPED_TEST(AffineSolverTest, TakesNoIterationFromAnExactGuess) {
    const Lcp problem = make_lcp(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-5.0, -6.0));
    Eigen::VectorXd z = Eigen::Vector2d(4.0 / 3.0, 7.0 / 3.0);
    const SolveReport report = TypeParam{}.solve(problem, z);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
}

TYPED_TEST(AffineSolverTest, NeverClaimsToSolveWhatHasNoSolution) {
    const Eigen::Matrix3d pang{{0.0, -1.0, -1.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}};
    const Lcp problems[] = {
        make_lcp(Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Constant(1, -1.0)),
        make_lcp(Eigen::MatrixXd::Constant(1, 1, -2.0), Eigen::VectorXd::Constant(1, -1.0)),
        make_lcp(pang, Eigen::Vector3d(-1e-4, -1.0, 1.0)),
        make_lcp(-Eigen::MatrixXd::Identity(4, 4), Eigen::Vector4d(1.0, -1.0, 2.0, -3.0)),
    };
    for (const Lcp& problem : problems) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
        const SolveReport report = TypeParam{}.solve(problem, z);
        EXPECT_FALSE(report.converged());
        EXPECT_GT(report.residual, 1e-6);
        EXPECT_FALSE(report.message.empty()) << "an outcome other than converged must say why";
        if (report.status == SolveStatus::iteration_limit) {
            EXPECT_EQ(report.message.find("M is not"), std::string::npos) << "more iterations would not help";
        }
    }
}

TYPED_TEST(AffineSolverTest, NeverProvesThatASolvableProblemHasNone) {  // badly scaled, or held by its bounds alone
    const Eigen::Matrix3d M{{2.0, 6.0, -8.0}, {-6.0, 0.0, 2.0}, {0.0, -2.0, 8.0}};
    const BoxVi problems[] = {
        {Eigen::Vector2d(1e6, 1e-6).asDiagonal().toDenseMatrix(), -Eigen::Vector2d::Ones(), Eigen::Vector2d::Zero(),
         Eigen::Vector2d::Constant(infinity)},
        {Eigen::Vector2d(1e-12, 1.0).asDiagonal().toDenseMatrix(), -Eigen::Vector2d::Ones(), Eigen::Vector2d::Zero(),
         Eigen::Vector2d::Constant(infinity)},
        {M, Eigen::Vector3d(1.5e-8, -2.4e-7, -3.05e-5), Eigen::Vector3d(-infinity, -0.00195, -infinity),
         Eigen::Vector3d(2.0, 0.0039, -2.0)},
    };
    for (const BoxVi& problem : problems) {
        Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
        EXPECT_NE(TypeParam{}.solve(problem, z).status, SolveStatus::no_solution);
    }
}

TYPED_TEST(AffineSolverTest, KeepsTheHistoryOfItsResidual) {
    constexpr bool records_start_and_end = std::is_same_v<TypeParam, Lemke> || std::is_same_v<TypeParam, Enumeration>;
    for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        for (const BoxVi& problem : in_both_storages(random_box(random))) {
            const Eigen::VectorXd inside =
                Eigen::VectorXd::Zero(problem.q.size()).cwiseMax(problem.lower).cwiseMin(problem.upper);
            const auto recorded = testing::expect_history(TypeParam{}, problem, inside);
            if (records_start_and_end) {
                EXPECT_LE(recorded.residuals.size(), 2u);
            } else if (std::is_same_v<TypeParam, PrincipalPivoting>) {
                EXPECT_LE(std::ssize(recorded.residuals), recorded.report.iterations + 2);
            } else if (!std::is_same_v<TypeParam, Auto> || recorded.report.solver == PrimalDualActiveSet::name) {
                expect_one_number_an_iteration(recorded);
            }
            EXPECT_EQ(recorded.residuals.size() == 1, residual(problem, inside) <= 1e-10) << "one for an exact guess";
        }
    }
    const Lcp without_solution = make_lcp(Eigen::MatrixXd::Constant(1, 1, -2.0), Eigen::VectorXd::Constant(1, -1.0));
    testing::expect_history(TypeParam{}, without_solution, Eigen::VectorXd::Zero(1));
}

TEST(AffineSolvers, HaveTheResidualsOfTheirIteratesInTheirHistory) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 8);
        const Eigen::MatrixXd M = testing::random_matrix(MatrixClass::symmetric_positive_definite, n, random);
        const Lcp problem = make_lcp(M + Eigen::MatrixXd::Identity(n, n), random.vector(n, -3.0, 3.0));
        const Eigen::VectorXd guess = random.vector(n, 0.0, 1.0);
        testing::expect_residuals_of_iterates(ProjectedGaussSeidel{}, problem, guess);
        testing::expect_residuals_of_iterates(ProjectedGaussSeidel{.symmetric = true}, problem, guess);
        testing::expect_residuals_of_iterates(PrimalDualActiveSet{.sweeps = 1}, problem, guess);
        testing::expect_residuals_of_iterates(SemismoothNewton{}, problem, guess);
    }
}

TEST(Auto, HasTheHistoryOfOneSolverAfterTheOther) {  // sparse: no tableau; Lemke proves that there is no solution
    const Lcp problem{Matrix(Matrix::Sparse(Eigen::MatrixXd::Zero(1, 1).sparseView())), -Eigen::VectorXd::Ones(1)};
    Eigen::VectorXd z = Eigen::VectorXd::Zero(1);
    const std::vector<double> residuals = testing::expect_history(Auto{}, problem, z).residuals;
    std::vector<double> expected;
    for (const AffineSolverChoice& choice : {AffineSolverChoice(PrimalDualActiveSet{.history = {&expected}}),
                                             AffineSolverChoice(Lemke{.history = {&expected}})}) {
        z.setZero();
        std::visit([&](const auto& solver) { solver.solve(problem, z); }, choice);
    }
    expected.push_back(1.0);  // of z = 0, the best point
    EXPECT_EQ(residuals, expected);
    EXPECT_GE(residuals.size(), 4u);
}

TEST(Auto, RecordsStartAndEndOfTheTableau) {
    const Lcp problem = make_lcp(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}}, Eigen::Vector2d(-5.0, -6.0));
    const auto recorded = testing::expect_history(Auto{}, problem, Eigen::Vector2d(1.0, 0.0));
    EXPECT_EQ(recorded.report.solver, "tableau-pivoting");
    EXPECT_EQ(recorded.residuals.size(), 2u);
}

TYPED_TEST(AffineSolverTest, RefusesOptionsThatMakeNoSense) {
    const Lcp problem = make_lcp(Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Constant(1, -1.0));
    Eigen::VectorXd z = Eigen::VectorXd::Zero(1);
    TypeParam no_number, negative;
    no_number.tolerance = std::numeric_limits<double>::quiet_NaN();
    negative.max_iterations = -3;
    EXPECT_THROW(no_number.solve(problem, z), InvalidInput);
    EXPECT_THROW(negative.solve(problem, z), InvalidInput);
}

TYPED_TEST(AffineSolverTest, SolvesTheEmptyProblem) {
    Eigen::VectorXd z;
    EXPECT_TRUE(TypeParam{}.solve(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}, z).converged());
}

TYPED_TEST(AffineSolverTest, RefusesWrongSizesAndNumbersThatAreNone) {
    const auto message_of = [](const AffineBox& problem, Eigen::VectorXd z) -> std::string {
        try {
            TypeParam{}.solve(problem, z);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "no exception";
    };
    const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Eigen::VectorXd zero = Eigen::Vector2d::Zero();
    EXPECT_EQ(message_of(Lcp{I, Eigen::Vector3d::Ones()}, Eigen::Vector3d::Zero()),
              "Lcp: M is 2 x 2 but q has 3 entries; M must be 3 x 3");
    EXPECT_EQ(message_of(Lcp{I, Eigen::Vector2d::Ones()}, Eigen::Vector3d::Zero()),
              std::string(TypeParam::name) + ": the guess z has 3 entries but the Lcp has 2");
    EXPECT_EQ(message_of(Lcp{I, Eigen::Vector2d(1.0, nan)}, zero),
              "Lcp: q[1] is nan; every entry must be a finite number");
    EXPECT_EQ(message_of(Lcp{Eigen::Matrix2d{{1.0, infinity}, {0.0, 1.0}}, zero}, zero),
              "Lcp: M(0, 1) is inf; every entry must be a finite number");
    EXPECT_EQ(message_of(BoxVi{I, zero, Eigen::Vector2d(0.0, 2.0), Eigen::Vector2d(1.0, 1.0)}, zero),
              "BoxVi: the interval [lower, upper] of variable 1 is [2, 1]; it must not be empty");
    EXPECT_EQ(message_of(Mlcp{I, zero, {true}}, zero), "Mlcp: free has 1 entries but q has 2");
}

TEST(AffineSolvers, AreFoundByTheirNames) {
    for (const SolverInfo& info : affine_solvers()) {
        const auto name = std::visit([](const auto& solver) { return solver.name; }, affine_solver(info.name));
        EXPECT_EQ(name, info.name);
        EXPECT_FALSE(info.problem_class.empty());
    }
    EXPECT_THROW(affine_solver("lemke2"), InvalidInput);
}

}  // namespace
}  // namespace saltus
