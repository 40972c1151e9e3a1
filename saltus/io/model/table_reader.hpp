#pragma once

#include "saltus/io/model/model_file.hpp"
#include "saltus/io/model/model_tables.hpp"

namespace saltus {

// Makes a model from its tables, one after the other: what FirstOrderReader and LagrangianReader have in common. Each
// table is checked when it is added.
class TableReader {
public:
    explicit TableReader(const ModelTables& tables) : tables_(tables), reader_(tables.reader()) {}
    virtual ~TableReader() = default;
    TableReader(const TableReader&) = delete;
    TableReader& operator=(const TableReader&) = delete;

    // The tables it knows, [systems] first.
    virtual std::vector<std::string> kinds() const = 0;
    // The table [kind.NAME]. Throws InvalidInput, with its place, where it makes no sense.
    virtual void add(std::string_view kind, const std::string& name, const toml::table& table) = 0;
    // The model of what was added; linear parts are recognised.
    virtual AnyModel model() const = 0;

protected:
    const ModelTables& tables_;
    const TomlReader& reader_;
    std::vector<std::string> systems_;  // their names
};

}  // namespace saltus
