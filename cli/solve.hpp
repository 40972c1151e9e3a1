#pragma once

#include <optional>
#include <string>

namespace saltus::cli {

// The outcome as the shell sees it.
enum ExitCode { solved = 0, not_solved = 1, bad_input = 2 };

// The arguments of `saltus solve`; what is not given keeps the default of the solver.
struct SolveArguments {
    std::string file;
    std::optional<std::string> kind, solver, output;
    std::optional<double> tolerance;
    std::optional<int> max_iterations;
    bool json = false;
};

// Solves the problem in the file and prints a table, or one JSON object. Throws InvalidInput for bad input.
ExitCode solve(const SolveArguments& arguments);

// Prints the names of the solvers with their class of problems.
void list_solvers();

}  // namespace saltus::cli
