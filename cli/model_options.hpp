#pragma once

#include <string>
#include <vector>

#include "saltus/io/model/model_file.hpp"

namespace CLI {
class App;
}

namespace saltus::cli {

// The value of an expression of numbers, such as 2*pi. Throws InvalidInput, which begins with `where`.
double number_of(const std::string& text, const std::string& where);

// The model that a command works on: its file, and the parameters and the scheme given on the command line.
struct ModelOptions {
    std::string file{};
    std::vector<std::string> settings{};  // "name=value"
    SchemeSettings scheme{};

    void add_to(CLI::App& command);
    // Reads it; `varied` are values for further parameters. Throws InvalidInput, which names an example of that name
    // where there is no such file.
    ModelFile read(const ParameterValues& varied = {}) const;
};

}  // namespace saltus::cli
