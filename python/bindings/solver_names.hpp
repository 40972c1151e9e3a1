#pragma once

#include <vector>

#include "saltus/complementarity/solver_list.hpp"

namespace saltus::python {

// The solvers of each family, the default first, read from the variants where their functions are bound: those headers
// take long to compile.
std::vector<SolverInfo> affine_family();
std::vector<SolverInfo> qp_family();
std::vector<SolverInfo> ncp_family();
std::vector<SolverInfo> vi_family();
std::vector<SolverInfo> friction_family();
std::vector<SolverInfo> global_friction_family();

}  // namespace saltus::python
