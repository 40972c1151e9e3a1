#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "support/temporary_file.hpp"

// The command as a shell sees it: exit codes, standard output, standard error.
namespace saltus::testing {

struct Outcome {
    int exit_code = -1;
    std::string output, errors;
};

inline Outcome run_saltus(const std::string& arguments) {
    const TemporaryFile errors;
    const std::string command = SALTUS_COMMAND " " + arguments + " 2>" + errors.path().string();
    Outcome outcome;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), count);
    const int status = pclose(pipe);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.errors = contents(errors.path());
    return outcome;
}

}  // namespace saltus::testing
