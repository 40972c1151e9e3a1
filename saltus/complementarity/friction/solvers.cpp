#include "saltus/complementarity/friction/solvers.hpp"

namespace saltus::friction {

std::vector<SolverInfo> solvers() { return solver_list<SolverChoice>(); }

SolverChoice solver(std::string_view name) { return solver_of_name<SolverChoice>(name); }

}  // namespace saltus::friction
