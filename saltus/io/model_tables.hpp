#pragma once

#include <map>

#include "saltus/core/nearest_name.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/toml_reader.hpp"
#include "saltus/laws/interval.hpp"
#include "saltus/model/function.hpp"

namespace saltus {

// What the tables of a model file have in common: parameters, signals, expressions over them, names of systems, laws.
class ModelTables {
public:
    // Reads [parameters] and [signals]. Refers to `root`.
    ModelTables(const std::string& source, const toml::table& root, const ParameterValues& values);

    const TomlReader& reader() const { return reader_; }
    const std::string& source() const { return source_; }
    const toml::table& root() const { return root_; }

    // The key t0, 0 if it is not there; a text of the root, empty if it is not there.
    double t0() const;
    std::string text(std::string_view key) const;

    // read(name, table) of each table [kind.NAME], in the order of the file.
    template <class Read>
    void each_of(std::string_view kind, Read read) const {
        if (const toml::node* node = root_.get(kind))
            for (const auto& [name, value] : in_order(reader_.table(*node, kind)))
                read(name, reader_.table(*value, fmt::format("{}.{}", kind, name)));
    }

    // What an entry must have, one for each state or row.
    void expect(const toml::node& node, const std::string& key, Index found, Index expected,
                std::string_view what) const;
    void expect(const toml::node& node, const std::string& key, const Matrix& found, Index rows, Index cols,
                std::string_view what) const;

    // Expressions; `count` of them, one `what`, if that is given.
    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables) const;
    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables, Index count,
                      std::string_view what) const;
    Function function(const std::vector<std::string>& texts, const toml::node& node, const std::string& key,
                      std::vector<Symbol> variables) const;

    // The systems which a table names: the only one if it names none.
    std::vector<Index> systems_of(const toml::table& table, const std::string& prefix,
                                  const std::vector<std::string>& names) const;

    // One interval, or a list with one a row: a name, or bounds { lower = -1, upper = 1 }.
    std::vector<Interval> intervals(const toml::node& node, const std::string& key) const;

    // "there is no KIND 'NAME'; did you mean ...?"
    [[noreturn]] void unknown(const toml::node& node, const std::string& key, std::string_view kind,
                              const std::string& name, const std::vector<std::string>& known) const;

private:
    static std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& table);
    void read_parameters(const ParameterValues& values);
    void read_signals();
    Interval interval(const toml::node& node, const std::string& key) const;

    TomlReader reader_;
    std::string source_;
    const toml::table& root_;
    std::map<std::string, std::string, std::less<>> signals_;
};

}  // namespace saltus
