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
// may be zero. Terms without F are left out; if nothing remains, G is empty, that is, absent.
Function combination(const Matrix::Sparse& linear, const Eigen::VectorXd& constant, std::vector<FunctionTerm> terms);

// Places the entries of a shorter vector in one of `rows` entries: ones at (places[k], k).
Matrix::Sparse placing(Index rows, const IndexList& places);

}  // namespace saltus
