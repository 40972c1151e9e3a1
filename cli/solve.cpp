#include "cli/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace saltus::cli {

std::optional<ProblemKind> requested_kind(const SolveArguments& arguments) {
    if (!arguments.kind) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto kind : problem_kinds) {
        names.push_back(to_string(kind));
        if (names.back() == *arguments.kind) return kind;
    }
    throw InvalidInput(fmt::format("--kind is '{}'; it must be one of {}", *arguments.kind, fmt::join(names, ", ")));
}

void write_output(std::string_view option, const std::string& path, const std::string& contents) {
    std::ofstream stream(path, std::ios::binary);
    if (!(stream << contents) || !stream.flush())
        throw InvalidInput(fmt::format("{} {}: the file cannot be written; does its folder exist?", option, path));
}

ExitCode solve(const SolveArguments& arguments) {
    require(arguments.files.size() == 1, "solve takes one FILE, found {}; --compare takes several",
            arguments.files.size());
    const std::string& file = arguments.files.front();
    check(arguments.options);
    Solution solution = solve_problem(read_problem(file, requested_kind(arguments)), arguments.options);
    solution.file = file;
    const std::string json = to_json(solution);
    if (arguments.output) write_output("--output", *arguments.output, json);
    fmt::print("{}", arguments.json ? json : to_table(solution));
    return solution.report.converged() ? solved : not_solved;
}

void list_solvers() {
    for (const Family family : {Family::affine, Family::friction}) {
        fmt::print("{}{}\n", family == Family::affine ? "" : "\n",
                   family == Family::affine ? "of lcp, mlcp and relay problems:"
                                            : "of friction and global-friction problems:");
        const auto solvers = solvers_of(family);
        const auto width = [](const SolverInfo& solver) { return solver.name.size(); };
        const std::size_t widest = width(*std::ranges::max_element(solvers, {}, width));
        for (const auto& solver : solvers) fmt::print("  {:<{}}  {}\n", solver.name, widest, solver.problem_class);
    }
}

}  // namespace saltus::cli
