#pragma once

#include <pybind11/pybind11.h>

namespace saltus::python {

// One function per file: each adds its classes and functions to the module saltus._saltus. A class comes before the
// functions that return it.
void bind_solution(pybind11::module_& module);
void bind_laws(pybind11::module_& module);
void bind_solver_names(pybind11::module_& module);
void bind_affine_solvers(pybind11::module_& module);
void bind_nonlinear_solvers(pybind11::module_& module);
void bind_friction_solvers(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_models(pybind11::module_& module);
void bind_runs(pybind11::module_& module);
void bind_studies(pybind11::module_& module);

}  // namespace saltus::python
