#pragma once

#include <Eigen/Core>

#include "saltus/core/matrix.hpp"

namespace saltus {

// The inverse B of a square matrix K that changes by one row or one column at a time: every change costs O(k^2).
// Row j of B belongs to column j of K (an unknown), column i of B to row i of K (an equation). The caller watches the
// accuracy and calls reset() when the inverse has drifted. Memory grows by doubling and is kept.
class UpdatableInverse {
public:
    Index size() const { return size_; }

    // B = K^-1. False if K is singular to working precision; B is then empty.
    bool reset(const Eigen::MatrixXd& K);

    // B as an Eigen block.
    auto matrix() const { return storage_.topLeftCorner(size_, size_); }

    // K's column j becomes a, given u = B a:  B <- E B, where E differs from I in column j only. Pivot u_j.
    void replace_column(Index j, const Eigen::VectorXd& u);

    // K's row i becomes a', given v' = a' B. Pivot v_i.
    void replace_row(Index i, const Eigen::VectorXd& v);

    // K <- [K a; r' d], given u = B a, v' = r' B and the pivot s = d - r' B a (Schur's complement).
    void append(const Eigen::VectorXd& u, const Eigen::VectorXd& v, double s);

    // Deletes row i and column j of K; the last row and the last column take their places. Pivot B_ji.
    void remove(Index i, Index j);

private:
    auto active() { return storage_.topLeftCorner(size_, size_); }
    void reserve(Index size);

    Eigen::MatrixXd storage_;
    Index size_ = 0;
};

}  // namespace saltus
