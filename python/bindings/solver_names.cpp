#include "python/bindings/solver_names.hpp"

#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"

namespace saltus::python {

namespace {

py::list names_and_classes(const std::vector<SolverInfo>& family) {
    py::list result;
    for (const SolverInfo& solver : family)
        result.append(py::make_tuple(py::str(solver.name.data(), solver.name.size()),
                                     py::str(solver.problem_class.data(), solver.problem_class.size())));
    return result;
}

py::dict solvers() {
    py::dict result;
    result["affine"] = names_and_classes(affine_family());
    result["ncp"] = names_and_classes(ncp_family());
    result["vi"] = names_and_classes(vi_family());
    result["qp"] = names_and_classes(qp_family());
    result["friction"] = names_and_classes(friction_family());
    result["global-friction"] = names_and_classes(global_friction_family());
    return result;
}

}  // namespace

void bind_solver_names(py::module_& module) {
    define(module, "solvers", solvers, R"(The solvers of each family of problems, the default first.

Returns
-------
dict of str to list of (name, the problems that it is for)
    "affine" is for `solve_lcp`, `solve_mlcp` and `solve_box_vi`, "friction" for `solve_friction` and `solve_one_step`;
    the others are named as their functions.

Examples
--------
>>> import saltus as sl
>>> [name for name, purpose in sl.solvers()["ncp"]]
['newton-josephy', 'semismooth-newton']
)");
}

}  // namespace saltus::python
