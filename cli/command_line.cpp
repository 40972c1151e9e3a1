#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "saltus/core/version.hpp"

namespace saltus::cli {

namespace {

void report_error(std::string_view text) { fmt::print(stderr, "saltus: {}\n", text); }

// For an unknown command CLI11 only says that some command is required.
std::string without_command(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string> words = app.remaining();
    return fmt::format("{}; the commands are: {}; try saltus --help",
                       words.empty() ? "a command is required" : fmt::format("'{}' is not a command", words.front()),
                       fmt::join(names, ", "));
}

// Standard output is buffered: a full disk or a reader that is gone may show only here.
void flush_output() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw std::runtime_error("cannot write to standard output; is its disk full?");
}

ExitCode parse_and_run(int argc, char** argv) {
    CLI::App app("Saltus: nonsmooth dynamical systems");
    app.set_version_flag("--version", fmt::format("saltus {}", version()));
    app.require_subcommand(1);
    const std::vector<Command> commands{add_run(app),  add_report(app), add_view(app),     add_sweep(app),
                                        add_info(app), add_export(app), add_examples(app), add_solve(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool is_answered = error.get_exit_code() == 0;  // --help and --version end here too
        if (!is_answered && app.get_subcommands().empty()) {
            report_error(without_command(app));
            return bad_input;
        }
        app.exit(error);
        return is_answered ? solved : bad_input;
    }
    const auto command = std::ranges::find_if(commands, [](const Command& c) { return c.app->parsed(); });
    return command->run();
}

}  // namespace

ExitCode run_command_line(int argc, char** argv) {
    try {
        const ExitCode exit_code = parse_and_run(argc, argv);
        flush_output();
        return exit_code;
    } catch (const std::exception& error) {
        report_error(error.what());
        return bad_input;
    }
}

}  // namespace saltus::cli
