#pragma once

#include "python/bindings/arguments.hpp"
#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/complementarity/affine/lcp.hpp"
#include "saltus/complementarity/affine/mlcp.hpp"
#include "saltus/complementarity/one_step/friction_problem.hpp"

namespace saltus::python {

// Problems made from Python's arguments; `function` begins the messages. Sizes are checked here, since a message about
// shapes helps more; numbers that are not finite, intervals and signs by the solvers.

Lcp to_lcp(const char* function, const py::object& M, const py::object& q);
Mlcp to_mlcp(const char* function, const py::object& M, const py::object& q, const py::object& free);
BoxVi to_box_vi(const char* function, const py::object& M, const py::object& q, const py::object& lower,
                const py::object& upper);

// The arguments that give the dimension of contacts: coefficients, one per contact or a number for all, and
// `dimension`.
struct ContactArguments {
    const py::object &mu, &dimension, &rolling;
};
FrictionProblem to_friction_problem(const char* function, const py::object& W, const py::object& q,
                                    const ContactArguments& contacts);
GlobalFrictionProblem to_global_friction_problem(const char* function, const py::object& M, const py::object& H,
                                                 const py::object& f, const py::object& b,
                                                 const ContactArguments& contacts);

}  // namespace saltus::python
