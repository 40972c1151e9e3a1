#pragma once

#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/model/function.hpp"

namespace saltus {

// L F(J z + j). An empty matrix is the identity, an empty vector zero.
struct FunctionTerm {
    Function F{};
    Matrix::Sparse L{}, J{};
    Eigen::VectorXd j{};
};

// G(z) = linear z + constant + sum_k L_k F_k(J_k z + j_k), with its Jacobian. `linear` gives the sizes of G too, and
// may be zero. Terms without F are left out; where nothing remains G is empty, that is absent.
Function combination(const Matrix::Sparse& linear, const Eigen::VectorXd& constant, std::vector<FunctionTerm> terms);

// Where a vector of `rows` entries takes those of a shorter one: ones at (places[k], k).
Matrix::Sparse placing(Index rows, const IndexList& places);

}  // namespace saltus
