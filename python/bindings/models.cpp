#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/document.hpp"
#include "saltus/integrators/scheme_choice.hpp"

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

py::list initial_states(const Document& document) {
    py::list result;
    for (const auto& [name, values] : document.initial_states()) {
        py::dict arrays;
        for (const auto& [letter, value] : values) arrays[py::str(letter)] = copied_array(value);
        result.append(py::make_tuple(name, arrays));
    }
    return result;
}

// A first-order model: its structure; a Lagrangian one: what is violated at the beginning.
std::string choice_reason(const Document& document) {
    const AnyModel model = document.build();
    const Model* first_order = std::get_if<Model>(&model);
    if (!first_order) return "";
    return choose_scheme(*first_order, diagnose(*first_order)).reason;
}

}  // namespace

void bind_models(py::module_& module) {
    py::class_<Document::External>(module, "External", "Stands for a matrix or a function of a Document.");
    py::class_<Document>(module, "Document", "The pieces of a model, as a model file has them; see saltus.Model.")
        .def(py::init<std::string>(), py::arg("name"))
        .def_static("read", &Document::read, py::arg("path"))
        .def("copy", &Document::copy)
        .def_property_readonly("name", &Document::name)
        .def_property("description", &Document::description, &Document::set_description)
        .def_property("t0", &Document::t0, &Document::set_t0)
        .def_property_readonly("is_mechanical", &Document::is_mechanical)
        .def_property_readonly("parameters", [](const Document& d) { return to_dict(d.parameters()); })
        .def_property_readonly("pieces", &Document::pieces)
        .def("add_parameter", &Document::add_parameter, py::arg("name"), py::arg("value"))
        .def("set_parameter", &Document::set_parameter, py::arg("name"), py::arg("value"))
        .def("add_signal", &Document::add_signal, py::arg("name"), py::arg("text"))
        .def("add_definition", &Document::add_definition, py::arg("name"), py::arg("text"))
        .def(
            "numbers",
            [](const Document& document, const std::string& key, const py::list& list) {
                return copied_array(document.numbers(key, list));
            },
            py::arg("key"), py::arg("list"))
        .def("initial_states", initial_states)
        .def("add", &Document::add, py::arg("kind"), py::arg("name"), py::arg("entries"))
        .def(
            "add_matrix",
            [](Document& document, const py::object& matrix, const std::string& key) {
                return document.add_matrix(to_matrix({"Model", key.c_str()}, matrix));
            },
            py::arg("matrix"), py::arg("key"))
        .def("add_function", add_function, py::arg("value"), py::arg("jacobian"), py::arg("passed"), py::arg("rows"),
             py::arg("cols"))
        .def("choice_reason", choice_reason)
        .def("check", [](const Document& document) { document.build(); })
        .def("text", &Document::text);
}

}  // namespace saltus::python
