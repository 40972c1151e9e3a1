#pragma once

#include "python/bindings/solution.hpp"
#include "python/bindings/solver_arguments.hpp"
#include "saltus/complementarity/affine_box.hpp"
#include "saltus/complementarity/friction/friction_problem.hpp"
#include "saltus/complementarity/friction/one_step_problem.hpp"

namespace saltus::python {

// Other threads of Python run while these solve. `guess` may be None.
Solution solve_affine(const SolverArguments& arguments, const AffineBox& problem, const py::object& guess);
Solution solve_local(const SolverArguments& arguments, const OneStepView& problem, const py::object& guess);
GlobalFrictionSolution solve_global(const SolverArguments& arguments, const GlobalFrictionProblem& problem,
                                    const py::object& guess);

}  // namespace saltus::python
