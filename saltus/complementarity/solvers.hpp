#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "saltus/complementarity/projected_gauss_seidel.hpp"
#include "saltus/complementarity/semismooth_newton.hpp"

namespace saltus {

// The solvers of affine problems; the first is the default. The command line, files and Python read their names from
// here. A new solver is added here.
using AffineSolverChoice = std::variant<SemismoothNewton, ProjectedGaussSeidel>;

// The solver of this name with its default options. Throws InvalidInput, naming the known ones, for any other name.
AffineSolverChoice affine_solver(std::string_view name);

struct SolverInfo {
    std::string_view name, problem_class;
};
std::vector<SolverInfo> affine_solvers();

}  // namespace saltus
