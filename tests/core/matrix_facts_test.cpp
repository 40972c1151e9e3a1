#include "saltus/core/matrix_facts.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "saltus/core/check.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

TEST(MatrixFacts, RecogniseTheRandomClasses) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        Random random(seed);
        const Index n = random.integer(2, 8);
        const auto matrix = [&](MatrixClass kind) { return Matrix(testing::random_matrix(kind, n, random)); };
        const Matrix definite = matrix(MatrixClass::positive_definite),
                     semidefinite = matrix(MatrixClass::semidefinite);
        EXPECT_TRUE(is_positive_definite(definite));
        EXPECT_EQ(p_matrix(definite).answer, Answer::yes);
        EXPECT_FALSE(is_positive_definite(semidefinite));
        EXPECT_TRUE(is_positive_semidefinite(semidefinite));
        EXPECT_EQ(copositive(semidefinite).answer, Answer::yes);
        EXPECT_EQ(copositive(matrix(MatrixClass::copositive)).answer, Answer::yes);
        EXPECT_TRUE(is_z_matrix(matrix(MatrixClass::z_matrix)));
        EXPECT_EQ(p_matrix(matrix(MatrixClass::p_matrix)).answer, Answer::yes);
        const Matrix m = matrix(MatrixClass::m_matrix);
        EXPECT_TRUE(is_z_matrix(m));
        EXPECT_TRUE(is_m_matrix(m));
        EXPECT_TRUE(is_m_matrix(m.to_sparse()));
    }
}

TEST(MatrixFacts, NameAPrincipalMinorThatIsNotPositive) {
    int refused = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Random random(seed);
        const Eigen::MatrixXd M = random.matrix(6, 6) + 0.8 * Eigen::MatrixXd::Identity(6, 6);
        const PMatrixFact fact = p_matrix(M);
        ASSERT_NE(fact.answer, Answer::unknown);
        double least = std::numeric_limits<double>::infinity();  // every minor, by determinants
        for (unsigned subset = 1; subset < 64; ++subset) {
            IndexList rows;
            for (Index i = 0; i < 6; ++i)
                if (subset >> i & 1) rows.push_back(i);
            least = std::min(least, Eigen::MatrixXd(M(rows, rows)).determinant());
        }
        EXPECT_EQ(fact.answer == Answer::yes, least > 0.0) << "seed " << seed;
        if (fact.answer == Answer::yes) continue;
        ++refused;
        EXPECT_LE(fact.value, 0.0);
        EXPECT_NEAR(Eigen::MatrixXd(M(fact.minor, fact.minor)).determinant(), fact.value, 1e-10);
    }
    EXPECT_GT(refused, 10);
}

TEST(MatrixFacts, NoteNamesTheMinorAndWhatFollows) {
    EXPECT_EQ(solvability_note(Matrix(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 1.0}})),
              "M is not a P-matrix: principal minor {0, 1} is -3; there may be several solutions or none");
    EXPECT_EQ(solvability_note(Matrix(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}})), "");
}

TEST(MatrixFacts, CopositiveIsNotSemidefinite) {
    const Eigen::Matrix2d nonnegative{{1.0, 5.0}, {5.0, 1.0}};  // indefinite, but x'Mx >= 0 for x >= 0
    EXPECT_FALSE(is_positive_semidefinite(nonnegative));
    EXPECT_EQ(copositive(nonnegative).answer, Answer::yes);
    // Horn's matrix: copositive, neither semidefinite nor nonnegative nor a sum of the two; one less is not.
    Eigen::MatrixXd horn(5, 5);
    horn << 1, -1, 1, 1, -1, -1, 1, -1, 1, 1, 1, -1, 1, -1, 1, 1, 1, -1, 1, -1, -1, 1, 1, -1, 1;
    EXPECT_EQ(copositive(horn).answer, Answer::yes);
    const CopositiveFact less = copositive(Matrix(horn - 0.01 * Eigen::MatrixXd::Identity(5, 5)));
    ASSERT_EQ(less.answer, Answer::no);
    EXPECT_GE(less.direction.minCoeff(), 0.0);
    EXPECT_LT(less.direction.dot(horn * less.direction) - 0.01 * less.direction.squaredNorm(), 0.0);
}

TEST(MatrixFacts, NeedASquareMatrix) {
    EXPECT_THROW(is_positive_definite(Eigen::MatrixXd(2, 3)), InvalidInput);
    EXPECT_THROW(p_matrix(Eigen::MatrixXd(2, 3)), InvalidInput);
}

}  // namespace
}  // namespace saltus
