#pragma once

#include <variant>

#include "saltus/complementarity/nonlinear/newton_josephy.hpp"
#include "saltus/complementarity/nonlinear/projection_methods.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/complementarity/solver_list.hpp"

namespace saltus {

// The solvers of Ncp and Mcp, and those of Vi; the first is the default. Python reads their names from here.
using McpSolverChoice = std::variant<NewtonJosephy, SemismoothNewton>;
using ViSolverChoice = std::variant<ExtraGradient, FixedPointProjection, HyperplaneProjection>;

}  // namespace saltus
