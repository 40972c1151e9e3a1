#include "saltus/complementarity/auto.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "saltus/complementarity/enumeration.hpp"
#include "saltus/complementarity/infeasibility.hpp"
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
    const Lcp problem{-Eigen::MatrixXd::Identity(2, 2), Eigen::Vector2d(-1.0, -1.0)};
    Eigen::VectorXd z = Eigen::Vector2d::Zero();
    const SolveReport report = Auto{}.solve(problem, z);
    EXPECT_EQ(report.status, SolveStatus::no_solution);
    EXPECT_NE(report.message.find("tried "), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("principal minor {0} is -1"), std::string::npos) << report.message;
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
