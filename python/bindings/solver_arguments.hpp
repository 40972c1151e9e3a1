#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "python/bindings/arguments.hpp"
#include "python/bindings/definition.hpp"
#include "saltus/complementarity/solver_list.hpp"

namespace saltus::python {

// The keyword arguments of every solve function, as Python gives them.
struct SolverArguments {
    const char* function;  // the beginning of messages
    py::object solver, tolerance, max_iterations, history;
    py::kwargs options;  // the others of the solver
};

// Sets what the keywords say. A name that is not an option is a TypeError, as with any function.
void set_options(const char* function, std::string_view solver, const std::vector<SolverOption>& options,
                 const py::kwargs& keywords);

// The solver of that name; what is None keeps the default of the solver. It writes its history, where that is wanted,
// to `residuals`.
template <class Choice>
Choice chosen_solver(const SolverArguments& arguments, std::vector<double>& residuals) {
    const bool keeps_history = to_flag({arguments.function, "history"}, arguments.history);
    Choice choice = solver_of_name<Choice>(to_text({arguments.function, "solver"}, arguments.solver));
    std::visit(
        [&](auto& solver) {
            if (!arguments.tolerance.is_none())
                solver.tolerance = to_real({arguments.function, "tolerance"}, arguments.tolerance);
            if (!arguments.max_iterations.is_none())
                solver.max_iterations = to_integer({arguments.function, "max_iterations"}, arguments.max_iterations);
            set_options(arguments.function, solver.name, options_of(solver), arguments.options);
            if (keeps_history) solver.history = {&residuals};
        },
        choice);
    return choice;
}

// A key of saltus.solvers() and its value. The first solver is the default.
struct SolverFamily {
    const char* name;
    std::vector<SolverInfo> solvers;

    py::arg_v default_argument() const { return py::arg("solver") = std::string(solvers.front().name); }
};

// `doc`, in which "{options}" stands for the description of these arguments.
std::string with_options(std::string doc, const SolverFamily& family);

// Defines a function which takes, after its own arguments, those of SolverArguments. They are the keywords after
// py::kw_only(), which `own_arguments` has to contain.
template <class Result, class... Own, class... OwnArguments>
void define_solver(py::module_& module, const char* name, const SolverFamily& family,
                   Result (*function)(const SolverArguments&, Own...), const char* doc,
                   const OwnArguments&... own_arguments) {
    define(
        module, name,
        [name, function](Own... own, const py::object& solver, const py::object& tolerance,
                         const py::object& max_iterations, const py::object& history, const py::kwargs& options) {
            return function({name, solver, tolerance, max_iterations, history, options}, own...);
        },
        with_options(doc, family), own_arguments..., family.default_argument(), py::arg("tolerance") = py::none(),
        py::arg("max_iterations") = py::none(), py::arg("history") = false);
}

// Defines the method solve(guess, ...) of a class of problems; the same keywords.
template <class Class, class Result, class Problem>
void define_solve_method(Class& type, const SolverFamily& family,
                         Result (*function)(const SolverArguments&, const Problem&, const py::object& guess)) {
    define_method(
        type, "solve",
        [function](const Problem& problem, const py::object& guess, const py::object& solver,
                   const py::object& tolerance, const py::object& max_iterations, const py::object& history,
                   const py::kwargs& options) {
            return function({"solve", solver, tolerance, max_iterations, history, options}, problem, guess);
        },
        with_options("Solve the problem.\n\nParameters\n----------\n{options}", family), py::kw_only(),
        py::arg("guess") = py::none(), family.default_argument(), py::arg("tolerance") = py::none(),
        py::arg("max_iterations") = py::none(), py::arg("history") = false);
}

}  // namespace saltus::python
