#include "saltus/io/model/model_file.hpp"

#include <fstream>
#include <sstream>

#include "saltus/core/check.hpp"
#include "saltus/io/model/model_builder.hpp"
#include "saltus/io/model/scene_tables.hpp"
#include "saltus/io/model/simulation_table.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus {

namespace {

// Shows mistakes of the drawing before a run; it is read again from the result. Channels have the same names whatever
// the scheme, except multipliers, which no drawing needs.
void check_view(const ModelTables& tables, const toml::node& view, const ModelFile& file) {
    const ResultNames names =
        std::visit([](const auto& model) { return result_names(model, EulerMoreau{}); }, file.model);
    read_scene(tables, view, names.channels, names.interactions);
}

toml::table entries_of(const SchemeSettings& settings) {
    toml::table entries;
    if (!settings.scheme.empty()) entries.insert("scheme", settings.scheme);
    if (!settings.tolerance.empty()) entries.insert("tolerance", settings.tolerance);
    return entries;
}

ModelFile read_tables(const toml::table& root, const std::string& source, const ParameterValues& values,
                      const SchemeSettings& scheme) {
    ModelBuilder builder(source, values);
    builder.add_file(root);
    const TomlReader& reader = builder.tables().reader();
    ModelFile file;
    file.parameters = reader.constants();
    file.description = builder.description();
    file.model = builder.model();
    const toml::node* simulation = root.get("simulation");
    require(simulation, "{}: there is no table [simulation]; write it, with step and t_end", source);
    file.simulation = read_simulation(builder.tables(), reader.table(*simulation, "simulation"),
                                      builder.is_mechanical(), entries_of(scheme));
    if (const toml::node* view = root.get("view")) check_view(builder.tables(), *view, file);
    return file;
}

}  // namespace

const std::string& ModelFile::name() const {
    return std::visit([](const auto& m) -> const std::string& { return m.name; }, model);
}

double ModelFile::t0() const {
    return std::visit([](const auto& m) { return m.t0; }, model);
}

ModelFile parse_model_file(const std::string& text, const std::string& source, const ParameterValues& values,
                           const SchemeSettings& scheme) {
    toml::table root;
    try {
        root = toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw InvalidInput(
            fmt::format("{}:{}: {}", source, error.source().begin.line, std::string(error.description())));
    }
    ModelFile file = read_tables(root, source, values, scheme);
    file.text = text;
    return file;
}

ModelFile read_model_file(const std::filesystem::path& path, const ParameterValues& values,
                          const SchemeSettings& scheme) {
    std::ifstream stream(path, std::ios::binary);
    require(stream.good() && !std::filesystem::is_directory(path), "{}: cannot be read; is it a model file?",
            path.string());
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_model_file(text.str(), path.string(), values, scheme);
}

}  // namespace saltus
