#include "saltus/complementarity/one_step/one_step_solvers.hpp"

namespace saltus::one_step {

std::vector<SolverInfo> solvers() { return solver_list<SolverChoice>(); }

SolverChoice solver(std::string_view name) { return solver_of_name<SolverChoice>(name); }

}  // namespace saltus::one_step
