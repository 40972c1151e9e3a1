#pragma once

#include <variant>

#include "saltus/complementarity/projected_gauss_seidel.hpp"
#include "saltus/complementarity/semismooth_newton.hpp"

namespace saltus {

// The solvers of affine problems; the first is the default.
using AffineSolverChoice = std::variant<SemismoothNewton, ProjectedGaussSeidel>;

}  // namespace saltus
