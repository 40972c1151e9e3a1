#include "saltus/core/assemble.hpp"

namespace saltus {

namespace {

// visit(i, j, value) for the stored entries.
template <class Visit>
void for_each_entry(const Matrix& matrix, Visit visit) {
    if (!matrix.is_sparse()) {
        for (Index j = 0; j < matrix.cols(); ++j)
            for (Index i = 0; i < matrix.rows(); ++i) visit(i, j, matrix.dense()(i, j));
        return;
    }
    for (Index j = 0; j < matrix.cols(); ++j)
        for (Matrix::Sparse::InnerIterator entry(matrix.sparse(), j); entry; ++entry)
            visit(entry.row(), j, entry.value());
}

// visit(i, j, value) for the stored entries of all blocks, i and j in the large matrix.
template <class Visit>
void for_each_entry(const std::vector<MatrixBlock>& blocks, Visit visit) {
    for (const MatrixBlock& block : blocks)
        for_each_entry(block.matrix, [&](Index i, Index j, double value) {
            if (block.transposed) std::swap(i, j);
            visit(block.row + i, block.col + j, block.factor * value);
        });
}

}  // namespace

Matrix assemble(Index rows, Index cols, Storage storage, const std::vector<MatrixBlock>& blocks) {
    if (storage == Storage::dense) {
        Matrix::Dense result = Matrix::Dense::Zero(rows, cols);
        for_each_entry(blocks, [&](Index i, Index j, double value) { result(i, j) += value; });
        return result;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for_each_entry(blocks, [&](Index i, Index j, double value) {
        if (value != 0.0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
    });
    Matrix::Sparse result(rows, cols);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

Matrix selection(Index rows, Index cols, const std::vector<std::pair<Index, Index>>& ones) {
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& [i, j] : ones) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), 1.0);
    Matrix::Sparse result(rows, cols);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

Matrix diagonal_matrix(const Eigen::VectorXd& d) {
    if (d.size() == 0) return Matrix::Sparse(0, 0);  // Eigen 3.4 writes through a null pointer here
    return Matrix::Sparse(d.asDiagonal());
}

}  // namespace saltus
