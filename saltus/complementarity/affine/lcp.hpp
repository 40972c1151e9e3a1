#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// Linear complementarity problem: find z such that                                     docs/theory.md (1)
//     0 <= z,   0 <= w = M z + q,   z.w = 0.
// Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, sec. 1.1. Its residual is that of AffineBox.
struct Lcp {
    Matrix M;
    Eigen::VectorXd q;
};

}  // namespace saltus
