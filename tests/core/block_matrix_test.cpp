#include "saltus/core/block_matrix.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "support/allocations.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

// Half of the blocks zero, the diagonal sometimes too.
Eigen::MatrixXd random_blocks(const std::vector<int>& sizes, Random& random) {
    Index n = 0;
    for (const int size : sizes) n += size;
    Eigen::MatrixXd M = random.matrix(n, n);
    Index row = 0;
    for (const int rows : sizes) {
        Index col = 0;
        for (const int cols : sizes) {
            if (random.coin()) M.block(row, col, rows, cols).setZero();
            col += cols;
        }
        row += rows;
    }
    return M;
}

std::vector<int> random_sizes(Random& random) {
    std::vector<int> sizes(static_cast<std::size_t>(random.integer(1, 8)));
    const bool is_uniform = random.coin();
    for (int& size : sizes) size = is_uniform ? 3 : static_cast<int>(random.integer(1, 6));
    return sizes;
}

TEST(BlockMatrix, AgreesWithTheDenseMatrix) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const std::vector<int> sizes = random_sizes(random);
        const Eigen::MatrixXd M = random_blocks(sizes, random);
        for (const BlockMatrix& W : {BlockMatrix(M, sizes), BlockMatrix(Matrix(M).to_sparse(), sizes)}) {
            EXPECT_EQ(W.to_dense(), M);
            EXPECT_EQ(Eigen::MatrixXd(W.to_sparse()), M);
            const Eigen::VectorXd x = random.vector(M.rows());
            EXPECT_LE((W * x - M * x).norm(), 1e-13);
            for (Index i = 0; i < W.blocks(); ++i) {
                EXPECT_EQ(W.columns(i)[0], i);
                EXPECT_EQ(W.diagonal(i), M.block(W.start(i), W.start(i), W.size(i), W.size(i)));
                Eigen::VectorXd others =
                    M.middleRows(W.start(i), W.size(i)) * x - W.diagonal(i) * x.segment(W.start(i), W.size(i));
                Eigen::VectorXd sum = Eigen::VectorXd::Zero(W.size(i));
                W.add_row_product(i, x.data(), sum.data(), 1);
                EXPECT_LE((sum - others).norm(), 1e-13);
            }
        }
    }
}

TEST(BlockMatrix, SumsEntriesGivenTwice) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Constant(2, 3, 1.5);
    const BlockMatrix W({2, 3}, {{0, 1, a}, {0, 1, a}});
    EXPECT_EQ(W.to_dense().topRightCorner(2, 3), 2.0 * a);
    EXPECT_EQ(W.stored_blocks(), 3);  // two diagonal blocks of zeros
}

TEST(BlockMatrix, PrincipalPartTakesBlocksInTheGivenOrder) {
    Random random(5);
    const std::vector<int> sizes{3, 1, 2, 5};
    const BlockMatrix W(random_blocks(sizes, random), sizes);
    const BlockMatrix part = W.principal({3, 0});
    EXPECT_EQ(part.size(0), 5);
    EXPECT_EQ(part.to_dense().topLeftCorner(5, 5), W.to_dense().bottomRightCorner(5, 5));
    EXPECT_EQ(part.to_dense().topRightCorner(5, 3), W.to_dense().bottomLeftCorner(5, 3));
}

TEST(BlockMatrix, ProductsAllocateNothing) {
    Random random(6);
    const std::vector<int> sizes{3, 1, 2, 5, 3};
    const BlockMatrix W(random_blocks(sizes, random), sizes);
    const Eigen::VectorXd x = random.vector(W.rows());
    Eigen::VectorXd y = x;
    EXPECT_EQ(testing::allocations_in([&] { W.multiply_add(x, y); }), 0);
}

TEST(BlockMatrix, RefusesSizesThatDoNotFit) {
    EXPECT_THROW(BlockMatrix(Eigen::MatrixXd::Zero(4, 4), 3), InvalidInput);
    EXPECT_THROW(BlockMatrix(Eigen::MatrixXd::Zero(4, 4), std::vector<int>{2, 3}), InvalidInput);
    EXPECT_THROW(BlockMatrix(Eigen::MatrixXd::Zero(7, 7), std::vector<int>{7}), InvalidInput);
    EXPECT_THROW(BlockMatrix({1, 1}, {{0, 2, Eigen::MatrixXd::Zero(1, 1)}}), InvalidInput);
    EXPECT_THROW(BlockMatrix({1, 1}, {{0, 1, Eigen::MatrixXd::Zero(2, 1)}}), InvalidInput);
}

}  // namespace
}  // namespace saltus
