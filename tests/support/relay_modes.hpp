#pragma once

#include <vector>

#include "saltus/complementarity/affine/box_vi.hpp"

namespace saltus::testing {

// All solutions of -(M z + q) in N_[l, u](z) with finite bounds, by trying the 3^n modes: each z_i at its lower bound
// with w_i >= 0, at its upper bound with w_i <= 0, or between with w_i = 0. Modes with a singular system are left out;
// a solution that two modes share comes once.
std::vector<Eigen::VectorXd> solutions_by_modes(const BoxVi& relay, double tolerance = 1e-9);

}  // namespace saltus::testing
