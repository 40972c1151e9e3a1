#include "cli/compare.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/comparison.hpp"

namespace saltus::cli {

namespace {

constexpr double shortest_timing = 0.02;    // a short solve is repeated until the clock can tell its time
constexpr double default_tolerance = 1e-8;  // one for all: the defaults of the solvers differ

std::vector<std::string> problem_files(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    std::error_code ignored;  // a loop of links is not a file
    for (const std::string& path : paths) {
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
            const auto extension = entry.path().extension();
            if (entry.is_regular_file(ignored) && (extension == ".dat" || extension == ".hdf5" || extension == ".h5"))
                found.push_back(entry.path().string());
        }
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

struct ProblemFile {
    std::string path;
    ProblemKind kind;
};

// The files that can be read; the others are named on standard error.
std::vector<ProblemFile> readable_files(const SolveArguments& arguments) {
    std::vector<ProblemFile> files;
    for (const std::string& path : problem_files(arguments.files)) try {
            files.push_back({path, kind_of(read_problem(path, requested_kind(arguments)))});
        } catch (const ProblemFileError& error) {
            fmt::print(stderr, "saltus: {}; left out\n", error.what());
        }
    return files;
}

Comparison::Row compared(const ProblemFile& file, const Comparison& comparison, const SolveArguments& arguments) {
    const Problem problem = read_problem(file.path, file.kind);
    Comparison::Row row{.file = file.path, .kind = to_string(file.kind)};
    std::visit(
        [&](const auto& p) {
            if constexpr (requires { p.contacts(); }) row.contacts = p.contacts();
            if constexpr (requires { p.q; })
                row.size = p.q.size();
            else
                row.size = p.b.size();
        },
        problem);
    for (const std::string& solver : comparison.solvers) {
        if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{} {}", file.path, solver);
        SolverOptions options = arguments.options;
        options.solver = solver;
        options.tolerance = comparison.tolerance;
        row.runs.push_back(run_limited(problem, options, shortest_timing, comparison.time_limit));
    }
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");
    return row;
}

// Local and global problems of friction are compared together, by the solvers that solve both.
Family family_in(const ProblemFile& file, const std::vector<ProblemFile>& files) {
    const bool has_local = std::ranges::count(files, ProblemKind::friction, &ProblemFile::kind) > 0;
    const Family family = family_of(file.kind);
    return family == Family::global_friction && has_local ? Family::friction : family;
}

Comparison compared(Family family, const std::vector<ProblemFile>& files, const SolveArguments& arguments) {
    Comparison comparison{.family = family,
                          .tolerance = arguments.options.tolerance.value_or(default_tolerance),
                          .time_limit = arguments.time_limit};
    for (const SolverInfo& solver : solvers_of(family)) comparison.solvers.emplace_back(solver.name);
    for (const ProblemFile& file : files)
        if (family_in(file, files) == family) comparison.rows.push_back(compared(file, comparison, arguments));
    return comparison;
}

void draw(const std::string& path, const Comparison& comparison) {
    const std::string title = fmt::format("Performance profile of {} {} problems, tolerance {:g}",
                                          comparison.rows.size(), to_string(comparison.family), comparison.tolerance);
    write_output("--profile", path, to_svg(profile_of(comparison), title));
}

std::vector<Family> families_of(const std::vector<ProblemFile>& files) {
    std::vector<Family> found;
    for (const Family family : families)
        if (std::ranges::any_of(files, [&](const auto& file) { return family_in(file, files) == family; }))
            found.push_back(family);
    return found;
}

void check_arguments(const SolveArguments& arguments, const std::vector<ProblemFile>& files) {
    check(arguments.options);
    require(std::isfinite(arguments.time_limit) && arguments.time_limit > 0.0,
            "--time-limit is {}; it must be a positive number of seconds", arguments.time_limit);
    require(!files.empty(), "--compare found no problem file (.dat, .hdf5, .h5) that it can read");
    require(!arguments.profile || families_of(files).size() == 1,
            "--profile draws one picture, and these are both affine and friction problems; compare them separately");
}

}  // namespace

ExitCode compare(const SolveArguments& arguments) {
    const std::vector<ProblemFile> files = readable_files(arguments);
    check_arguments(arguments, files);
    if (arguments.profile) write_output("--profile", *arguments.profile, "");  // refused now, not after the solves
    std::vector<Comparison> comparisons;
    for (const Family family : families_of(files)) comparisons.push_back(compared(family, files, arguments));
    if (arguments.profile) draw(*arguments.profile, comparisons.front());
    if (arguments.output) write_output("--output", *arguments.output, to_json(comparisons));
    if (arguments.json) fmt::print("{}", to_json(comparisons));
    bool is_all_solved = true;
    for (const Comparison& comparison : comparisons) {
        if (!arguments.json) fmt::print("{}{}", &comparison == &comparisons.front() ? "" : "\n", to_table(comparison));
        is_all_solved = is_all_solved && std::ranges::all_of(comparison.rows, &Comparison::Row::is_solved);
    }
    if (files.size() < problem_files(arguments.files).size()) return bad_input;
    return is_all_solved ? solved : not_solved;
}

}  // namespace saltus::cli
