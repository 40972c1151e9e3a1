#pragma once

#include <variant>
#include <vector>

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/enumeration.hpp"
#include "saltus/complementarity/affine/interior_point.hpp"
#include "saltus/complementarity/affine/lemke.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/complementarity/affine/principal_pivoting.hpp"
#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/complementarity/solver_list.hpp"

namespace saltus {

// The solvers of affine problems (Lcp, Mlcp, BoxVi); the first is the default. The command line, files and Python read
// their names from here. A new solver is added here.
using AffineSolverChoice = std::variant<Auto, Lemke, PrincipalPivoting, PrimalDualActiveSet, SemismoothNewton,
                                        InteriorPoint, ProjectedGaussSeidel, Enumeration>;

// The name and problem class of each solver, in the order of the variant.
std::vector<SolverInfo> affine_solvers();

// The solver of that name with its default options. Throws InvalidInput, listing the names, for an unknown name.
AffineSolverChoice affine_solver(std::string_view name);

}  // namespace saltus
