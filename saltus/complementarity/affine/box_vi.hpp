#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// Affine variational inequality on a box, bounds possibly infinite:                    docs/theory.md (3)
//     -(M z + q) in N_[lower, upper](z),
// that is, with w = M z + q: w_i >= 0 where z_i = lower_i, w_i <= 0 where z_i = upper_i, w_i = 0 between.
// Relays: lower = -1, upper = 1. Its residual is that of AffineBox.
struct BoxVi {
    Matrix M;
    Eigen::VectorXd q, lower, upper;
};

}  // namespace saltus
