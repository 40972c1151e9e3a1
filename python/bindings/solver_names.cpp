#include "python/bindings/solver_names.hpp"

#include <fmt/format.h>

#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "saltus/core/check.hpp"

namespace saltus::python {

namespace {

py::list names_and_classes(const std::vector<SolverInfo>& family) {
    py::list result;
    for (const SolverInfo& solver : family)
        result.append(py::make_tuple(py::str(solver.name.data(), solver.name.size()),
                                     py::str(solver.problem_class.data(), solver.problem_class.size())));
    return result;
}

struct Family {
    const char* name;
    std::vector<SolverInfo> (*solvers)();
};
constexpr Family families[] = {
    {"affine", affine_family}, {"ncp", ncp_family},           {"vi", vi_family},
    {"qp", qp_family},         {"friction", friction_family}, {"global-friction", global_friction_family}};

py::dict solvers() {
    py::dict result;
    for (const Family& family : families) result[family.name] = names_and_classes(family.solvers());
    return result;
}

std::string text_of(std::string_view text) { return std::string(text); }

// The one of that name; a ValueError names those that there are.
template <class List, class NameOf>
const auto& named(const List& list, const std::string& name, const char* what, NameOf&& name_of) {
    std::vector<std::string> known;
    for (const auto& entry : list) {
        if (name_of(entry) == name) return entry;
        known.push_back(text_of(name_of(entry)));
    }
    throw InvalidInput(
        fmt::format("solver_options: there is no {} '{}'; there are {}", what, name, fmt::join(known, ", ")));
}

py::list solver_options(const std::string& family, const std::string& solver) {
    const auto list =
        named(families, family, "family", [](const Family& entry) { return std::string_view(entry.name); }).solvers();
    py::list result;
    for (const OptionInfo& option :
         named(list, solver, "solver", [](const SolverInfo& entry) { return entry.name; }).options) {
        const py::object value = std::visit([](const auto& v) -> py::object { return py::cast(v); }, option.value);
        result.append(py::make_tuple(text_of(option.name), value, fmt::format("{}: {}", option.kind, option.meaning)));
    }
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
    define(module, "solver_options", solver_options, R"(The options of a solver, which the functions take by keyword.

Parameters
----------
family : str
    A key of `solvers()`.
solver : str

Returns
-------
list of (name, default, what it is)

Examples
--------
>>> import saltus as sl
>>> for name, default, meaning in sl.solver_options("affine", "pgs")[2:]:
...     print(f"{name} = {default}, {meaning}")
relaxation = 1.0, a number: strictly between 0 and 2
symmetric = False, true or false: forward and backward passes with a line search; M must be symmetric
>>> sl.solve_lcp([[2, 1], [1, 2]], [-5, -6], solver="pgs", relaxation=1.2).success
True
)",
           py::arg("family"), py::arg("solver"));
}

}  // namespace saltus::python
