#include "saltus/complementarity/nonlinear/nonlinear_solvers.hpp"

#include <algorithm>
#include <cmath>

#include "python/bindings/bindings.hpp"
#include "python/bindings/solve_call.hpp"
#include "python/bindings/solver_names.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus::python {

namespace {

constexpr const char* entry_each = "one entry for each entry of the guess";

// A function of Python as one of the library. It is called with a copy of z, which it may keep or change. What it
// raises passes through the solver as it is.
VectorFunction to_vector_function(Argument argument, const py::object& value) {
    return [argument, function = to_function(argument, value)](const Eigen::VectorXd& z, Eigen::VectorXd& result) {
        result = to_vector(argument, function(copied_array(z)), z.size(), entry_each);
    };
}

JacobianFunction to_jacobian(Argument argument, const py::object& value) {
    return [argument, function = to_function(argument, value)](const Eigen::VectorXd& z, Matrix& J) {
        J = to_matrix(argument, function(copied_array(z)));
        require(J.rows() == z.size() && J.cols() == z.size(), "{}: {} returned shape ({}, {}); it must be ({}, {})",
                argument.function, argument.name, J.rows(), J.cols(), z.size(), z.size());
    };
}

// Central differences, the default of `jacobian`:
//     J_ij = (F_i(z + h e_j) - F_i(z - h e_j)) / (2 h),   h = cbrt(epsilon) max(1, |z_j|),
// where rounding and truncation are equal, about 1e-10. A point outside [lower, upper] is moved to the bound, since F
// may not be defined beyond; an interval of length zero has no other point than those outside.
JacobianFunction central_differences(const VectorFunction& F, const Eigen::VectorXd& lower,
                                     const Eigen::VectorXd& upper) {
    return [=](const Eigen::VectorXd& z, Matrix& J) {
        const double relative_step = std::cbrt(std::numeric_limits<double>::epsilon());
        const Index n = z.size();
        Eigen::MatrixXd columns(n, n);
        Eigen::VectorXd point = z, above(n), below(n);
        for (Index j = 0; j < n; ++j) {
            const double h = relative_step * std::max(1.0, std::abs(z[j]));
            double right = std::min(z[j] + h, upper[j]), left = std::max(z[j] - h, lower[j]);
            if (!(left < right)) right = z[j] + h, left = z[j] - h;
            point[j] = right;
            F(point, above);
            point[j] = left;
            F(point, below);
            point[j] = z[j];
            columns.col(j) = (above - below) / (right - left);
        }
        J = std::move(columns);
    };
}

// The report of a solve, with w = F(z) at the end.
template <class Choice, class Problem>
Solution solve_nonlinear(const Choice& choice, const Problem& problem, Eigen::VectorXd z,
                         const std::vector<double>& residuals) {
    SolveReport report =
        interruptible([&] { return std::visit([&](const auto& solver) { return solver.solve(problem, z); }, choice); });
    Eigen::VectorXd w(z.size());
    problem.F(z, w);
    return {std::move(report), std::move(z), std::move(w), residuals};
}

Solution solve_ncp(const SolverArguments& arguments, const py::object& F, const py::object& guess,
                   const py::object& jacobian, const py::object& lower, const py::object& upper) {
    const char* const function = arguments.function;
    std::vector<double> residuals;
    const auto choice = chosen_solver<McpSolverChoice>(arguments, residuals);
    const Eigen::VectorXd z = to_vector({function, "guess"}, guess);
    const Index n = z.size();
    Mcp problem{to_vector_function({function, "F"}, F),
                {},
                to_filled_vector({function, "lower"}, lower, n, entry_each),
                to_filled_vector({function, "upper"}, upper, n, entry_each)};
    problem.jacobian = jacobian.is_none() ? central_differences(problem.F, problem.lower, problem.upper)
                                          : to_jacobian({function, "jacobian"}, jacobian);
    const bool is_ncp = (problem.lower.array() == 0.0).all() && (problem.upper.array() == infinity).all();
    if (is_ncp) return solve_nonlinear(choice, Ncp{n, problem.F, problem.jacobian}, z, residuals);
    return solve_nonlinear(choice, problem, z, residuals);
}

Solution solve_vi(const SolverArguments& arguments, const py::object& F, const py::object& project,
                  const py::object& guess) {
    const char* const function = arguments.function;
    std::vector<double> residuals;
    const auto choice = chosen_solver<ViSolverChoice>(arguments, residuals);
    const Eigen::VectorXd z = to_vector({function, "guess"}, guess);
    const VectorFunction projected = to_vector_function({function, "project"}, project);
    const Vi problem{z.size(), to_vector_function({function, "F"}, F), [projected](Eigen::VectorXd& x) {
                         const Eigen::VectorXd copy = x;
                         projected(copy, x);
                     }};
    return solve_nonlinear(choice, problem, z, residuals);
}

constexpr const char* ncp_doc = R"(Solve a nonlinear or mixed complementarity problem: find z such that, with w = F(z),

    lower <= z <= upper,   w_i >= 0 where z_i = lower_i,   w_i <= 0 where z_i = upper_i,   w_i = 0 between.

With the bounds 0 and infinity it is 0 <= z, 0 <= F(z), z.F(z) = 0.

Parameters
----------
F : function of an array of n numbers to an array of n numbers
    What it raises ends the solve and is raised again.
guess : array of n numbers
    Where the solver starts, after a projection on the bounds.
jacobian : function of z to the matrix dF_i/dz_j, an array or scipy.sparse matrix; optional
    Central differences, which call F twice for each variable, if it is not given.
lower, upper : numbers or arrays of n numbers
    May be infinite.
{options}

Returns
-------
Solution

Examples
--------
>>> import numpy as np
>>> import saltus as sl
>>> sol = sl.solve_ncp(lambda z: np.array([z[0]**2 - 2, z[1] + 1]), guess=[1, 1])
>>> sol.z.round(6)
array([1.414214, 0.      ])
)";

constexpr const char* vi_doc = R"(Solve a variational inequality on a closed convex set X: find z in X such that

    F(z).(x - z) >= 0 for all x in X,   that is   z = project(z - F(z)).

Parameters
----------
F : function of an array of n numbers to an array of n numbers
project : function of an array of n numbers to the nearest point of X
    What F and project raise ends the solve and is raised again.
guess : array of n numbers
    Where the solver starts, after a projection.
{options}

Returns
-------
Solution
    With w = F(z).

Examples
--------
The point of the unit disk nearest to (3, 4):

>>> import numpy as np
>>> import saltus as sl
>>> sol = sl.solve_vi(lambda z: z - [3, 4], lambda z: z / max(1, np.linalg.norm(z)), guess=[0, 0])
>>> sol.z.round(6)
array([0.6, 0.8])
)";

}  // namespace

std::vector<SolverInfo> ncp_family() { return solver_list<McpSolverChoice>(); }
std::vector<SolverInfo> vi_family() { return solver_list<ViSolverChoice>(); }

void bind_nonlinear_solvers(py::module_& module) {
    define_solver(module, "solve_ncp", {"ncp", ncp_family()}, solve_ncp, ncp_doc, py::arg("F"), py::arg("guess"),
                  py::kw_only(), py::arg("jacobian") = py::none(), py::arg("lower") = 0.0,
                  py::arg_v("upper", infinity, "math.inf"));
    define_solver(module, "solve_vi", {"vi", vi_family()}, solve_vi, vi_doc, py::arg("F"), py::arg("project"),
                  py::arg("guess"), py::kw_only());
}

}  // namespace saltus::python
