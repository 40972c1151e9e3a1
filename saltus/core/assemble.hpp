#pragma once

#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus {

// factor M (or factor M') with its first entry at (row, col) of a larger matrix. Refers to M.
struct MatrixBlock {
    Index row = 0;
    Index col = 0;
    const Matrix& matrix;
    double factor = 1.0;
    bool transposed = false;
};

enum class Storage { dense, sparse };
inline Storage storage_of(const Matrix& matrix) { return matrix.is_sparse() ? Storage::sparse : Storage::dense; }

// The sum of the blocks, each in its place, zero elsewhere.
Matrix assemble(Index rows, Index cols, Storage storage, const std::vector<MatrixBlock>& blocks);

// rows x cols, sparse, with ones at (ones[k].first, ones[k].second).
Matrix selection(Index rows, Index cols, const std::vector<std::pair<Index, Index>>& ones);

// diag(d), sparse.
Matrix diagonal_matrix(const Eigen::VectorXd& d);

}  // namespace saltus
