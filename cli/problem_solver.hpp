#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/solution.hpp"
#include "saltus/complementarity/solver_list.hpp"
#include "saltus/io/problem/problem_file.hpp"

namespace saltus::cli {

// Problems that the same solvers solve. Those of friction problems solve global ones too, through their local form.
enum class Family { affine, friction, global_friction };
inline constexpr Family families[] = {Family::affine, Family::friction, Family::global_friction};
Family family_of(ProblemKind kind);
std::string_view to_string(Family family);
// Names and classes of problems, the default first.
std::vector<SolverInfo> solvers_of(Family family);

// Members that are not given keep the default of the solver.
struct SolverOptions {
    std::optional<std::string> solver{};  // the first of its family if not given
    std::optional<double> tolerance{};
    std::optional<int> max_iterations{};
    std::vector<std::string> others{};  // "relaxation=1.2", in the order in which they are set
};

// Throws InvalidInput if the tolerance is not a positive number, or one of the others is not NAME=VALUE.
void check(const SolverOptions& options);

// Solves from zero. `seconds` is the best time of solves repeated until they took `least_seconds` together. Throws
// InvalidInput, naming the solvers that apply, if the solver of the options is not of the family of the problem.
Solution solve_problem(const Problem& problem, const SolverOptions& options, double least_seconds = 0.0);

}  // namespace saltus::cli
