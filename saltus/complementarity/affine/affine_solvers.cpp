#include "saltus/complementarity/affine/affine_solvers.hpp"

namespace saltus {

std::vector<SolverInfo> affine_solvers() { return solver_list<AffineSolverChoice>(); }

AffineSolverChoice affine_solver(std::string_view name) { return solver_of_name<AffineSolverChoice>(name); }

}  // namespace saltus
