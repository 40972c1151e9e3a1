#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "cli/commands.hpp"
#include "cli/compare.hpp"

namespace saltus::cli {

namespace {

struct SolveCommand {
    SolveArguments arguments;
    bool list = false;

    ExitCode run() const {
        if (list) {
            if (const auto& solver = arguments.options.solver)
                list_options(*solver);
            else
                list_solvers();
            return solved;
        }
        require(!arguments.files.empty(), "solve needs a FILE; try saltus solve --help");
        return arguments.compare ? compare(arguments) : solve(arguments);
    }
};

}  // namespace

Command add_solve(CLI::App& app) {
    const auto command = std::make_shared<SolveCommand>();
    SolveArguments& arguments = command->arguments;
    CLI::App* solve = app.add_subcommand(
        "solve", "Solve the problem in a file: lcp, mlcp, relay, friction or global-friction; or compare the solvers");
    solve->add_option("FILE", arguments.files, "The problem file (.dat or .hdf5); with --compare files and folders");
    solve->add_flag("--list", command->list,
                    "Name the solvers with their class of problems; with --solver, the options of that one");
    auto* solver = solve->add_option("--solver", arguments.options.solver,
                                     "Name of the solver; the first of its kind in --list if not given");
    solve->add_option("--tolerance", arguments.options.tolerance, "Largest residual of a solution");
    solve->add_option("--max-iterations", arguments.options.max_iterations, "Most iterations of the solver")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()));
    auto* option =
        solve->add_option("--option", arguments.options.others,
                          "Another option of the solver, name=value; may be repeated. See --list --solver NAME");
    option->expected(1)->take_all();
    solve->add_option("--kind", arguments.kind,
                      "lcp, mlcp, relay, friction or global-friction; found from the contents if not given");
    solve->add_option("--output", arguments.output, "Write the JSON object to this file");
    solve->add_flag("--json", arguments.json, "Print one JSON object, not a table");
    auto* compare = solve->add_flag("--compare", arguments.compare,
                                    "Run every solver on every file: a table of times and the performance profile");
    compare->excludes(solver)->excludes(option);
    solve->add_option("--time-limit", arguments.time_limit, "Seconds per solve, with --compare")->needs(compare);
    solve->add_option("--profile", arguments.profile, "Draw the profile of --compare in this file (.svg)")
        ->needs(compare);
    solve->footer(
        "Exit code: 0 solved, 1 not solved, 2 bad input, or output that cannot be written. In JSON "
        "a number that is not finite is null.");
    return {solve, [command] { return command->run(); }};
}

}  // namespace saltus::cli
