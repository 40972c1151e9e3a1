#include "saltus/io/model_file.hpp"

#include <fstream>
#include <sstream>

#include "saltus/core/check.hpp"
#include "saltus/io/first_order_tables.hpp"
#include "saltus/io/lagrangian_tables.hpp"
#include "saltus/io/simulation_table.hpp"

namespace saltus {

namespace {

// The systems of a model are all of one kind, which their first key tells.
bool is_lagrangian(const ModelTables& tables) {
    bool has_first_order = false, has_lagrangian = false;
    tables.each_of("systems", [&](const std::string& name, const toml::table& table) {
        (table.contains("q0") ? has_lagrangian : has_first_order) = true;
        if (has_first_order && has_lagrangian)
            tables.reader().fail(table, "systems." + name,
                                 "has another kind than the systems before it; all have q0, or all have x0");
    });
    return has_lagrangian;
}

ModelFile read_tables(const ModelTables& tables, const SchemeSettings& scheme) {
    const TomlReader& reader = tables.reader();
    const toml::table& root = tables.root();
    std::vector<std::string> keys{"name", "description", "t0", "parameters", "signals", "systems", "simulation"};
    const bool is_mechanical = is_lagrangian(tables);
    for (const char* key : {"interactions", "sets"})
        if (!is_mechanical) keys.push_back(key);
    for (const char* key : {"contacts", "joints", "springs", "forces"})
        if (is_mechanical) keys.push_back(key);
    reader.check_keys(root, "", keys);
    ModelFile file;
    file.parameters = reader.constants();
    file.description = tables.text("description");
    const toml::node* systems = root.get("systems");
    if (!systems || reader.table(*systems, "systems").empty())
        throw InvalidInput(
            fmt::format("{}: there is no system; write a table [systems.NAME] with x0, or with q0", tables.source()));
    if (is_mechanical)
        file.model = read_lagrangian_model(tables);
    else
        file.model = read_first_order_model(tables);
    const toml::node* simulation = root.get("simulation");
    if (!simulation)
        throw InvalidInput(
            fmt::format("{}: there is no table [simulation]; write it, with step and t_end", tables.source()));
    file.simulation = read_simulation(tables, reader.table(*simulation, "simulation"), is_mechanical, scheme);
    std::visit([](const auto& model) { model.check(); }, file.model);
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
    ModelFile file = read_tables(ModelTables(source, root, values), scheme);
    file.text = text;
    std::visit(
        [&](auto& model) {
            if (model.name.empty()) model.name = std::filesystem::path(source).stem().string();
        },
        file.model);
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
