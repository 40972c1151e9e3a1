#pragma once

#include "saltus/model/moving_set.hpp"

namespace saltus {

// Moreau's catching-up algorithm for the sweeping process x' in F(x, t) - N_K(t)(x), F = A x + b(t) + f(x, t):
//     x_(k+1) = P_K(t_(k+1))(x_k + h F(x_k, t_k)).                                                 docs/theory.md (143)
// Returns the states, one per column: x0, and `steps` more. Without F these are the steps of EulerMoreau, theta = gamma
// = 1, found by a projection in place of a complementarity problem. Throws InvalidInput if the set and the system do
// not fit, the system has a matrix M (whose metric the projection does not know), or K(t) is empty.
Eigen::MatrixXd catch_up(const FirstOrderSystem& system, const MovingSet& set, double t0, double h, Index steps);

}  // namespace saltus
