#include "saltus/complementarity/one_step/global.hpp"

#include <gtest/gtest.h>

#include "saltus/core/dense.hpp"
#include "support/random_friction.hpp"

namespace saltus {
namespace {

using testing::Random;

// `bodies` of `rows` velocities each, masses dense within a body; each contact joins two bodies, or one to the ground.
GlobalFrictionProblem random_bodies(int dimension, Index bodies, Index rows, Index contacts, Random& random) {
    const Index n = bodies * rows;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), H = Eigen::MatrixXd::Zero(n, dimension * contacts);
    for (Index k = 0; k < bodies; ++k)
        M.block(k * rows, k * rows, rows, rows) =
            random.matrix(rows, rows) + 3.0 * Eigen::MatrixXd::Identity(rows, rows);  // not symmetric
    for (Index i = 0; i < contacts; ++i) {
        const Index a = random.integer(0, bodies - 1), b = random.integer(0, bodies - 1);
        H.block(a * rows, i * dimension, rows, dimension) = random.matrix(rows, dimension);
        if (b != a) H.block(b * rows, i * dimension, rows, dimension) = random.matrix(rows, dimension);
    }
    GlobalFrictionProblem problem{M, H, random.vector(n), random.vector(H.cols()), random.vector(contacts, 0.0, 1.0),
                                  {}};
    if (dimension == 5) problem.rolling = random.vector(contacts, 0.0, 0.3);
    return problem;
}

Matrix shuffled_rows(const Matrix& matrix, const IndexList& order, bool columns_too) {
    IndexList all(static_cast<std::size_t>(matrix.cols()));
    for (Index j = 0; j < matrix.cols(); ++j) all[j] = j;
    return matrix.block(order, columns_too ? order : all);
}

TEST(GlobalFriction, ReducesToHtMinvH) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        Random random(seed);
        const int d = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 3 : 5;
        const GlobalFrictionProblem problem =
            random_bodies(d, random.integer(1, 5), random.integer(1, 6), random.integer(1, 6), random);
        const Eigen::MatrixXd M = problem.M.to_dense(), H = problem.H.to_dense();
        for (const bool sparse : {false, true}) {
            GlobalFrictionProblem stored = problem;
            if (sparse) stored.M = problem.M.to_sparse(), stored.H = problem.H.to_sparse();
            const Reduction reduction = reduce(stored);
            const Eigen::MatrixXd inverse = saltus::inverse(M);
            EXPECT_LE((reduction.local.W.to_dense() - H.transpose() * inverse * H).norm(), 1e-11);
            EXPECT_LE((reduction.local.q - H.transpose() * inverse * problem.f - problem.b).norm(), 1e-11);
            const Eigen::VectorXd r = random.vector(H.cols());
            EXPECT_LE((M * reduction.velocity(r) - H * r - problem.f).norm(), 1e-11);
        }
    }
}

TEST(GlobalFriction, FindsBodiesWhoseRowsAreScattered) {
    Random random(7);
    GlobalFrictionProblem problem = random_bodies(3, 4, 6, 5, random);
    IndexList order(24);
    for (Index i = 0; i < 24; ++i) order[i] = i % 4 * 6 + i / 4;
    const Reduction expected = reduce(problem);
    problem.M = shuffled_rows(problem.M, order, true);
    problem.H = shuffled_rows(problem.H, order, false);
    problem.f = Eigen::VectorXd(problem.f(order));
    const Reduction found = reduce(problem);
    EXPECT_EQ(found.mass.components(), 4);
    EXPECT_LE((found.local.W.to_dense() - expected.local.W.to_dense()).norm(), 1e-12);
    EXPECT_LE((found.local.q - expected.local.q).norm(), 1e-12);
}

TEST(GlobalFriction, KeepsABlockOnlyWhereContactsShareABody) {  // a chain: ground - 0 - 1 - 2 - ... - 9
    constexpr Index bodies = 10;
    Random random(3);
    Matrix::Sparse M(6 * bodies, 6 * bodies), H(6 * bodies, 3 * bodies);
    for (Index i = 0; i < M.rows(); ++i) M.insert(i, i) = random.uniform(1.0, 2.0);
    for (Index i = 0; i < bodies; ++i)
        for (int c = 0; c < 3; ++c)
            for (Index row = i == 0 ? 0 : 6 * (i - 1); row < 6 * (i + 1); ++row)
                H.insert(row, 3 * i + c) = random.uniform();
    const GlobalFrictionProblem problem{
        M, H, random.vector(6 * bodies), random.vector(3 * bodies), Eigen::VectorXd::Constant(bodies, 0.3), {}};
    const Reduction reduction = reduce(problem);
    EXPECT_EQ(reduction.mass.components(), 6 * bodies);
    EXPECT_EQ(reduction.local.W.stored_blocks(), bodies + 2 * (bodies - 1));
    // With a diagonal mass the estimate of the diagonal of W is exact, and both forms have the same rho.
    const FrictionProblem uncoupled = uncoupled_contacts(problem);
    EXPECT_NEAR(OneStepView(uncoupled).rho() / OneStepView(reduction.local).rho(), 1.0, 1e-14);
}

TEST(GlobalFriction, FactorsALargeSparseComponent) {  // a string of 200 masses, held at its ends
    constexpr Index n = 200;
    Matrix::Sparse M(n, n), H(n, 4);
    for (Index i = 0; i < n; ++i) {
        M.insert(i, i) = 2.1;
        if (i > 0) M.insert(i, i - 1) = M.insert(i - 1, i) = -1.0;
    }
    H.insert(10, 0) = H.insert(11, 1) = H.insert(150, 2) = H.insert(151, 3) = 1.0;
    const GlobalFrictionProblem problem{
        M, H, Eigen::VectorXd::Ones(n), Eigen::VectorXd::Zero(4), Eigen::Vector2d(0.1, 0.2), {}};
    const Reduction reduction = reduce(problem);
    EXPECT_EQ(reduction.mass.components(), 1);
    const Eigen::MatrixXd expected =
        Eigen::MatrixXd(H).transpose() * saltus::inverse(Eigen::MatrixXd(M)) * Eigen::MatrixXd(H);
    EXPECT_LE((reduction.local.W.to_dense() - expected).norm(), 1e-13);
}

TEST(GlobalFriction, TheResidualIsZeroAtASolutionAndSeesBothEquations) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const int d = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 3 : 5;
        GlobalFrictionProblem problem = random_bodies(d, 3, 6, 4, random);
        auto [local, r, u] = testing::random_friction(testing::DelassusClass::symmetric, d, 4, random);
        problem.mu = local.mu;
        problem.rolling = local.rolling;
        const Eigen::VectorXd v = random.vector(18);
        problem.f = problem.M * v - problem.H * r;
        problem.b = u - problem.H.transpose() * v;
        EXPECT_LE(residual(problem, v, r), 1e-14);
        EXPECT_GE(residual(problem, v + 1e-3 * random.vector(18), r), 1e-5) << "M v = H r + f";
        problem.b += 1e-3 * random.vector(problem.b.size());
        EXPECT_GE(residual(problem, v, r), 1e-6) << "the law";
    }
}

TEST(GlobalFriction, TheResidualDoesNotDependOnUnits) {
    Random random(5);
    const GlobalFrictionProblem problem = random_bodies(3, 3, 6, 4, random);
    const Eigen::VectorXd v = random.vector(18), r = random.vector(12);
    GlobalFrictionProblem scaled = problem;  // grams and milliseconds for kilograms and seconds: f and r by 1e6
    scaled.M = Matrix(1e3 * problem.M.dense());
    scaled.f *= 1e6;
    scaled.b *= 1e3;
    EXPECT_NEAR(residual(scaled, 1e3 * v, 1e6 * r), residual(problem, v, r), 1e-14);
}

// What a solver looks like, for solve_global: writes the answer it was given.
struct Told {
    static constexpr std::string_view name = "told", problem_class = "test";
    double tolerance = 1e-8;
    int max_iterations = 1;
    Eigen::VectorXd answer, refined;  // the second where more than the default tolerance is asked for
    History history{};

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const {
        r = tolerance < 1e-8 ? refined : answer;
        return conclude(problem, r, tolerance, {.iterations = 1, .solver = name});
    }
};

TEST(GlobalFriction, SolveGlobalConfirmsWithTheGlobalResidual) {
    Random random(2);
    GlobalFrictionProblem problem = random_bodies(3, 2, 6, 2, random);
    auto [local, r, u] = testing::random_friction(testing::DelassusClass::symmetric, 3, 2, random);
    problem.mu = local.mu;
    const Eigen::VectorXd expected_v = random.vector(12);
    problem.f = problem.M * expected_v - problem.H * r;
    problem.b = u - problem.H.transpose() * expected_v;
    Eigen::VectorXd v, found;
    SolveReport report = solve_global(Told{.answer = r, .refined = r}, problem, v, found);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LE((v - expected_v).norm(), 1e-12);
    report = solve_global(Told{.answer = 1.5 * r, .refined = r}, problem, v, found);
    EXPECT_FALSE(report.converged());
    EXPECT_GT(report.residual, 1e-3);
}

std::string message_of(const GlobalFrictionProblem& problem) {
    try {
        reduce(problem);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "no exception";
}

TEST(GlobalFriction, RefusesWhatCannotBeReduced) {
    Random random(1);
    const GlobalFrictionProblem good = random_bodies(3, 2, 3, 2, random);
    GlobalFrictionProblem bad = good;
    Eigen::MatrixXd M = good.M.dense();
    M.bottomRightCorner(3, 3).setConstant(1.0);
    bad.M = M;
    EXPECT_EQ(message_of(bad),
              "M is singular: the 3 rows connected to row 3 cannot be inverted; give every unknown velocity a mass");
    bad.M = Matrix(Matrix::Sparse(6, 6));
    EXPECT_EQ(message_of(bad),
              "M is singular: the 1 row connected to row 0 cannot be inverted; give every unknown velocity a mass");
    bad = good;
    bad.f.resize(5);
    EXPECT_EQ(message_of(bad), "GlobalFrictionProblem: M is 6 x 6 but f has 5 entries; M must be 5 x 5");
    bad = good;
    bad.H = Matrix(Eigen::MatrixXd(6, 5));
    EXPECT_EQ(message_of(bad), "GlobalFrictionProblem: H is 6 x 5; M and b ask for 6 x 6");
    bad = good;
    bad.mu[1] = -0.5;
    EXPECT_EQ(message_of(bad), "GlobalFrictionProblem: mu[1] is -0.5; it must be a number, zero or more");
    bad = good;
    bad.b[2] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message_of(bad), "GlobalFrictionProblem: b[2] is nan; every entry must be a finite number");
}

}  // namespace
}  // namespace saltus
