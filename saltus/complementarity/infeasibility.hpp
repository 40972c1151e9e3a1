#pragma once

#include "saltus/complementarity/affine_box.hpp"

namespace saltus {

// True when v proves that no z satisfies l <= z <= u together with the signs of w = M z + q that the bounds ask for
// (w_i >= 0 with a lower bound only, <= 0 with an upper bound only, = 0 with none): a theorem of the alternative,
// docs/theory.md (24). With v_i of the sign of w_i, and 0 where both bounds are finite, feasible points have v.w >= 0,
// which is impossible if
//     sup { (M'v).z : l <= z <= u } + q.v < 0.
// For an Lcp: v >= 0, M'v <= 0, q.v < 0. Entries of v of the wrong sign are taken as 0; the length of v is indifferent.
// Rounding: an entry of M'v below 1e-9 of its terms counts as 0, the supremum must be below -1e-3 of its terms; so a
// point that v fails to exclude is at least 1e6 times larger than q / M.
bool proves_infeasibility(const AffineBox& problem, const Eigen::VectorXd& v);

// v with the entries set to 0 that proves_infeasibility() ignores, divided by its largest entry.
Eigen::VectorXd recession_part(const AffineBox& problem, const Eigen::VectorXd& v);

}  // namespace saltus
