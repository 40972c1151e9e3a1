#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "saltus/complementarity/projected_gauss_seidel.hpp"

namespace saltus {

// The solvers of affine problems: the command line, files and Python read their names from here.
using AffineSolverChoice = std::variant<ProjectedGaussSeidel>;  // a new solver is added here

// The solver of this name with its default options. Throws InvalidInput, naming the known ones, for any other name.
AffineSolverChoice affine_solver(std::string_view name);

struct SolverInfo {
    std::string_view name, problem_class;
};
std::vector<SolverInfo> affine_solvers();

}  // namespace saltus
