#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "saltus/complementarity/friction/global_solvers.hpp"
#include "saltus/complementarity/nonlinear_solvers.hpp"
#include "saltus/complementarity/qp_solvers.hpp"

namespace saltus::python {

namespace {

template <class Choice>
py::list names_and_classes() {
    py::list result;
    for (const SolverInfo& solver : solver_list<Choice>())
        result.append(py::make_tuple(py::str(solver.name.data(), solver.name.size()),
                                     py::str(solver.problem_class.data(), solver.problem_class.size())));
    return result;
}

py::dict solvers() {
    py::dict result;
    result["affine"] = names_and_classes<AffineSolverChoice>();
    result["ncp"] = names_and_classes<McpSolverChoice>();
    result["vi"] = names_and_classes<ViSolverChoice>();
    result["qp"] = names_and_classes<QpSolverChoice>();
    result["friction"] = names_and_classes<friction::SolverChoice>();
    result["global-friction"] = names_and_classes<friction::GlobalSolverChoice>();
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
