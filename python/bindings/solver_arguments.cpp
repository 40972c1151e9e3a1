#include "python/bindings/solver_arguments.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"

namespace saltus::python {

namespace {

OptionValue to_option(Argument argument, const py::handle& value) {
    const auto object = py::reinterpret_borrow<py::object>(value);
    if (py::isinstance<py::str>(object)) return to_text(argument, object);
    if (is_flag(object)) return to_flag(argument, object);
    if (PyIndex_Check(object.ptr())) {  // of any array, though only those of one whole number have an index
        if (PyObject* whole = PyNumber_Index(object.ptr()))
            return to_integer(argument, py::reinterpret_steal<py::object>(whole));
        PyErr_Clear();
    }
    return to_real(argument, object);
}

const SolverOption& named_option(const char* function, std::string_view solver,
                                 const std::vector<SolverOption>& options, const std::string& name) {
    try {
        return option_of_name(solver, options, name);
    } catch (const InvalidInput& error) {
        throw py::type_error(fmt::format("{}(): {}", function, error.what()));
    }
}

}  // namespace

void set_options(const char* function, std::string_view solver, const std::vector<SolverOption>& options,
                 const py::kwargs& keywords) {
    for (const auto& [name, value] : keywords) {
        const std::string key = py::str(name);
        assign(solver, named_option(function, solver, options, key), to_option({function, key.c_str()}, value));
    }
}

std::string with_options(std::string doc, const SolverFamily& family) {
    constexpr const char* guess = R"(guess : array, optional
    Where the solver starts; zero if it is not given. A solution is recognised at once.
)";
    const std::string options =
        fmt::format(R"({}solver : str
    One of those of ``saltus.solvers()["{}"]``.
tolerance : float, optional
    The largest residual of a solution; each solver has its default.
max_iterations : int, optional
    Each solver has its default.
history : bool
    Whether the solution keeps the residuals of the iterates.
options : numbers, booleans and texts
    Other options of the solver by name: those of ``saltus.solver_options("{}", solver)``.
)",
                    doc.find("\nguess : ") == std::string::npos ? guess : "", family.name, family.name);
    const std::string_view mark = "{options}\n";
    if (const auto place = doc.find("{options}"); place != std::string::npos)
        doc.replace(place, std::min(mark.size(), doc.size() - place), options);
    return doc;
}

}  // namespace saltus::python
