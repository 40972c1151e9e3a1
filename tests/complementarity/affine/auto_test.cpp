#include "saltus/complementarity/affine/auto.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "saltus/complementarity/affine/enumeration.hpp"
#include "saltus/complementarity/affine/infeasibility.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

struct Draw {
    MatrixClass kind;
    Random random;
    Index n;
};

Draw draw(Index most) {
    const auto kind = *rc::gen::elementOf(
        std::vector<MatrixClass>(std::begin(testing::all_matrix_classes), std::end(testing::all_matrix_classes)));
    return {kind, Random(*rc::gen::arbitrary<unsigned>()), *rc::gen::inRange<Index>(1, most + 1)};
}

TEST(Auto, SolvesEveryLcpOfAProcessedClassThatHasASolution) {
    EXPECT_TRUE(rc::check([] {
        auto [kind, random, n] = draw(60);
        RC_PRE(kind != MatrixClass::arbitrary);
        const Lcp problem = testing::lcp_with_solution(testing::random_matrix(kind, n, random), random, 0.2);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Auto{}.solve(problem, z);
        RC_LOG() << "class " << static_cast<int>(kind) << ", n " << n << ": " << report.message << '\n';
        RC_ASSERT(report.converged());
        RC_ASSERT(z.cwiseMin(problem.M * z + problem.q).lpNorm<Eigen::Infinity>() <=
                  1e-10 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>()));
    }));
}

TEST(Auto, AgreesWithEnumerationWhetherASmallProblemHasASolution) {
    EXPECT_TRUE(rc::check([] {
        auto [kind, random, n] = draw(7);
        const Eigen::MatrixXd M = testing::random_matrix(kind, n, random);
        const Lcp problem{M, random.vector(n)};
        const bool solvable = !Enumeration{}.solve_all(problem).empty();
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Auto{}.solve(problem, z);
        RC_ASSERT(report.status == (solvable ? SolveStatus::converged : SolveStatus::no_solution));
        if (report.certificate.size() > 0) RC_ASSERT(proves_infeasibility(problem, report.certificate));
    }));
}

TEST(Auto, SolvesEveryRelayProblemWhateverTheMatrix) {  // a bounded box: a solution always exists
    EXPECT_TRUE(rc::check([] {
        auto [kind, random, n] = draw(40);
        const BoxVi problem{testing::random_matrix(kind, n, random), random.vector(n, -3.0, 3.0),
                            Eigen::VectorXd::Constant(n, -1.0), Eigen::VectorXd::Ones(n)};
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        const SolveReport report = Auto{}.solve(problem, z);
        RC_LOG() << "class " << static_cast<int>(kind) << ", n " << n << ": " << report.message << '\n';
        RC_ASSERT(report.converged());
    }));
}

TEST(Auto, SaysWhatItTriedAndWhatIsKnownOfM) {
    // Seven copies of a feasible LCP without solution: too many placements to enumerate, and no Farkas certificate.
    const Index copies = 7;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2 * copies, 2 * copies);
    for (Index k = 0; k < copies; ++k) M.block(2 * k, 2 * k, 2, 2) << -3.0, 1.0, -3.0, 2.0;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(2 * copies);
    const SolveReport report = Auto{}.solve(Lcp{M, Eigen::VectorXd::Constant(2 * copies, -3.0)}, z);
    EXPECT_FALSE(report.converged());
    EXPECT_NE(report.status, SolveStatus::no_solution);
    EXPECT_NE(report.message.find("tried pdas ("), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("principal minor {0} is -3"), std::string::npos) << report.message;
}

TEST(Auto, ProvesNothingAgainstAPlantedSolution) {  // singular free blocks, powers of two as units, integer data
    EXPECT_TRUE(rc::check([] {
        Random random(*rc::gen::arbitrary<unsigned>());
        const Index n = *rc::gen::inRange<Index>(1, 7);
        Eigen::MatrixXd M = Eigen::MatrixXd::NullaryExpr(n, n, [&](Index, Index) { return random.integer(-3, 3); });
        if (random.coin()) M.row(random.integer(0, n - 1)) = M.row(random.integer(0, n - 1)).eval();
        Eigen::VectorXd z(n), w(n), lower(n), upper(n), rows(n), columns(n);
        for (Index i = 0; i < n; ++i) {
            rows[i] = std::exp2(random.integer(-10, 10));
            columns[i] = std::exp2(random.integer(-10, 10));
            lower[i] = random.coin(0.3) ? -std::numeric_limits<double>::infinity() : random.integer(-2, 0) / columns[i];
            upper[i] = random.coin(0.5) ? std::numeric_limits<double>::infinity() : random.integer(0, 2) / columns[i];
            z[i] = Interval{lower[i], upper[i]}.project(random.integer(-3, 3) / columns[i]);
            w[i] = rows[i] * (z[i] == lower[i] ? random.integer(0, 2) : z[i] == upper[i] ? -random.integer(0, 2) : 0);
        }
        M = rows.asDiagonal() * M * columns.asDiagonal();
        const BoxVi problem{M, w - M * z, lower, upper};
        Eigen::VectorXd found = Eigen::VectorXd::Zero(n);
        const SolveReport report = Auto{}.solve(problem, found);
        RC_LOG() << to_string(report.status) << ": " << report.message << '\n';
        RC_ASSERT(report.status != SolveStatus::no_solution);
        RC_ASSERT(!report.converged() || report.message.empty());
    }));
}

TEST(Auto, GivesUpOnALargeSparseProblemWithoutADenseCopy) {
    const Index n = 20000;
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < n; ++i) {
        entries.emplace_back(i, i, 1.0);
        entries.emplace_back(i, (i + 1) % n, -2.0);
    }
    Matrix::Sparse M(n, n);
    M.setFromTriplets(entries.begin(), entries.end());
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    EXPECT_FALSE(
        Auto{}.solve(Lcp{M, -Eigen::VectorXd::Ones(n)}, z).converged());  // w = z_i - 2 z_(i+1) - 1: infeasible
}

TEST(Auto, IsIndifferentToTheUnitsOfM) {
    for (const double scale : {1e-12, 1e-6, 1.0, 1e6, 1e12}) {
        Random random(5);
        const Index n = 12;
        const Eigen::MatrixXd M = testing::random_matrix(MatrixClass::positive_definite, n, random);
        const Eigen::VectorXd q = random.vector(n);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n), reference = z;
        Auto{}.solve(Lcp{M, q}, reference);
        const SolveReport report = Auto{}.solve(Lcp{scale * M, q}, z);
        EXPECT_TRUE(report.converged()) << "scale " << scale << ": " << report.message;
        EXPECT_NEAR((scale * z - reference).lpNorm<Eigen::Infinity>(), 0.0, 1e-9);
    }
}

TEST(Auto, StartsFromTheActiveSetOfItsGuess) {
    Random random(7);
    const Index n = 100;
    const Eigen::MatrixXd M = testing::random_matrix(MatrixClass::symmetric_positive_definite, n, random);
    Lcp problem = testing::lcp_with_solution(M, random);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    ASSERT_TRUE(Auto{}.solve(problem, z).converged());
    problem.q += 1e-4 * random.vector(n);
    const SolveReport report = Auto{}.solve(problem, z);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 1);
}

}  // namespace
}  // namespace saltus
