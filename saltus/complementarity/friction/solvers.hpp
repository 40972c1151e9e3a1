#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "saltus/complementarity/friction/admm.hpp"
#include "saltus/complementarity/friction/apgd.hpp"
#include "saltus/complementarity/friction/auto.hpp"
#include "saltus/complementarity/friction/clustered_nsgs.hpp"
#include "saltus/complementarity/friction/extra_gradient.hpp"
#include "saltus/complementarity/friction/interior_point.hpp"
#include "saltus/complementarity/friction/lcp_form_solver.hpp"
#include "saltus/complementarity/friction/nsgs.hpp"
#include "saltus/complementarity/friction/proximal_point.hpp"
#include "saltus/complementarity/friction/semismooth_newton.hpp"
#include "saltus/complementarity/friction/threshold_fixed_points.hpp"
#include "saltus/complementarity/solver_list.hpp"

namespace saltus::friction {

// The solvers of one-step problems with friction; the first is the default. The command line, files and Python read
// their names from here. A new solver is added here.
using SolverChoice = std::variant<Auto, Nsgs, ClusteredNsgs, Admm, SemismoothNewton, ProximalPoint, InteriorPoint, Apgd,
                                  ExtraGradient, Tresca, Panagiotopoulos, Aclm, LcpForm>;

// Name and class of problems of each solver, in the order of the variant.
std::vector<SolverInfo> solvers();

// The solver of that name with its default options. Throws InvalidInput, listing the names, if there is none.
SolverChoice solver(std::string_view name);

}  // namespace saltus::friction
