#pragma once

#include <vector>

#include "saltus/complementarity/one_step/block_equation.hpp"
#include "saltus/complementarity/one_step/lorentz_cone.hpp"

namespace saltus::one_step {

// One second-order cone constraint s = G r_i + h in L of a block i.
struct ConeConstraint {
    Index block = 0;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, BlockMatrix::largest_block> G;
    lorentz::Vector h;
};

// A law as second-order cones: r_i in K_i where s = G r_i + h in L for all constraints of block i and the rows that are
// `fixed` keep the value of `interior`; -dual(u_i) in N_K(r_i) where dual(u_i) = sum G' y with y in L, y o s = 0.
// Friction takes one cone per disk, G r = (mu_k r_N, r_k): rolling friction is the intersection of two.
// An interval takes one per finite bound, an equality none.                                         docs/theory.md (86)
struct ConeForm {
    std::vector<ConeConstraint> constraints;
    std::vector<bool> fixed;   // rows: r_T where mu = 0, intervals of one point
    Eigen::VectorXd interior;  // strictly inside K except for the fixed rows, of the size `scale`
};
ConeForm cone_form(const OneStepView& problem, double scale);

}  // namespace saltus::one_step
