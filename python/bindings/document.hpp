#pragma once

#include <pybind11/pybind11.h>

#include <map>

#include "python/bindings/python_function.hpp"
#include "saltus/io/model/model_builder.hpp"
#include "saltus/io/result/result_file.hpp"

namespace saltus::python {

// Whether a whole number of Python becomes one of the table, or a number as others: people write 2 for 2.0.
enum class Integers { become_numbers, kept };
// The entries of a dict, as a table; `key` begins messages. Numbers, texts, lists and dicts, and Document::External.
toml::table to_table(const py::dict& entries, const std::string& key, Integers integers = Integers::become_numbers);

// A model as Python describes it: the pieces of a model file in their order, each checked when it is added, matrices
// and functions that cannot be written as text, and the entries of [simulation].
//
// Values of entries are numbers, texts, True and False, lists and dicts of them, and External.
class Document {
public:
    // Stands for a matrix or a function of this document.
    struct External {
        std::int64_t index = 0;
    };

    explicit Document(const std::string& name);
    // A model file; messages about mistakes name its lines.
    static std::unique_ptr<Document> read(const std::string& path);
    std::unique_ptr<Document> copy() const;

    const std::string& name() const { return name_; }
    const std::string& description() const { return description_; }
    double t0() const { return builder_->tables().t0(); }
    void set_description(const std::string& text);
    void set_t0(double t0);

    // A parameter: a number, or an expression of those before it.
    void add_parameter(const std::string& name, const py::object& value);
    // Another value for an existing parameter: those that depend on it follow.
    void set_parameter(const std::string& name, double value);
    // In their order, with the values in force, or with these.
    ParameterValues parameters(const ParameterValues& given = {}) const;
    void add_signal(const std::string& name, const std::string& text);
    // A signal of the program's own, which is not checked.
    void add_definition(const std::string& name, const std::string& text);
    // A number, or an expression of the parameters, for which `values` are taken.
    double number(const std::string& key, const toml::node& value, const ParameterValues& values) const;
    // The numbers of a list, in which parameters may occur; `key` begins messages.
    Eigen::VectorXd numbers(const std::string& key, const py::list& list) const;
    // A table [KIND.NAME]; kinds are those of model files, view.bodies and view.contacts among them.
    void add(const std::string& kind, const std::string& name, const py::dict& entries);
    External add_matrix(Matrix matrix);
    External add_function(PythonFunction function);

    // Everything that makes it, for pickle, and back.
    py::tuple state() const;
    static std::unique_ptr<Document> of_state(const py::tuple& state);

    // The keys of functions of contacts, joints, ... whose Jacobian is found by differences.
    const std::vector<std::string>& rough_functions() const { return rough_functions_; }
    // Whether a function is written in Python: such models take turns.
    bool has_functions() const { return !functions_.empty(); }
    // Those functions by their place among matrices and functions. They are this document's own: a copy has others.
    const std::map<std::size_t, SharedFunction>& functions() const { return functions_; }
    // The names of the systems with their initial states: x, or q and v.
    std::vector<std::pair<std::string, std::map<std::string, Eigen::VectorXd>>> initial_states() const;
    // The names of the systems and of what couples them, by kind, in their order.
    std::vector<std::pair<std::string, std::string>> pieces() const;
    bool is_mechanical() const { return builder_->is_mechanical(); }

    // What [simulation] of the file says, and what these entries say instead: a scheme without options keeps those of
    // the file as read_simulation does, one with options none. Numbers may be expressions of the parameters, for which
    // `values` are taken.
    TimeStepping options(const toml::table& entries, const ParameterValues& values) const;

    // The model with these values of parameters. Needs no interpreter lock, unless functions are written in Python.
    AnyModel build(const ParameterValues& values = {}) const;
    // Parameters of the model with these values.
    ParameterValues values(const ParameterValues& given) const;

    // As a model file, with these values of parameters and these entries of [simulation]; a placeholder stands for what
    // it cannot hold.
    std::string text(const ParameterValues& given = {}, const toml::table& simulation = {}) const;
    // Whether a model file can hold it.
    bool is_text() const;

private:
    struct Piece {
        std::string kind, name;
        toml::table entries;
    };
    // A single value is the entry `value`.
    static constexpr std::string_view value_key = "value";

    bool spell_out(toml::table& entries) const;
    void check_drawing(const std::string& kind, const std::string& name, const toml::table& table) const;
    void keep(const std::string& kind, const std::string& name, toml::table entries);
    static void add_to(ModelBuilder& builder, const Piece& piece);
    std::unique_ptr<ModelBuilder> make_builder(const ParameterValues& values) const;
    void rebuild();

    std::string name_, description_;
    std::vector<Piece> pieces_;
    std::vector<std::string> rough_functions_;
    ParameterValues values_;  // set after the definition
    toml::table simulation_;
    std::shared_ptr<Externals> externals_ = std::make_shared<Externals>();
    std::map<std::size_t, SharedFunction> functions_{};
    std::unique_ptr<ModelBuilder> builder_;
    mutable std::optional<ResultNames> names_;  // of the model as it is, for drawings
};

}  // namespace saltus::python
