#include "python/bindings/bindings.hpp"
#include "saltus/core/version.hpp"

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
}
