#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/compare.hpp"

namespace saltus::cli {

namespace {

void report_error(std::string_view text) { fmt::print(stderr, "saltus: {}\n", text); }

CLI::App* add_solve(CLI::App& app, SolveArguments& arguments, bool& list) {
    CLI::App* solve = app.add_subcommand(
        "solve", "Solve the problem in a file: lcp, mlcp, relay, friction or global-friction; or compare the solvers");
    solve->add_option("FILE", arguments.files, "The problem file (.dat or .hdf5); with --compare files and folders");
    solve->add_flag("--list", list, "Name the solvers with their class of problems");
    auto* solver = solve->add_option("--solver", arguments.options.solver,
                                     "Name of the solver; the first of its kind in --list if not given");
    solve->add_option("--tolerance", arguments.options.tolerance, "On the residual of the solution");
    solve->add_option("--max-iterations", arguments.options.max_iterations, "Of the solver")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()));
    solve->add_option("--kind", arguments.kind,
                      "lcp, mlcp, relay, friction or global-friction; the contents tell if not given");
    solve->add_option("--output", arguments.output, "Write the JSON object to this file");
    solve->add_flag("--json", arguments.json, "Print one JSON object, not a table");
    auto* compare = solve->add_flag("--compare", arguments.compare,
                                    "Run every solver on every file: a table of times and the performance profile");
    compare->excludes(solver);
    solve->add_option("--time-limit", arguments.time_limit, "Seconds a solve, with --compare")->needs(compare);
    solve->add_option("--profile", arguments.profile, "Draw the profile of --compare in this file (.svg)")
        ->needs(compare);
    solve->footer(
        "Exit code: 0 solved, 1 not solved, 2 bad input, or output that cannot be written. In JSON "
        "a number that is not finite is null.");
    return solve;
}

// CLI11 says of an unknown command only that some command is required.
std::string without_command(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string> words = app.remaining();
    return fmt::format("{}; the commands are: {}; try saltus --help",
                       words.empty() ? "a command is required" : fmt::format("'{}' is not a command", words.front()),
                       fmt::join(names, ", "));
}

// Standard output is buffered: that its disk is full or its reader gone may show only here.
void flush_output() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw std::runtime_error("cannot write to standard output; is its disk full?");
}

int run(int argc, char** argv) {
    CLI::App app("Saltus: nonsmooth dynamical systems");
    app.set_version_flag("--version", "saltus " SALTUS_VERSION);
    app.require_subcommand(1);
    SolveArguments arguments;
    bool list = false;
    const CLI::App* solve_command = add_solve(app, arguments, list);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool is_answered = error.get_exit_code() == 0;  // --help and --version come this way too
        if (!is_answered && app.get_subcommands().empty()) {
            report_error(without_command(app));
            return bad_input;
        }
        app.exit(error);
        return is_answered ? solved : bad_input;
    }
    if (list) {
        list_solvers();
        return solved;
    }
    if (solve_command->count("FILE") == 0) {
        report_error("solve needs a FILE; try saltus solve --help");
        return bad_input;
    }
    return arguments.compare ? compare(arguments) : solve(arguments);
}

}  // namespace

}  // namespace saltus::cli

int main(int argc, char** argv) {
    try {
        const int exit_code = saltus::cli::run(argc, argv);
        saltus::cli::flush_output();
        return exit_code;
    } catch (const std::exception& error) {
        saltus::cli::report_error(error.what());
        return saltus::cli::bad_input;
    }
}
