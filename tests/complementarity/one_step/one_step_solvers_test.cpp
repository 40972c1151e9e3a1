#include <gtest/gtest.h>

#include "complementarity/expect_history.hpp"
#include "saltus/complementarity/one_step/admm.hpp"
#include "saltus/complementarity/one_step/apgd.hpp"
#include "saltus/complementarity/one_step/clustered_nsgs.hpp"
#include "saltus/complementarity/one_step/extra_gradient.hpp"
#include "saltus/complementarity/one_step/nsgs.hpp"
#include "saltus/complementarity/one_step/one_step_auto.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"
#include "saltus/complementarity/one_step/threshold_fixed_points.hpp"
#include "support/allocations.hpp"
#include "support/friction_law.hpp"
#include "support/random_friction.hpp"

namespace saltus::one_step {
namespace {

using testing::DelassusClass;
using testing::Random;

template <class Solver>
class FrictionSolverTest : public ::testing::Test {};
using MostFrictionSolvers =
    ::testing::Types<Auto, Nsgs, ClusteredNsgs, Admm, Apgd, ExtraGradient, Tresca, Panagiotopoulos, Aclm>;
TYPED_TEST_SUITE(FrictionSolverTest, MostFrictionSolvers);

// One contact of W = w I: every case has a closed form.
FrictionProblem one_contact(double w, const Eigen::VectorXd& q, double mu) {
    const Index d = q.size();
    return {BlockMatrix(Matrix(Eigen::MatrixXd(w * Eigen::MatrixXd::Identity(d, d))), static_cast<int>(d)), q,
            Eigen::VectorXd::Constant(1, mu),
            d == 5 ? Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.5 * mu)) : Eigen::VectorXd()};
}

template <class Solver>
void expect_solution(const FrictionProblem& problem, const Eigen::VectorXd& expected) {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    const SolveReport report = Solver{}.solve(problem, r);
    EXPECT_TRUE(report.converged()) << to_string(report.status) << ' ' << report.residual;
    EXPECT_LE((r - expected).norm(), 1e-7 * std::max(1.0, expected.norm()));
}

TYPED_TEST(FrictionSolverTest, SeparatesSticksAndSlidesAsTheClosedFormSays) {
    for (const int d : {2, 3, 5}) {
        Eigen::VectorXd tangent = Eigen::VectorXd::Zero(d);
        tangent[1] = 3.0;
        if (d >= 3) tangent[2] = 4.0;
        const Eigen::VectorXd normal = Eigen::VectorXd::Unit(d, 0);
        expect_solution<TypeParam>(one_contact(2.0, tangent + normal, 0.5), Eigen::VectorXd::Zero(d));
        expect_solution<TypeParam>(one_contact(2.0, 0.1 * tangent - 4.0 * normal, 0.5), 2.0 * normal - 0.05 * tangent);
        expect_solution<TypeParam>(one_contact(2.0, tangent - 4.0 * normal, 0.5),
                                   2.0 * normal - 1.0 * tangent.normalized());
    }
    Eigen::VectorXd q(5), expected(5);  // slides in one direction, rolls in another
    q << -4.0, 3.0, 0.0, 0.0, -5.0;
    expected << 2.0, -1.0, 0.0, 0.0, 0.5;
    expect_solution<TypeParam>(one_contact(2.0, q, 0.5), expected);
}

// Apgd and Aclm solve convex problems with a frozen shift, which need not have a solution where W is rank deficient;
// Aclm's sequence need not converge where W is far from symmetric. They must say so, and the others must not fail.
template <class Solver>
bool must_solve(DelassusClass kind) {
    if (kind == DelassusClass::symmetric) return true;
    if (std::is_same_v<Solver, Aclm>) return false;
    return kind == DelassusClass::skewed || !std::is_same_v<Solver, Apgd>;
}

TYPED_TEST(FrictionSolverTest, SolvesRandomProblemsOfEveryClassAndDimension) {
    for (const DelassusClass kind : testing::all_delassus_classes)
        for (const int d : {2, 3, 5})
            for (unsigned seed = 0; seed < 8; ++seed) {
                Random random(seed);
                const auto [problem, expected, u] = testing::random_friction(kind, d, random.integer(1, 6), random);
                Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
                TypeParam solver;
                if (!must_solve<TypeParam>(kind)) solver.max_iterations = std::min(solver.max_iterations, 50);
                const SolveReport report = solver.solve(problem, r);
                EXPECT_TRUE(report.converged() || !must_solve<TypeParam>(kind))
                    << "class " << static_cast<int>(kind) << " dimension " << d << " seed " << seed << ": "
                    << report.residual << ' ' << report.message;
                EXPECT_TRUE(r.allFinite());
                if (report.converged()) {
                    // Products of percussions and velocities, which may be large where the solution is not unique.
                    const double size = std::max(1.0, r.norm()) * std::max(1.0, (problem.W * r + problem.q).norm());
                    EXPECT_LE(testing::law_violation(problem, r), 1e-6 * size);
                }
            }
}

// A joint, a bounded motor and two contacts, coupled.
TYPED_TEST(FrictionSolverTest, SolvesMixturesOfLaws) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        Random random(seed);
        const std::vector<int> sizes{2, 1, 3, 2, 5};
        const Eigen::MatrixXd W = testing::random_delassus(DelassusClass::symmetric, 13, random);
        const OneStepProblem problem{
            BlockMatrix(Matrix(W), sizes),
            random.vector(13, -3.0, 3.0),
            {Equality{2}, Interval{-0.2, 0.3}, Coulomb3D{{0.4}}, Coulomb2D{{0.7}}, RollingFriction{{0.5, 0.1}}}};
        Eigen::VectorXd r = Eigen::VectorXd::Zero(13);
        const SolveReport report = TypeParam{}.solve(problem, r);
        EXPECT_TRUE(report.converged()) << "seed " << seed << ' ' << report.residual;
        const Eigen::VectorXd w = W * r + problem.q;
        EXPECT_LE(w.head(2).norm(), 1e-6);
        EXPECT_NEAR(r[2], std::clamp(r[2] - w[2], -0.2, 0.3), 1e-6);
    }
}

TYPED_TEST(FrictionSolverTest, TakesNoIterationFromAnExactGuess) {
    Random random(4);
    auto [problem, r, u] = testing::random_friction(DelassusClass::skewed, 3, 4, random);
    const Eigen::VectorXd guess = r;
    const SolveReport report = TypeParam{}.solve(problem, r);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(r, guess);
}

TYPED_TEST(FrictionSolverTest, GivesTheSameBitsInOtherUnits) {  // powers of two: no rounding
    Random random(9);
    const auto [problem, expected, u] = testing::random_friction(DelassusClass::skewed, 3, 5, random);
    FrictionProblem scaled = problem;
    scaled.W = BlockMatrix(Matrix(Eigen::MatrixXd(std::ldexp(1.0, 20) * problem.W.to_dense())), 3);
    scaled.q *= std::ldexp(1.0, -10);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(15), scaled_r = r;
    const SolveReport report = TypeParam{}.solve(problem, r), scaled_report = TypeParam{}.solve(scaled, scaled_r);
    EXPECT_EQ(report.iterations, scaled_report.iterations);
    EXPECT_EQ(r, std::ldexp(1.0, 30) * scaled_r);
}

// A body between two walls that close in on it: u_1 = r_1 - r_2 - 1, u_2 = r_2 - r_1 - 1 cannot both be positive.
TYPED_TEST(FrictionSolverTest, DoesNotClaimToSolveWhatHasNoSolution) {
    Eigen::VectorXd h = Eigen::VectorXd::Zero(6);
    h[0] = 1.0, h[3] = -1.0;
    const Eigen::MatrixXd W = h * h.transpose();
    const FrictionProblem problem{BlockMatrix(Matrix(W), 3), -h.cwiseAbs(), Eigen::Vector2d(0.5, 0.5), {}};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
    const SolveReport report = TypeParam{}.solve(problem, r);
    EXPECT_FALSE(report.converged()) << r.transpose();
    EXPECT_TRUE(r.allFinite());
    EXPECT_FALSE(report.message.empty());
}

TYPED_TEST(FrictionSolverTest, ReturnsTheBestPointWhenTheIterationsEnd) {
    Random random(6);
    const auto [problem, expected, u] = testing::random_friction(DelassusClass::rank_deficient, 3, 8, random);
    const Eigen::VectorXd guess = Eigen::VectorXd::Zero(24);
    TypeParam solver;
    solver.tolerance = 0.0;
    solver.max_iterations = 3;
    Eigen::VectorXd r = guess;
    const SolveReport report = solver.solve(problem, r);
    EXPECT_FALSE(report.converged());
    EXPECT_EQ(report.residual, residual(problem, r));
    EXPECT_LE(report.residual, residual(problem, guess));
}

TYPED_TEST(FrictionSolverTest, SolvesTheEmptyProblem) {
    Eigen::VectorXd r;
    EXPECT_TRUE(TypeParam{}.solve(FrictionProblem{{}, {}, {}, {}}, r).converged());
}

TYPED_TEST(FrictionSolverTest, RefusesWhatMakesNoSense) {
    const FrictionProblem problem = one_contact(1.0, Eigen::Vector3d(-1.0, 0.0, 0.0), 0.5);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3), wrong = Eigen::VectorXd::Zero(4);
    TypeParam negative;
    negative.tolerance = -1.0;
    EXPECT_THROW(negative.solve(problem, r), InvalidInput);
    EXPECT_THROW(TypeParam{}.solve(problem, wrong), InvalidInput);
    EXPECT_THROW(TypeParam{}.solve(one_contact(1.0, Eigen::Vector3d(-1.0, 0.0, 0.0), -0.5), r), InvalidInput);
}

// Those whose iterations are what max_iterations counts; the others count factorizations or products, or are several.
template <class Solver, class... Counted>
constexpr bool is_one_of = (std::is_same_v<Solver, Counted> || ...);
template <class Solver>
constexpr bool counts_iterates =
    is_one_of<Solver, Nsgs, ClusteredNsgs, Admm, SemismoothNewton, ExtraGradient, Tresca, Panagiotopoulos, Aclm>;

TEST(FrictionSolvers, KeepTheHistoryOfTheirResidual) {
    for (const DelassusClass kind : {DelassusClass::symmetric, DelassusClass::rank_deficient})
        for (const int d : {2, 3})
            for_each_solver<SolverChoice>([&](auto solver) {
                SCOPED_TRACE(fmt::format("{} class {} dimension {}", solver.name, static_cast<int>(kind), d));
                Random random(3);
                const auto [problem, expected, u] = testing::random_friction(kind, d, 5, random);
                solver.max_iterations = std::min(solver.max_iterations, 2000);
                const auto recorded = testing::expect_history(solver, problem, Eigen::VectorXd::Zero(problem.q.size()));
                if (counts_iterates<decltype(solver)>) {
                    expect_one_number_an_iteration(recorded);
                } else {
                    EXPECT_EQ(recorded.residuals.size() > 1, recorded.report.iterations > 0);
                }
                EXPECT_EQ(testing::expect_history(solver, problem, expected).residuals.size(), 1u) << "exact guess";
            });
}

// The point returned after k iterations is an iterate, the best one or the last.
TEST(FrictionSolvers, HaveTheResidualsOfTheirIteratesInTheirHistory) {
    Random random(5);
    const auto [problem, expected, u] = testing::random_friction(DelassusClass::symmetric, 3, 5, random);
    const Eigen::VectorXd guess = Eigen::VectorXd::Zero(15);
    for_each_solver<SolverChoice>([&, &problem = problem](auto solver) {
        if (!counts_iterates<decltype(solver)>) return;
        const std::vector<double> residuals = testing::expect_history(solver, problem, guess).residuals;
        for (const int k : {1, 2, 3, 4}) {
            if (std::ssize(residuals) <= k) return;
            solver.max_iterations = k;
            Eigen::VectorXd r = guess;
            const double reached = solver.solve(problem, r).residual;
            const auto is_reached = [&](double known) { return std::abs(known - reached) <= 1e-13; };
            EXPECT_TRUE(std::any_of(residuals.begin(), residuals.begin() + k + 1, is_reached))
                << solver.name << ' ' << k << ' ' << reached;
        }
    });
}

TEST(FrictionSolvers, RecordStartAndEndOfIslands) {  // two contacts that do not affect each other
    const FrictionProblem problem{
        BlockMatrix({3, 3}, {{0, 0, 2.0 * Eigen::Matrix3d::Identity()}, {1, 1, Eigen::Matrix3d::Identity()}}),
        Eigen::VectorXd{{-1.0, 2.0, 0.3, -3.0, 0.5, 0.1}},
        Eigen::Vector2d(0.5, 0.3),
        {}};
    const Eigen::VectorXd guess = Eigen::VectorXd::Zero(6);
    for (const int threads : {1, 2}) {
        EXPECT_EQ(testing::expect_history(Nsgs{.threads = threads}, problem, guess).residuals.size(), 2u);
        EXPECT_EQ(testing::expect_history(Auto{.threads = threads}, problem, guess).residuals.size(), 2u);
    }
    expect_one_number_an_iteration(testing::expect_history(Nsgs{.islands = false}, problem, guess));
}

template <class Solver>
long allocations_of(Solver solver, int iterations, const FrictionProblem& problem) {
    solver.tolerance = 0.0;
    solver.max_iterations = iterations;
    Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.q.size());
    return testing::allocations_in([&] { solver.solve(problem, r); });
}

TEST(FirstOrder, IterationsAllocateNothing) {
    Random random(8);
    const auto [problem, expected, u] = testing::random_friction(DelassusClass::rank_deficient, 3, 10, random);
    EXPECT_EQ(allocations_of(Apgd{}, 20, problem), allocations_of(Apgd{}, 60, problem));
    EXPECT_EQ(allocations_of(ExtraGradient{}, 20, problem), allocations_of(ExtraGradient{}, 60, problem));
    const Admm admm{.balance_ratio = 0.0};
    EXPECT_EQ(allocations_of(admm, 20, problem), allocations_of(admm, 60, problem));
}

// A sparse W whose skew part is small enough to stay out of the factor: a chain of contacts.
FrictionProblem skewed_chain(Index contacts, double skew, Random& random) {
    std::vector<BlockMatrix::Entry> entries;
    for (Index i = 0; i < contacts; ++i) {
        const Eigen::MatrixXd A = random.matrix(3, 3), B = random.matrix(3, 3);
        entries.push_back({i, i, Eigen::Matrix3d::Identity() * 3.0 + skew * (A - A.transpose())});
        if (i == 0) continue;
        entries.push_back({i, i - 1, 0.5 * B});
        entries.push_back({i - 1, i, 0.5 * B.transpose() + skew * random.matrix(3, 3)});
    }
    const std::vector<int> sizes(static_cast<std::size_t>(contacts), 3);
    return {BlockMatrix(sizes, entries), random.vector(3 * contacts), Eigen::VectorXd::Constant(contacts, 0.4), {}};
}

TEST(Admm, SaysThatWIsNotPositiveSemidefinite) {  // W + rho I is singular for rho = 1
    const FrictionProblem problem{BlockMatrix(Matrix(Eigen::MatrixXd(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 1.0}})), 2),
                                  Eigen::Vector2d(-4.0, 3.0), Eigen::VectorXd::Constant(1, 0.5)};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(2);
    const SolveReport report = Admm{.step = 1.0}.solve(problem, r);
    EXPECT_EQ(report.status, SolveStatus::unsuitable_problem) << report.message;
    EXPECT_NE(report.message.find("not positive semidefinite"), std::string::npos);
}

TEST(Admm, DoesNotStopAtTheSizeOfTheSkewPart) {
    for (const double skew : {1e-3, 1e-2, 0.5}) {
        Random random(1);
        const FrictionProblem problem = skewed_chain(100, skew, random);
        ASSERT_GT(problem.W.asymmetry(), 0.1 * skew);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(300);
        EXPECT_TRUE(Admm{.tolerance = 1e-12}.solve(problem, r).converged()) << skew;
        EXPECT_LE(testing::law_violation(problem, r), 1e-10);
    }
}

TEST(Admm, ConvergesFromAnyStepAndWithoutItsHelpers) {
    Random random(12);
    const auto [problem, expected, u] = testing::random_friction(DelassusClass::symmetric, 3, 6, random);
    for (const double step : {1e-4, 1e-2, 1.0, 100.0})
        for (const int memory : {0, 10}) {
            Eigen::VectorXd r = Eigen::VectorXd::Zero(18);
            EXPECT_TRUE((Admm{.step = step, .memory = memory}.solve(problem, r).converged())) << step << ' ' << memory;
            EXPECT_LE((r - expected).norm(), 1e-6);
        }
    Eigen::VectorXd r = Eigen::VectorXd::Zero(18);
    EXPECT_TRUE((Admm{.balance_ratio = 0.0, .memory = 0}.solve(problem, r).converged()));
}

TEST(Apgd, SolvesCoulombAndNotItsConvexRelaxation) {  // in which a sliding contact takes off: u_N = mu |u_T|
    Eigen::Matrix3d W{{2.0, 0.3, 0.0}, {0.3, 1.5, 0.2}, {0.0, 0.2, 1.0}};
    const FrictionProblem problem{
        BlockMatrix(Matrix(W), 3), Eigen::Vector3d(-1.0, 3.0, 1.0), Eigen::VectorXd::Constant(1, 0.5), {}};
    Eigen::VectorXd r = Eigen::Vector3d::Zero();
    ASSERT_TRUE(Apgd{}.solve(problem, r).converged());
    const Eigen::Vector3d u = W * r + problem.q;
    EXPECT_GT(u.tail<2>().norm(), 1.0) << "slides";
    EXPECT_NEAR(u[0], 0.0, 1e-7) << "and stays in contact";
}

}  // namespace
}  // namespace saltus::one_step
