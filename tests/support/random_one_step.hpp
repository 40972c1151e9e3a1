#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

// Random one-step problems. Every function is a pure function of its arguments.
namespace saltus::testing {

// W = H' H with H of `freedoms` rows: of full rank where freedoms >= the rows of W, hyperstatic where fewer. q = H' v,
// so that r = 0, u = 0 is within reach of the velocities and a solution exists.
void fill_random(Random& random, Index freedoms, const std::vector<int>& sizes, BlockMatrix& W, Eigen::VectorXd& q);

// Contacts of dimension 2, 3 or 5 (with rolling friction).
FrictionProblem random_contacts(unsigned seed, Index contacts, int dimension, Index freedoms, double mu);

// One block or more of every law, in random order.
OneStepProblem random_mixture(unsigned seed, Index freedoms);

}  // namespace saltus::testing
