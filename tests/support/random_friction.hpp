#pragma once

#include <Eigen/Core>

#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "support/random_problems.hpp"

// Random contacts with friction that are known to have a solution. Same seed, same problem.
namespace saltus::testing {

enum class DelassusClass {
    symmetric,       // symmetric positive definite
    skewed,          // positive definite, not symmetric
    rank_deficient,  // H' H with fewer rows than a third of the columns: hyperstatic
};
inline constexpr DelassusClass all_delassus_classes[] = {DelassusClass::symmetric, DelassusClass::skewed,
                                                         DelassusClass::rank_deficient};

// W of the class, q = u - W r of a random state of every contact: a solution exists, and is r.
struct SolvedFriction {
    FrictionProblem problem;
    Eigen::VectorXd r, u;
};

Eigen::MatrixXd random_delassus(DelassusClass kind, Index n, Random& random);
SolvedFriction random_friction(DelassusClass kind, int dimension, Index contacts, Random& random);

}  // namespace saltus::testing
