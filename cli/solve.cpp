#include "cli/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <utility>

#include "saltus/core/nearest_name.hpp"

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

namespace {

// The solvers that keep the matrices of a global friction problem; the others are those of friction problems.
std::vector<SolverInfo> own_solvers(Family family) {
    std::vector<SolverInfo> solvers = solvers_of(family);
    if (family == Family::global_friction)
        std::erase_if(solvers, [local = solvers_of(Family::friction)](const SolverInfo& solver) {
            return std::ranges::count(local, solver.name, &SolverInfo::name) > 0;
        });
    return solvers;
}

std::string_view problems_of(Family family) {
    if (family == Family::affine) return "lcp, mlcp and relay problems";
    return family == Family::friction ? "friction and global-friction problems" : "global-friction problems only";
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
        for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    for (const auto& row : rows) {
        for (std::size_t k = 0; k + 1 < row.size(); ++k) fmt::print("  {:<{}}", row[k], widths[k]);
        fmt::print("  {}\n", row.back());
    }
}

}  // namespace

void list_solvers() {
    for (const Family family : families) {
        fmt::print("{}of {}:\n", family == families[0] ? "" : "\n", problems_of(family));
        std::vector<std::vector<std::string>> rows;
        for (const SolverInfo& solver : own_solvers(family))
            rows.push_back({std::string(solver.name), std::string(solver.problem_class)});
        print_table(rows);
    }
}

void list_options(const std::string& name) {
    std::vector<std::string> known;
    bool is_found = false;
    for (const Family family : families)
        for (const SolverInfo& solver : own_solvers(family)) {
            known.emplace_back(solver.name);
            if (solver.name != name) continue;
            fmt::print("{}{}, for {}: {}\n", std::exchange(is_found, true) ? "\n" : "", name, problems_of(family),
                       solver.problem_class);
            std::vector<std::vector<std::string>> rows;
            for (const OptionInfo& option : solver.options)
                rows.push_back({std::string(option.name), option_text(option.value),
                                option.kind + ": " + std::string(option.meaning)});
            print_table(rows);
        }
    const std::string near = nearest_name(name, known);
    require(is_found, "there is no solver '{}'{}", name,
            near.empty() ? "; saltus solve --list names them" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace saltus::cli
