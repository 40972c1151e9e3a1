#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "saltus/complementarity/one_step/admm.hpp"
#include "saltus/complementarity/one_step/apgd.hpp"
#include "saltus/complementarity/one_step/clustered_nsgs.hpp"
#include "saltus/complementarity/one_step/extra_gradient.hpp"
#include "saltus/complementarity/one_step/lcp_form_solver.hpp"
#include "saltus/complementarity/one_step/nsgs.hpp"
#include "saltus/complementarity/one_step/one_step_auto.hpp"
#include "saltus/complementarity/one_step/one_step_interior_point.hpp"
#include "saltus/complementarity/one_step/one_step_semismooth_newton.hpp"
#include "saltus/complementarity/one_step/proximal_point.hpp"
#include "saltus/complementarity/one_step/threshold_fixed_points.hpp"
#include "saltus/complementarity/solver_list.hpp"

namespace saltus::one_step {

// The solvers of one-step problems with friction; the first is the default. The command line, files and Python read
// their names from here. A new solver is added here.
using SolverChoice = std::variant<Auto, Nsgs, ClusteredNsgs, Admm, SemismoothNewton, ProximalPoint, InteriorPoint, Apgd,
                                  ExtraGradient, Tresca, Panagiotopoulos, Aclm, LcpForm>;

// The name and problem class of each solver, in the order of the variant.
std::vector<SolverInfo> solvers();

// The solver of that name with its default options. Throws InvalidInput, listing the names, for an unknown name.
SolverChoice solver(std::string_view name);

}  // namespace saltus::one_step
