#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "python/bindings/document.hpp"
#include "python/bindings/garbage.hpp"
#include "saltus/io/model/simulation_table.hpp"

// The class Document: what saltus.Model is made of. For its users saltus/model.py documents the names and arguments.
namespace saltus::python {

namespace {

py::dict to_dict(const std::vector<std::pair<std::string, double>>& values) {
    py::dict result;
    for (const auto& [name, value] : values) result[py::str(name)] = value;
    return result;
}

Document::External add_function(Document& document, const py::object& value, const py::object& jacobian,
                                const std::vector<std::string>& passed, Index rows, Index cols) {
    return document.add_function({value, jacobian, passed, rows, cols});
}

double number(const Document& document, const std::string& key, const py::object& value,
              const ParameterValues& values) {
    py::dict entry;
    entry["value"] = value;
    return document.number(key, *to_table(entry, key).get("value"), values);
}

py::list initial_states(const Document& document) {
    py::list result;
    for (const auto& [name, values] : document.initial_states()) {
        py::dict arrays;
        for (const auto& [letter, value] : values) arrays[py::str(letter)] = copied_array(value);
        result.append(py::make_tuple(name, arrays));
    }
    return result;
}

const Document& document_itself(const Document& document) { return document; }

// Names and options of the schemes.
py::dict schemes() {
    py::dict result;
    for (const auto& [name, options] : scheme_list()) result[py::str(name)] = py::cast(options);
    return result;
}

}  // namespace

void bind_models(py::module_& module) {
    using py::arg;
    py::class_<Document::External>(module, "External", "Stands for a matrix or a function of a Document.");
    py::class_<Document> type(module, "Document", "The pieces of a model, as a model file has them; see saltus.Model.",
                              collects_functions<Document, document_itself>());
    define_constructor(
        type, [](const std::string& name) { return std::make_unique<Document>(name); }, arg("name"));
    define_static(type, "read", &Document::read, "The pieces of a model file.", arg("path"));
    define_method(type, "copy", &Document::copy, "The same pieces, apart.");
    type.def(py::pickle([](const Document& document) { return document.state(); }, &Document::of_state));
    type.def_property_readonly("name", &Document::name)
        .def_property_readonly("description", &Document::description)
        .def_property_readonly("t0", &Document::t0)
        .def_property_readonly("is_mechanical", &Document::is_mechanical)
        .def_property_readonly("is_text", &Document::is_text)
        .def_property_readonly("has_functions", &Document::has_functions)
        .def_property_readonly("parameters", [](const Document& d) { return to_dict(d.parameters()); })
        .def_property_readonly("pieces", &Document::pieces);
    define_method(type, "set_description", &Document::set_description, "A line for people.", arg("text"));
    define_method(type, "set_t0", &Document::set_t0, "When the model begins.", arg("t0"));
    define_method(type, "add_parameter", &Document::add_parameter, "A number, or an expression of the parameters.",
                  arg("name"), arg("value"));
    define_method(type, "set_parameter", &Document::set_parameter, "Another value for a parameter.", arg("name"),
                  arg("value"));
    define_method(type, "add_signal", &Document::add_signal, "A name for an expression.", arg("name"), arg("text"));
    define_method(type, "add_definition", &Document::add_definition, "A signal that is not checked.", arg("name"),
                  arg("text"));
    define_method(type, "add", &Document::add, "The table [kind.NAME].", arg("kind"), arg("name"), arg("entries"));
    define_method(
        type, "add_matrix",
        [](Document& document, const py::object& matrix, const std::string& key) {
            return document.add_matrix(to_matrix({"Model", key.c_str()}, matrix));
        },
        "What stands for a matrix in entries.", arg("matrix"), arg("key"));
    define_method(type, "add_function", add_function, "What stands for a function in entries.", arg("value"),
                  arg("jacobian"), arg("passed"), arg("rows"), arg("cols"));
    define_method(type, "number", number, "The value of an expression of the parameters.", arg("key"), arg("value"),
                  arg("values"));
    define_method(
        type, "numbers",
        [](const Document& document, const std::string& key, const py::list& list) {
            return copied_array(document.numbers(key, list));
        },
        "The values of expressions of the parameters.", arg("key"), arg("list"));
    define_method(type, "initial_states", initial_states, "The names of the systems, with x, or with q and v.");
    define_method(
        type, "text",
        [](const Document& document, const py::dict& simulation) {
            return document.text({}, to_table(simulation, "simulation"));
        },
        "As a model file, with these entries of [simulation].", arg("simulation"));
    define(module, "schemes", schemes, "Names and options of the schemes.");
}

}  // namespace saltus::python
