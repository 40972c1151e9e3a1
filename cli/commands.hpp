#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace saltus::cli {

// The outcome as the shell sees it.
enum ExitCode { solved = 0, not_solved = 1, bad_input = 2, interrupted = 130 };

// A command of the program: its options, and what it does once they are read.
struct Command {
    CLI::App* app;
    std::function<ExitCode()> run;
};

Command add_run(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_info(CLI::App& app);
Command add_report(CLI::App& app);
Command add_view(CLI::App& app);
Command add_export(CLI::App& app);
Command add_examples(CLI::App& app);
Command add_solve(CLI::App& app);

// Reads the arguments and runs the command that they name; an error is one line on standard error.
ExitCode run_command_line(int argc, char** argv);

}  // namespace saltus::cli
