#include <algorithm>

#include "python/bindings/bindings.hpp"
#include "saltus/core/version.hpp"

namespace {

// Protocols 0 and 1 would make objects without their C++ part, which ends the process.
void raise_pickle_protocol(pybind11::module_& module) {
    namespace py = pybind11;
    for (const auto& [name, member] : py::dict(module.attr("__dict__"))) {
        if (!py::isinstance<py::type>(member) || !py::hasattr(member, "__setstate__")) continue;
        const auto reduce = [](const py::object& self, int protocol) {
            return py::module_::import("builtins").attr("object").attr("__reduce_ex__")(self, std::max(protocol, 2));
        };
        py::setattr(member, "__reduce_ex__", py::cpp_function(reduce, py::is_method(member)));
    }
}

}  // namespace

PYBIND11_MODULE(_saltus, module) {
    using namespace saltus::python;
    module.doc() = "The compiled part of the package saltus, which has the public names.";
    module.attr("__version__") = std::string(saltus::version());
    // Docstrings begin with a signature of ours, which inspect can read.
    pybind11::options options;
    options.disable_function_signatures();
    bind_solution(module);
    bind_laws(module);
    bind_solver_names(module);
    bind_affine_solvers(module);
    bind_nonlinear_solvers(module);
    bind_friction_solvers(module);
    bind_problems(module);
    bind_models(module);
    bind_runs(module);
    bind_studies(module);
    raise_pickle_protocol(module);
}
