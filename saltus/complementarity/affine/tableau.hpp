#pragma once

#include <Eigen/Core>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Block principal pivoting for a small dense LCP on its condensed tableau, on the stack: nothing is allocated, and a
// pivot costs 2 n^2 operations. Does what PrincipalPivoting does at any size, for problems of a few contacts or diodes
// that are solved a million times.
//
// The tableau is the principal pivot transform of [M q]:  x_basic = T x_nonbasic + p, where index i is basic with z_i
// or with w_i; every x_nonbasic is zero, so that p >= 0 is the solution.                docs/theory.md (60)-(62)
inline constexpr Index tableau_capacity = 32;

// Solves for z, whose positive entries choose the first basis, for P-matrices of at most tableau_capacity rows. Returns
// the number of rounds, or -1 (z untouched) when a pivot is not positive or the rounds do not end. The caller verifies.
int solve_on_tableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, Eigen::VectorXd& z);

}  // namespace saltus
