#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/problem_solver.hpp"

namespace saltus::cli {

// The arguments of `saltus solve`.
struct SolveArguments {
    std::vector<std::string> files;  // with `compare` folders too
    SolverOptions options;
    std::optional<std::string> kind, output, profile;
    bool json = false, compare = false;
    double time_limit = 10.0;  // seconds per solve, with `compare`
};

// The kind of --kind, if given. Throws InvalidInput if there is no such kind.
std::optional<ProblemKind> requested_kind(const SolveArguments& arguments);

// Solves the problem in the file and prints a table, or one JSON object. Throws InvalidInput for bad input.
ExitCode solve(const SolveArguments& arguments);

// Prints the names of the solvers with their class of problems.
void list_solvers();
// Prints the options of the solvers of that name, with their defaults. Throws InvalidInput if there is none.
void list_options(const std::string& solver);

// Writes the file that the option `option` names. Throws InvalidInput if it cannot be written.
void write_output(std::string_view option, const std::string& path, const std::string& contents);

}  // namespace saltus::cli
