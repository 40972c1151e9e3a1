#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Farkas' certificate: v proves that no z in the box has a slack w = M z + q with the signs that the box demands, hence
// that the problem has no solution.                                                         docs/theory.md (9)
//     v_i >= 0 where only the lower bound is finite (w_i >= 0),  v_i <= 0 where only the upper one is,
//     v_i = 0 where both are,  any v_i where z_i is free (w_i = 0),   and
//     sup { (M'v).z : l <= z <= u } + q.v < 0.
// For an Lcp: v >= 0, M'v <= 0, q.v < 0. Entries of v of the wrong sign are taken as 0; the length of v does not
// matter. An entry of M'v below 1e-11 of the terms that it sums is rounding, and taken as 0.
bool proves_infeasibility(const AffineBox& problem, const Eigen::VectorXd& v);

// v with the entries of the wrong sign set to 0, divided by its largest entry: a certificate to show.
Eigen::VectorXd recession_part(const AffineBox& problem, const Eigen::VectorXd& v);

// Moves an approximate certificate, such as an interior point method has, to the nearest v with the same zeros and with
// (M'v)_i = 0 where it is nearly so, for proves_infeasibility to judge. Dense algebra: v itself if it is large.
Eigen::VectorXd sharpened(const AffineBox& problem, const Eigen::VectorXd& v);

}  // namespace saltus
