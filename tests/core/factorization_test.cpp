#include "saltus/core/factorization.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

// |M x - b|_inf with x from the factorization, dense or sparse.
double error_of_solve(const Factorization& factorization, const Matrix& M) {
    const Eigen::VectorXd b = Random(7).vector(M.rows());
    Eigen::VectorXd x = b;
    factorization.solve_in_place(x);
    return M.rows() == 0 ? 0.0 : (M * x - b).lpNorm<Eigen::Infinity>();
}

Matrix as_sparse(const Eigen::MatrixXd& M) { return Matrix(M).to_sparse(); }

class EitherStorage : public ::testing::TestWithParam<bool> {
protected:
    Matrix stored(const Eigen::MatrixXd& M) const { return GetParam() ? as_sparse(M) : Matrix(M); }
};
INSTANTIATE_TEST_SUITE_P(Factorization, EitherStorage, ::testing::Bool(),
                         [](const auto& storage) { return storage.param ? "sparse" : "dense"; });

TEST_P(EitherStorage, SolvesAndUsesCholeskyExactlyForSymmetricPositiveDefinite) {
    Factorization factorization;
    for (const MatrixClass kind :
         {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite, MatrixClass::arbitrary}) {
        for (const Index n : {1, 2, 7, 60, 200}) {
            Random random(static_cast<unsigned>(n));
            const Matrix M = stored(random_matrix(kind, n, random));
            ASSERT_TRUE(factorization.compute(M));
            EXPECT_LT(error_of_solve(factorization, M), 1e-9);
            const bool symmetric = kind == MatrixClass::symmetric_positive_definite || (n == 1 && M(0, 0) > 0.0);
            EXPECT_EQ(factorization.is_positive_definite(), symmetric);
        }
    }
}

TEST_P(EitherStorage, SolvesSymmetricIndefiniteByLu) {
    const Eigen::MatrixXd M{{1.0, 2.0, 0.0}, {2.0, 1.0, 0.0}, {0.0, 0.0, 3.0}};  // eigenvalues -1, 3, 3
    Factorization factorization;
    ASSERT_TRUE(factorization.compute(stored(M)));
    EXPECT_FALSE(factorization.is_positive_definite());
    EXPECT_LT(error_of_solve(factorization, stored(M)), 1e-14);
    ASSERT_TRUE(factorization.compute(stored(Eigen::Matrix2d{{0.0, 1.0}, {1.0, 0.0}})));  // zero diagonal
    EXPECT_LT(error_of_solve(factorization, stored(Eigen::Matrix2d{{0.0, 1.0}, {1.0, 0.0}})), 1e-15);
}

TEST_P(EitherStorage, ReportsSingularMatrices) {
    Factorization factorization;
    EXPECT_FALSE(factorization.compute(stored(Eigen::MatrixXd::Zero(1, 1))));
    EXPECT_FALSE(factorization.compute(stored(Eigen::MatrixXd::Zero(3, 3))));
    EXPECT_FALSE(factorization.compute(stored(Eigen::Matrix2d{{1.0, 1.0}, {1.0, 1.0}})));
    EXPECT_FALSE(factorization.compute(stored(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 4.0}})));
    EXPECT_FALSE(factorization.compute(stored(Eigen::Matrix2d{{0.0, 1.0}, {0.0, 1.0}})));  // structurally singular
    EXPECT_FALSE(factorization.compute(stored(Eigen::Matrix3d{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})));
    Random random(3);
    const Eigen::MatrixXd A = random.matrix(20, 12);
    EXPECT_FALSE(factorization.compute(stored(A * A.transpose())));                       // rank 12 of 20
    EXPECT_FALSE(factorization.compute(stored(A * random.matrix(12, 20))));               // and not symmetric
    ASSERT_TRUE(factorization.compute(stored(Eigen::Matrix2d{{2.0, 0.0}, {0.0, 4.0}})));  // and recovers
}

TEST_P(EitherStorage, BadScalingIsNotSingularity) {
    const Eigen::VectorXd scale = Eigen::Vector3d(1e-9, 1.0, 1e9);
    const Eigen::Matrix3d M{{2.0, -1.0, 0.0}, {-1.0, 2.0, -1.0}, {0.0, -1.0, 2.0}};
    Factorization factorization;
    EXPECT_TRUE(factorization.compute(stored(scale.asDiagonal() * M * scale.asDiagonal())));
    EXPECT_TRUE(factorization.compute(stored(scale.asDiagonal() * M)));
}

TEST_P(EitherStorage, BlockIsTheBlock) {
    Random random(5);
    const IndexList A{1, 2, 5, 9, 3};
    for (const MatrixClass kind : {MatrixClass::symmetric_positive_definite, MatrixClass::positive_definite}) {
        const Matrix M = stored(random_matrix(kind, 10, random));
        Factorization factorization;
        ASSERT_TRUE(factorization.compute_block(M, A));
        EXPECT_EQ(factorization.is_positive_definite(), kind == MatrixClass::symmetric_positive_definite);
        EXPECT_LT(error_of_solve(factorization, M.block(A, A)), 1e-12);
        ASSERT_TRUE(factorization.compute_block(M, A, Factorization::Symmetry::unknown, 0.5));
        EXPECT_LT(error_of_solve(factorization, M.block(A, A).plus_diagonal(Eigen::VectorXd::Constant(5, 0.5))), 1e-12);
        EXPECT_TRUE(factorization.compute_block(M, {}));
    }
}

TEST_P(EitherStorage, SamePatternWithOtherValuesIsFactoredAnew) {
    const Eigen::Matrix2d first{{2.0, 1.0}, {1.0, 2.0}}, second{{5.0, 1.0}, {1.0, 3.0}}, third{{1.0, 3.0}, {4.0, 1.0}};
    Factorization factorization;
    for (const Eigen::Matrix2d& M : {first, second, third, first}) {
        ASSERT_TRUE(factorization.compute(stored(M)));
        EXPECT_LT(error_of_solve(factorization, stored(M)), 1e-15);
    }
}

TEST_P(EitherStorage, MovedFromCanBeComputedAgain) {
    Factorization first;
    ASSERT_TRUE(first.compute(stored(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}})));
    Factorization second = std::move(first);
    EXPECT_LT(error_of_solve(second, stored(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}})), 1e-15);
    EXPECT_FALSE(first.is_positive_definite());
    ASSERT_TRUE(first.compute(stored(Eigen::Matrix2d{{3.0, 1.0}, {0.0, 2.0}})));
    EXPECT_LT(error_of_solve(first, stored(Eigen::Matrix2d{{3.0, 1.0}, {0.0, 2.0}})), 1e-15);
}

TEST(Factorization, NothingToFactor) {
    Factorization factorization;
    EXPECT_TRUE(factorization.compute(Matrix(Eigen::MatrixXd(0, 0))));
    EXPECT_TRUE(factorization.compute(Matrix(Matrix::Sparse(0, 0))));
    Eigen::VectorXd nothing(0);
    factorization.solve_in_place(nothing);
    EXPECT_EQ(nothing.size(), 0);
}

TEST(Factorization, KnowsTheSignOfTheDeterminant) {
    int negative = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Index n = random.integer(1, 9);
        Eigen::MatrixXd M = random.matrix(n, n);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                if (i != j && random.coin(0.4)) M(i, j) = 0.0;
        const int expected = M.determinant() > 0.0 ? 1 : -1;
        negative += expected < 0;
        for (const Matrix& matrix : {Matrix(M), Matrix(Matrix(M).to_sparse())}) {
            Factorization factorization;
            ASSERT_TRUE(factorization.compute(matrix));
            EXPECT_EQ(factorization.determinant_sign(), expected) << "seed " << seed;
        }
    }
    EXPECT_GT(negative, 5);
    Factorization cholesky;
    ASSERT_TRUE(cholesky.compute(Matrix(Eigen::MatrixXd::Identity(3, 3))));
    EXPECT_EQ(cholesky.determinant_sign(), 1);
}

}  // namespace
}  // namespace saltus
