#include "saltus/core/matrix.hpp"
#include "saltus/core/infinity.hpp"

#include <gtest/gtest.h>

#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

Eigen::MatrixXd with_zeros(Index rows, Index cols, unsigned seed) {
    Random random(seed);
    return random.matrix(rows, cols).unaryExpr([&](double x) { return random.coin(0.4) ? 0.0 : x; });
}

TEST(Matrix, DenseAndSparseAgree) {
    const Eigen::MatrixXd D = with_zeros(6, 4, 1);
    const Matrix dense(D), sparse(D.sparseView());
    ASSERT_FALSE(dense.is_sparse());
    ASSERT_TRUE(sparse.is_sparse());
    EXPECT_EQ(sparse.rows(), 6);
    EXPECT_EQ(sparse.cols(), 4);
    EXPECT_EQ(sparse.to_dense(), D);
    EXPECT_EQ(Matrix(dense.to_sparse()).to_dense(), D);
    EXPECT_EQ(sparse.nonzeros(), (D.array() != 0.0).count());
    EXPECT_EQ(sparse.diagonal(), D.diagonal());
    EXPECT_EQ(sparse(3, 2), D(3, 2));
    EXPECT_EQ(sparse.transpose().to_dense(), D.transpose());
}

TEST(Matrix, ProductsAreThoseOfTheEntries) {
    const Eigen::MatrixXd D = with_zeros(6, 4, 2);
    const Eigen::VectorXd x = Random(3).vector(4), y = Random(4).vector(6);
    for (const Matrix& M : {Matrix(D), Matrix(D.sparseView())}) {
        EXPECT_LT((M * x - D * x).norm(), 1e-15);
        Eigen::VectorXd sum = y, transposed = x;
        M.multiply_add(x, sum);
        EXPECT_LT((sum - (y + D * x)).norm(), 1e-15);
        M.transpose_multiply_add(y, transposed);
        EXPECT_LT((transposed - (x + D.transpose() * y)).norm(), 1e-15);
    }
}

TEST(Matrix, BlockTakesRowsAndColumnsInTheOrderGiven) {
    const Eigen::MatrixXd D = with_zeros(6, 5, 5);
    const IndexList rows{4, 0, 3}, cols{2, 4};
    for (const Matrix& M : {Matrix(D), Matrix(D.sparseView())}) {
        EXPECT_EQ(M.block(rows, cols).to_dense(), D(rows, cols));
        EXPECT_EQ(M.block({}, cols).rows(), 0);
        EXPECT_EQ(M.block(rows, cols).is_sparse(), M.is_sparse());
    }
}

TEST(Matrix, PlusDiagonalStoresTheWholeDiagonal) {
    Eigen::MatrixXd D = with_zeros(5, 5, 9);
    D.diagonal().setZero();
    const Eigen::VectorXd d = Random(10).vector(5);
    for (const Matrix& M : {Matrix(D), Matrix(D.sparseView())}) {
        EXPECT_EQ(M.plus_diagonal(d).to_dense(), D + Eigen::MatrixXd(d.asDiagonal()));
        EXPECT_EQ(M.plus_diagonal(d).nonzeros(), M.plus_diagonal(Eigen::VectorXd::Zero(5)).nonzeros());
        EXPECT_EQ(M.largest_entry(), D.cwiseAbs().maxCoeff());
    }
    EXPECT_EQ(Matrix().largest_entry(), 0.0);
}

TEST(Matrix, FindsTheEntryThatIsNotFinite) {
    for (const double bad : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        Eigen::MatrixXd D = with_zeros(5, 5, 6);
        EXPECT_FALSE(Matrix(D).find_non_finite());
        D(3, 1) = bad;
        EXPECT_EQ(Matrix(D).find_non_finite(), (std::pair<Index, Index>{3, 1}));
        EXPECT_EQ(Matrix(Matrix(D).to_sparse()).find_non_finite(), (std::pair<Index, Index>{3, 1}));
    }
    EXPECT_FALSE(Matrix(Eigen::MatrixXd::Constant(9, 9, 1e308)).find_non_finite());  // whose sum overflows
}

TEST(Matrix, SymmetryIsRelativeToTheEntries) {
    Eigen::MatrixXd D = with_zeros(40, 40, 7);
    D = (D + D.transpose()).eval();
    D(38, 3) = D(3, 38) = 2.0;
    EXPECT_TRUE(Matrix(D).is_symmetric());
    EXPECT_TRUE(Matrix(D.sparseView()).is_symmetric());
    D(38, 3) *= 1.0 + 1e-6;
    for (const Matrix& M : {Matrix(D), Matrix(D.sparseView())}) {
        EXPECT_FALSE(M.is_symmetric());
        EXPECT_TRUE(M.is_symmetric(2e-6));
        EXPECT_FALSE(M.is_symmetric(1e-7));
    }
    EXPECT_FALSE(Matrix(with_zeros(3, 4, 8)).is_symmetric());
}

TEST(Matrix, RoundingOfAProductIsForgiven) {  // M_12 = 1e-16 sqrt(M_11 M_22) is zero computed in another order
    const Eigen::Matrix2d M{{1e8, 1e-10}, {0.0, 1e4}}, N{{1e8, 1e-10}, {0.0, 1e-12}};
    EXPECT_TRUE(Matrix(M).is_symmetric(symmetry_rounding));
    EXPECT_FALSE(Matrix(N).is_symmetric(symmetry_rounding));
    EXPECT_TRUE(Matrix(M.sparseView()).is_symmetric(symmetry_rounding));
    EXPECT_FALSE(Matrix(N.sparseView()).is_symmetric(symmetry_rounding));
}

}  // namespace
}  // namespace saltus
