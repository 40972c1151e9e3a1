#pragma once

#include <memory>
#include <set>

#include "saltus/io/model/table_reader.hpp"

namespace saltus {

// Makes a model from the tables of docs/model-files.md, which a file or a program gives one by one. Each table is
// checked when it is added. Mistakes throw InvalidInput, "FILE:LINE: KEY: what is wrong, and what to write", or
// "KEY: ..." if there is no file.
class ModelBuilder {
public:
    // `source` names the model in messages; `values` replace those of parameters. Externals must outlive the builder.
    explicit ModelBuilder(const std::string& source, const ParameterValues& values = {},
                          const Externals* externals = nullptr);

    // A text or number at the root: name, description or t0.
    void set(const std::string& key, const toml::node& node);
    void add_parameter(const std::string& name, const toml::node& node) { tables_.add_parameter(name, node); }
    void add_signal(const std::string& name, const toml::node& node) { tables_.add_signal(name, node); }
    // The table [kind.NAME]: systems, contacts, interactions, ....
    void add(const std::string& kind, const std::string& name, const toml::table& table);

    // All tables of a file, except [simulation].
    void add_file(const toml::table& root);

    const ModelTables& tables() const { return tables_; }
    const std::string& description() const { return description_; }
    bool is_mechanical() const { return is_mechanical_; }
    // The tables of this kind of model, [systems] first.
    std::vector<std::string> kinds() const;
    // The model of what was added; throws InvalidInput if there is no system, or the pieces do not fit together.
    AnyModel model() const;

private:
    void choose_reader(const std::string& name, const toml::table& table);
    void check_keys(const toml::table& root) const;

    ModelTables tables_;
    std::unique_ptr<TableReader> reader_;  // of the kind of the first system
    bool is_mechanical_ = false;
    std::string name_, description_;
    std::set<std::string, std::less<>> names_;
};

}  // namespace saltus
