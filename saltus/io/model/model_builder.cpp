#include "saltus/io/model/model_builder.hpp"

#include "saltus/core/check.hpp"
#include "saltus/io/model/first_order_tables.hpp"
#include "saltus/io/model/lagrangian_tables.hpp"

namespace saltus {

ModelBuilder::ModelBuilder(const std::string& source, const ParameterValues& values, const Externals* externals)
    : tables_(source, values, externals) {}

void ModelBuilder::set(const std::string& key, const toml::node& node) {
    const TomlReader& reader = tables_.reader();
    if (key == "t0")
        tables_.set_t0(node);
    else
        (key == "name" ? name_ : description_) = reader.text(node, key);
}

// The systems of a model are all of one kind, which their first key tells.
void ModelBuilder::choose_reader(const std::string& name, const toml::table& table) {
    const bool is_mechanical = table.contains("q0");
    if (reader_ && is_mechanical != is_mechanical_)
        tables_.reader().fail(table, "systems." + name,
                              "has another kind than the systems before it; all have q0, or all have x0");
    if (reader_) return;
    is_mechanical_ = is_mechanical;
    reader_ = is_mechanical ? lagrangian_reader(tables_) : first_order_reader(tables_);
}

void ModelBuilder::add(const std::string& kind, const std::string& name, const toml::table& table) {
    if (kind == "systems") choose_reader(name, table);
    const std::string key = fmt::format("{}.{}", kind, name);
    if (!reader_) tables_.reader().fail(table, key, "comes before the systems; add a system first");
    const std::vector<std::string> kinds = reader_->kinds();
    if (std::ranges::count(kinds, kind) == 0)
        tables_.reader().fail(table, key,
                              fmt::format("belongs to the other kind of models; {} ones have {}",
                                          is_mechanical_ ? "Lagrangian" : "first-order", fmt::join(kinds, ", ")));
    if (names_.contains(name))
        tables_.reader().fail(table, key, fmt::format("the name '{}' is taken; give another", name));
    try {
        reader_->add(kind, name, table);
    } catch (...) {
        if (names_.empty()) reader_.reset();  // a first system that is refused does not settle the kind
        throw;
    }
    names_.insert(name);
}

void ModelBuilder::add_file(const toml::table& root) {
    const TomlReader& reader = tables_.reader();
    tables_.add_names(root);
    tables_.for_each(root, "systems", [&](const std::string& name, const toml::node& node) {
        choose_reader(name, reader.table(node, "systems." + name));
    });
    check_keys(root);
    for (const char* key : {"name", "description", "t0"})
        if (const toml::node* node = root.get(key)) set(key, *node);
    if (!reader_) return;
    for (const std::string& kind : reader_->kinds())
        tables_.for_each(root, kind, [&](const std::string& name, const toml::node& node) {
            add(kind, name, reader.table(node, fmt::format("{}.{}", kind, name)));
        });
}

void ModelBuilder::check_keys(const toml::table& root) const {
    std::vector<std::string> keys{"name", "description", "t0", "parameters", "signals", "view", "simulation"};
    const std::vector<std::string> tables = kinds();
    keys.insert(keys.end() - 2, tables.begin(), tables.end());
    tables_.reader().check_keys(root, "", keys);
}

std::vector<std::string> ModelBuilder::kinds() const {
    return reader_ ? reader_->kinds() : std::vector<std::string>{"systems"};
}

AnyModel ModelBuilder::model() const {
    if (!reader_)
        throw InvalidInput(
            fmt::format("{}: there is no system; write a table [systems.NAME] with x0, or with q0", tables_.source()));
    AnyModel result = reader_->model();
    std::visit(
        [&](auto& model) {
            model.name = name_.empty() ? std::filesystem::path(tables_.source()).stem().string() : name_;
            model.t0 = tables_.t0();
            model.check();
        },
        result);
    return result;
}

}  // namespace saltus
