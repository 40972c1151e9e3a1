#include "cli/model_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/example_files.hpp"
#include "saltus/core/check.hpp"
#include "saltus/model/expression.hpp"

namespace saltus::cli {

namespace {

// "R=2*pi": a name and an expression of numbers.
std::pair<std::string, double> setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    require(equals != std::string::npos && equals > 0, "--set {}: write name=value", text);
    return {text.substr(0, equals), number_of(text.substr(equals + 1), "--set " + text)};
}

}  // namespace

double number_of(const std::string& text, const std::string& where) {
    const Expressions value({text}, {}, where);
    Eigen::VectorXd scratch(value.scratch_size());
    double number = 0.0;
    value.evaluate(nullptr, &number, scratch.data());
    return number;
}

void ModelOptions::add_to(CLI::App& command) {
    command.add_option("MODEL", file, "The model file (.toml)")->required();
    command.add_option("--set", settings, "Value of a parameter of the model, name=value; may be repeated")
        ->expected(1)
        ->take_all();
    command.add_option(
        "--scheme", scheme.scheme,
        "Name of a scheme, such as event-driven, instead of the model's; it keeps the options of the model "
        "which mean the same for both schemes");
    command.add_option("--tolerance", scheme.tolerance,
                       "Tolerance of event-driven, or of moreau-jean with steps of automatic length, instead of the "
                       "model's");
}

ModelFile ModelOptions::read(const ParameterValues& varied) const {
    if (!std::filesystem::exists(file) && find_example(file))
        throw InvalidInput(
            fmt::format("{}: there is no such file, but there is an example of that name; write it with saltus "
                        "examples {} > {}.toml",
                        file, file, file));
    require(std::filesystem::exists(file), "{}: there is no such file; saltus examples lists some", file);
    ParameterValues values;
    for (const std::string& text : settings) values.push_back(setting(text));
    values.insert(values.end(), varied.begin(), varied.end());
    return read_model_file(file, values, scheme);
}

}  // namespace saltus::cli
