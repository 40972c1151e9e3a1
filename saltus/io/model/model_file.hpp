#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// The kinds of models that a file can hold.
using AnyModel = std::variant<Model, LagrangianModel>;

// A model and how it is simulated, as a TOML file gives them: see docs/model-files.md.
struct ModelFile {
    std::string text{};         // of the file
    std::string description{};  // a line or more for people
    AnyModel model{};           // linear parts recognised
    TimeStepping simulation{};
    std::map<std::string, double, std::less<>> parameters{};

    const std::string& name() const;
    double t0() const;
    // Throw std::bad_variant_access if the model is of the other kind.
    const Model& first_order() const { return std::get<Model>(model); }
    const LagrangianModel& lagrangian() const { return std::get<LagrangianModel>(model); }
};

// Values for parameters, given on the command line: they replace those of the file.
using ParameterValues = std::vector<std::pair<std::string, double>>;

// A scheme given on the command line. It replaces that of the file, but keeps those options of the file that mean the
// same for both schemes: see read_simulation.
struct SchemeSettings {
    std::string scheme{};     // a name as in the file; empty: that of the file
    std::string tolerance{};  // a number, or an expression of the parameters; empty: that of the file
};

// Reads a model file. Throws InvalidInput, "FILE:LINE: KEY: what is wrong, and what to write", for a file that cannot
// be read, a TOML mistake, an unknown or missing key, a wrong size or a wrong expression.
ModelFile read_model_file(const std::filesystem::path& path, const ParameterValues& values = {},
                          const SchemeSettings& scheme = {});
// The same from text; `source` stands for the file in messages.
ModelFile parse_model_file(const std::string& text, const std::string& source, const ParameterValues& values = {},
                           const SchemeSettings& scheme = {});

}  // namespace saltus
