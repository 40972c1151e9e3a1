#pragma once

#include <concepts>
#include <optional>

#include "python/bindings/solution_object.hpp"
#include "python/bindings/solver_arguments.hpp"
#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::python {

// What solve() returns. Ctrl-C ends it at its next iteration, as KeyboardInterrupt.
template <std::invocable Solve>
auto interruptible(const Solve& solve) {
    std::optional<py::error_already_set> signal;
    Interruption interruption([&] {
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() == 0) return true;
        signal.emplace();
        return false;
    });
    try {
        return solve();
    } catch (const Interrupted&) {
        throw py::error_already_set(*signal);
    }
}

// Other threads of Python run while these solve. `guess` may be None.
Solution solve_affine(const SolverArguments& arguments, const AffineBox& problem, const py::object& guess);
Solution solve_local(const SolverArguments& arguments, const OneStepView& problem, const py::object& guess);
GlobalFrictionSolution solve_global(const SolverArguments& arguments, const GlobalFrictionProblem& problem,
                                    const py::object& guess);

}  // namespace saltus::python
