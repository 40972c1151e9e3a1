#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus {

// A square matrix cut into blocks. Only blocks with an entry are stored, one block row after the other. Block row i and
// block column i have size(i), from 1 to largest_block; sizes may differ. The diagonal block is always stored, first in
// its row: a sweep finds it without a search, and skips it when it sums the others.
class BlockMatrix {
public:
    static constexpr int largest_block = 6;
    using Block = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
    struct Entry {  // adds `values` to block (row, col)
        Index row, col;
        Eigen::MatrixXd values;
    };

    BlockMatrix() = default;
    // Cuts a matrix into blocks of the given sizes, which add up to its rows. Throws InvalidInput if they do not.
    BlockMatrix(const Matrix& matrix, const std::vector<int>& sizes);
    // The same with all blocks of one size.
    BlockMatrix(const Matrix& matrix, int size);
    // The sum of the entries, each of size(row) x size(col).
    BlockMatrix(const std::vector<int>& sizes, const std::vector<Entry>& entries);

    Index rows() const { return starts_.back(); }
    Index blocks() const { return static_cast<Index>(starts_.size()) - 1; }  // block rows
    Index stored_blocks() const { return static_cast<Index>(columns_.size()); }
    Index start(Index i) const { return starts_[static_cast<std::size_t>(i)]; }
    int size(Index i) const { return static_cast<int>(start(i + 1) - start(i)); }
    int uniform_size() const { return uniform_size_; }  // of all blocks; 0 if they differ, or if there are none

    // The columns of the blocks of row i: i itself, then the others in ascending order.
    std::span<const int> columns(Index i) const {
        return std::span(columns_).subspan(first(i), first(i + 1) - first(i));
    }
    // The k-th block of row i, whose column is columns(i)[k].
    Block block(Index i, std::size_t k) const {
        return {&values_[offsets_[first(i) + k]], size(i), size(columns(i)[k]), Eigen::OuterStride<>(stride(size(i)))};
    }
    Block diagonal(Index i) const { return block(i, 0); }

    // y += M x; allocates nothing.
    void multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
    Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
    // The sum over k >= first_block of block(i, k) x_j, j = columns(i)[k], where size(i) is Rows. The columns have size
    // Cols, or any size if Cols is Eigen::Dynamic. first_block = 1 leaves out the diagonal.
    template <int Rows, int Cols>
    Eigen::Matrix<double, Rows, 1> row_product(Index i, const double* x, std::size_t first_block = 0) const;

    // The same if the size of row i is not known at compile time: y_i += the sum.
    void add_row_product(Index i, const double* x, double* y_i, std::size_t first_block = 0) const;

    Matrix::Sparse to_sparse() const;
    Matrix::Dense to_dense() const;

    // The rows and columns of the blocks listed, in that order.
    BlockMatrix principal(const IndexList& blocks) const;

    // The largest |entry| of W - W' over that of W: 0 if W is symmetric.
    double asymmetry() const;

private:
    // Columns of blocks start at multiples of `stride` doubles: three rows are padded to the four of a register.
    static constexpr int stride(int rows) { return rows == 3 ? 4 : rows; }
    std::size_t first(Index i) const { return row_begin_[static_cast<std::size_t>(i)]; }
    void set_sizes(const std::vector<int>& sizes);
    // Lays out the pattern: for each row of blocks its columns, sorted, without the diagonal.
    void lay_out(std::vector<std::vector<int>>& pattern);
    double* block_values(Index i, Index j);

    std::vector<Index> starts_{0};           // first scalar row of each row of blocks, and the number of rows
    std::vector<std::size_t> row_begin_{0};  // first stored block of each row of blocks
    std::vector<int> columns_;
    std::vector<std::size_t> offsets_;  // of each stored block in values_
    std::vector<double> values_;
    int uniform_size_ = 0;
};

template <int Rows, int Cols>
Eigen::Matrix<double, Rows, 1> BlockMatrix::row_product(Index i, const double* x, std::size_t first_block) const {
    constexpr int lanes = stride(Rows);
    Eigen::Matrix<double, lanes, 1> sum = Eigen::Matrix<double, lanes, 1>::Zero();
    using Column = Eigen::Map<const Eigen::Matrix<double, lanes, 1>>;
    for (std::size_t k = first(i) + first_block, end = first(i + 1); k < end; ++k) {
        const int j = columns_[k];
        const double* values = &values_[offsets_[k]];
        if constexpr (Cols == Eigen::Dynamic) {
            const double* x_j = x + start(j);
            for (int c = 0; c < size(j); ++c) sum += Column(values + c * lanes) * x_j[c];
        } else {
            const double* x_j = x + Index{j} * Cols;
            for (int c = 0; c < Cols; ++c) sum += Column(values + c * lanes) * x_j[c];
        }
    }
    return sum.template head<Rows>();
}

}  // namespace saltus
