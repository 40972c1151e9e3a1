#pragma once

#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Mixed linear complementarity problem, w = M z + q:                                   docs/theory.md (2)
//     w_i = 0 where free[i] (z_i has any sign);   0 <= z_i  _|_  w_i >= 0 elsewhere.
// Free and complementary variables come in any order. Its residual is that of AffineBox.
struct Mlcp {
    Matrix M;
    Eigen::VectorXd q;
    std::vector<bool> free;
};

}  // namespace saltus
