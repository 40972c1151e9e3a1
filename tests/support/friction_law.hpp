#pragma once

#include "saltus/complementarity/one_step/friction_problem.hpp"

namespace saltus::testing {

// How far r and u = W r + q are from Signorini's condition and Coulomb's law, written without projections and cones:
// the largest of what should be zero or negative. The judge must not be the accused.
double law_violation(const FrictionProblem& problem, const Eigen::VectorXd& r);

}  // namespace saltus::testing
