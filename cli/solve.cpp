#include "cli/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

#include "cli/solution.hpp"
#include "saltus/complementarity/solvers.hpp"
#include "saltus/io/problem_file.hpp"

namespace saltus::cli {

namespace {

std::optional<ProblemKind> kind_named(const std::optional<std::string>& name) {
    if (!name) return std::nullopt;
    for (const auto kind : {ProblemKind::lcp, ProblemKind::mlcp, ProblemKind::relay})
        if (to_string(kind) == *name) return kind;
    throw InvalidInput(fmt::format("--kind is '{}'; it must be lcp, mlcp or relay", *name));
}

// Levenshtein's distance: the fewest insertions, deletions and replacements of one character from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

std::string_view nearest_solver(std::string_view name) {
    const auto solvers = affine_solvers();
    const auto distance = [&](const SolverInfo& solver) { return edit_distance(name, solver.name); };
    return std::ranges::min_element(solvers, {}, distance)->name;
}

AffineSolverChoice solver_named(const std::string& name) {
    try {
        return affine_solver(name);
    } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("{}; did you mean '{}'?", error.what(), nearest_solver(name)));
    }
}

// The first of the list unless named otherwise.
AffineSolverChoice chosen_solver(const SolveArguments& arguments) {
    const auto& tolerance = arguments.tolerance;
    require(!tolerance || (std::isfinite(*tolerance) && *tolerance > 0.0),
            "--tolerance is {}; it must be a positive number", tolerance.value_or(0.0));
    AffineSolverChoice choice = arguments.solver ? solver_named(*arguments.solver) : AffineSolverChoice();
    std::visit(
        [&](auto& solver) {
            if (tolerance) solver.tolerance = *tolerance;
            if (arguments.max_iterations) solver.max_iterations = *arguments.max_iterations;
        },
        choice);
    return choice;
}

AffineBox affine_view(const Problem& problem) {
    const auto view = [](const auto& p) -> AffineBox {
        if constexpr (requires { AffineBox(p); }) return AffineBox(p);
        throw InvalidInput("a friction problem: this command does not solve it yet");
    };
    return std::visit(view, problem);
}

Solution solve_with(const AffineSolverChoice& choice, const Problem& problem) {
    const AffineBox box = affine_view(problem);
    Solution solution{.kind = to_string(kind_of(problem)), .z = Eigen::VectorXd::Zero(box.size())};
    std::visit(
        [&](const auto& solver) {
            const auto start = std::chrono::steady_clock::now();
            solution.report = solver.solve(box, solution.z);
            solution.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            solution.tolerance = solver.tolerance;
        },
        choice);
    solution.w = slack(box, solution.z);
    return solution;
}

void write_output(const std::string& path, const std::string& json) {
    std::ofstream stream(path, std::ios::binary);
    if (!(stream << json) || !stream.flush())
        throw InvalidInput(fmt::format("--output {}: the file cannot be written; does its folder exist?", path));
}

}  // namespace

ExitCode solve(const SolveArguments& arguments) {
    const AffineSolverChoice choice = chosen_solver(arguments);
    Solution solution = solve_with(choice, read_problem(arguments.file, kind_named(arguments.kind)));
    solution.file = arguments.file;
    const std::string json = to_json(solution);
    if (arguments.output) write_output(*arguments.output, json);
    fmt::print("{}", arguments.json ? json : to_table(solution));
    return solution.report.converged() ? solved : not_solved;
}

void list_solvers() {
    const auto solvers = affine_solvers();
    const auto width = [](const SolverInfo& solver) { return solver.name.size(); };
    const std::size_t widest = width(*std::ranges::max_element(solvers, {}, width));
    for (const auto& solver : solvers) fmt::print("{:<{}}  {}\n", solver.name, widest, solver.problem_class);
}

}  // namespace saltus::cli
