#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <type_traits>

namespace saltus::python {

namespace py = pybind11;

template <class Function, class Result, class... Parameters>
constexpr bool has_other_keywords(Result (Function::*)(Parameters...) const) {
    return (std::is_same_v<std::remove_cvref_t<Parameters>, py::kwargs> || ...);
}
// Whether a function object takes other keywords than those that are named: it has a parameter py::kwargs.
template <class Function>
constexpr bool takes_other_keywords() {
    if constexpr (requires { has_other_keywords(&std::remove_cvref_t<Function>::operator()); })
        return has_other_keywords(&std::remove_cvref_t<Function>::operator());
    else
        return false;
}

// The text of a signature, as inspect.signature and help() read it at the beginning of a docstring:
//     name(M, q, *, solver='auto')
//     --
// Made of the arguments that pybind11 is given, it cannot differ from them.
class Signature {
public:
    explicit Signature(const std::string& name, const char* first = nullptr) : text_(name + "(") {
        if (first != nullptr) append(first);
    }
    void add(const py::arg& argument) { append(argument.name); }
    void add(const py::arg_v& argument) {
        append(std::string(argument.name) + "=" +
               (argument.descr != nullptr ? std::string(argument.descr) : std::string(py::repr(argument.value))));
    }
    void add(const py::kw_only&) { append("*"); }
    void add_other_keywords() { append("**options"); }
    std::string before(const std::string& doc) const { return text_ + ")\n--\n\n" + doc; }

private:
    void append(const std::string& part) { text_ += (text_.back() == '(' ? "" : ", ") + part; }
    std::string text_;
};

// module.def with a docstring that begins with the signature.
template <class Function, class... Arguments>
void define(py::module_& module, const char* name, Function&& function, const std::string& doc,
            const Arguments&... arguments) {
    Signature signature(name);
    (signature.add(arguments), ...);
    if (takes_other_keywords<Function>()) signature.add_other_keywords();
    module.def(name, std::forward<Function>(function), signature.before(doc).c_str(), arguments...);
}

// The same for a method.
template <class Class, class Function, class... Arguments>
void define_method(Class& type, const char* name, Function&& function, const std::string& doc,
                   const Arguments&... arguments) {
    Signature signature(name, "self");
    (signature.add(arguments), ...);
    if (takes_other_keywords<Function>()) signature.add_other_keywords();
    type.def(name, std::forward<Function>(function), signature.before(doc).c_str(), arguments...);
}

// The same for a function of the class.
template <class Class, class Function, class... Arguments>
void define_static(Class& type, const char* name, Function&& function, const std::string& doc,
                   const Arguments&... arguments) {
    Signature signature(name);
    (signature.add(arguments), ...);
    type.def_static(name, std::forward<Function>(function), signature.before(doc).c_str(), arguments...);
}

// The same for a constructor: `function` returns the object.
template <class Class, class Function, class... Arguments>
void define_constructor(Class& type, Function&& function, const Arguments&... arguments) {
    Signature signature("__init__", "self");
    (signature.add(arguments), ...);
    type.def(py::init(std::forward<Function>(function)), signature.before("").c_str(), arguments...);
}

}  // namespace saltus::python
