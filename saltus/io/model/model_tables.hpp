#pragma once

#include <functional>
#include <map>

#include "saltus/core/nearest_name.hpp"
#include "saltus/io/model/model_file.hpp"
#include "saltus/io/model/toml_reader.hpp"
#include "saltus/laws/interval.hpp"
#include "saltus/model/function.hpp"

namespace saltus {

// Calls visit(name, node) for the entries of the table [kind], in the order of the file; never if it does not exist.
using PieceVisitor = std::function<void(const std::string& name, const toml::node& node)>;
void for_each_piece(const toml::table& root, std::string_view kind, const PieceVisitor& visit);

// What the tables of a model file have in common: parameters, signals, expressions over them, names of systems, laws.
class ModelTables {
public:
    // `values` replace those of parameters. Externals must outlive the object.
    explicit ModelTables(const std::string& source, const ParameterValues& values = {},
                         const Externals* externals = nullptr);

    const TomlReader& reader() const { return reader_; }
    const std::string& source() const { return source_; }

    // for_each_piece; throws InvalidInput if [kind] is not a table.
    void for_each(const toml::table& root, const std::string& kind, const PieceVisitor& visit) const;
    // [parameters] and [signals] of a file.
    void add_names(const toml::table& root);
    // A parameter, an expression of those before it.
    void add_parameter(const std::string& name, const toml::node& node);
    // Refuses values for parameters that do not exist.
    void check_values() const;
    // When the model begins.
    void set_t0(const toml::node& node) { t0_ = reader_.number(node, "t0"); }
    double t0() const { return t0_; }
    void add_signal(const std::string& name, const toml::node& node);
    // Reports mistakes in the signals, also in those that nothing uses.
    void check_signals() const;

    // Checks the size of an entry; `what` is "per state", "per row", ... in messages.
    void expect(const toml::node& node, const std::string& key, Index found, Index expected,
                std::string_view what) const;
    void expect(const toml::node& node, const std::string& key, const Matrix& found, Index rows, Index cols,
                std::string_view what) const;

    // Whether the node is an external function of t alone.
    bool is_of_time(const toml::node& node) const;
    // The number of entries: of expressions, or of an external function.
    Index entries(const toml::node& node, const std::string& key) const;
    // Expressions, or an external function. If `count` is given, it must have that many entries, one `what`.
    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables) const;
    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables, Index count,
                      std::string_view what) const;
    Function function(const std::vector<std::string>& texts, const toml::node& node, const std::string& key,
                      std::vector<Symbol> variables) const;

    // The names of the signals.
    std::vector<std::string> signals() const;
    // A signal as a function of these variables. Throws InvalidInput where it needs others.
    Function signal(const std::string& name, std::vector<Symbol> variables) const;

    // The systems that a table names; the only one if it names none.
    std::vector<Index> systems_of(const toml::table& table, const std::string& prefix,
                                  const std::vector<std::string>& names) const;

    // One interval, or a list with one per row: a name, or bounds { lower = -1, upper = 1 }.
    std::vector<Interval> intervals(const toml::node& node, const std::string& key) const;

    // "there is no KIND 'NAME'; did you mean ...?"
    [[noreturn]] void unknown(const toml::node& node, const std::string& key, std::string_view kind,
                              const std::string& name, const std::vector<std::string>& known) const;

private:
    Interval interval(const toml::node& node, const std::string& key) const;

    TomlReader reader_;
    std::string source_;
    ParameterValues values_;
    double t0_ = 0.0;
    std::vector<std::string> parameters_;  // their names, in order
    std::map<std::string, std::string, std::less<>> signals_;
};

}  // namespace saltus
