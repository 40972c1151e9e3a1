#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/solve.hpp"

namespace saltus::cli {

namespace {

void report_error(std::string_view text) { fmt::print(stderr, "saltus: {}\n", text); }

CLI::App* add_solve(CLI::App& app, SolveArguments& arguments, bool& list) {
    CLI::App* solve = app.add_subcommand("solve", "Solve the problem in a file: lcp, mlcp or relay");
    solve->add_option("FILE", arguments.file, "The problem file (.dat)");
    solve->add_flag("--list", list, "Name the solvers with their class of problems");
    solve->add_option("--solver", arguments.solver, "Name of the solver; the first of --list if not given");
    solve->add_option("--tolerance", arguments.tolerance, "On the residual of the solution");
    solve->add_option("--max-iterations", arguments.max_iterations, "Of the solver")->check(CLI::NonNegativeNumber);
    solve->add_option("--kind", arguments.kind, "lcp, mlcp or relay; the contents tell if not given");
    solve->add_option("--output", arguments.output, "Write the JSON object to this file");
    solve->add_flag("--json", arguments.json, "Print one JSON object, not a table");
    solve->footer("Exit code: 0 solved, 1 not solved, 2 bad input. In JSON a number that is not finite is null.");
    return solve;
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
        return app.exit(error) == 0 ? solved : bad_input;
    }
    if (list) {
        list_solvers();
        return solved;
    }
    if (solve_command->count("FILE") == 0) {
        report_error("solve needs a FILE; try saltus solve --help");
        return bad_input;
    }
    return solve(arguments);
}

}  // namespace

}  // namespace saltus::cli

int main(int argc, char** argv) {
    try {
        return saltus::cli::run(argc, argv);
    } catch (const std::exception& error) {
        saltus::cli::report_error(error.what());
        return saltus::cli::bad_input;
    }
}
