#include "python/bindings/bindings.hpp"
#include "python/bindings/laws.hpp"
#include "python/bindings/problem_arguments.hpp"
#include "python/bindings/solve_call.hpp"
#include "python/bindings/solver_names.hpp"
#include "saltus/complementarity/one_step/global_solvers.hpp"

namespace saltus::python {

std::vector<SolverInfo> friction_family() { return solver_list<one_step::SolverChoice>(); }
std::vector<SolverInfo> global_friction_family() { return solver_list<one_step::GlobalSolverChoice>(); }

Solution solve_local(const SolverArguments& arguments, const OneStepView& problem, const py::object& guess) {
    std::vector<double> residuals;
    const auto choice = chosen_solver<one_step::SolverChoice>(arguments, residuals);
    Eigen::VectorXd r = to_guess({arguments.function, "guess"}, guess, problem.size(), "one entry for each row of W");
    return interruptible([&]() -> Solution {
        const py::gil_scoped_release release;
        SolveReport report = std::visit([&](const auto& solver) { return solver.solve(problem, r); }, choice);
        Eigen::VectorXd u = velocity(problem, r);
        return {std::move(report), std::move(r), std::move(u), residuals};
    });
}

GlobalFrictionSolution solve_global(const SolverArguments& arguments, const GlobalFrictionProblem& problem,
                                    const py::object& guess) {
    std::vector<double> residuals;
    const auto choice = chosen_solver<one_step::GlobalSolverChoice>(arguments, residuals);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(problem.f.size());
    Eigen::VectorXd r = to_guess({arguments.function, "guess"}, guess, problem.b.size(), "one entry for each of b");
    return interruptible([&]() -> GlobalFrictionSolution {
        const py::gil_scoped_release release;
        SolveReport report = one_step::solve(choice, problem, v, r);
        Eigen::VectorXd u = problem.b;
        problem.H.transpose_multiply_add(v, u);
        return {{std::move(report), std::move(r), std::move(u), residuals}, std::move(v)};
    });
}

namespace {

Solution solve_friction(const SolverArguments& arguments, const py::object& W, const py::object& q,
                        const py::object& mu, const py::object& dimension, const py::object& rolling,
                        const py::object& guess) {
    const FrictionProblem problem = to_friction_problem(arguments.function, W, q, {mu, dimension, rolling});
    return solve_local(arguments, problem, guess);
}

GlobalFrictionSolution solve_global_friction(const SolverArguments& arguments, const py::object& M, const py::object& H,
                                             const py::object& f, const py::object& b, const py::object& mu,
                                             const py::object& dimension, const py::object& rolling,
                                             const py::object& guess) {
    return solve_global(arguments, to_global_friction_problem(arguments.function, M, H, f, b, {mu, dimension, rolling}),
                        guess);
}

Solution solve_one_step(const SolverArguments& arguments, const py::object& W, const py::object& q,
                        const py::object& laws, const py::object& guess) {
    const char* const function = arguments.function;
    OneStepProblem problem;
    problem.laws = to_laws({function, "laws"}, laws);
    std::vector<int> sizes;
    Index rows = 0;
    for (const Law& law : problem.laws) {
        sizes.push_back(dimension(law));
        rows += dimension(law);
    }
    const Matrix matrix = to_square_matrix({function, "W"}, W);
    require(matrix.rows() == rows, "{}: W has shape ({}, {}); the laws need {} rows", function, matrix.rows(),
            matrix.cols(), rows);
    problem.q = to_vector({function, "q"}, q, rows, "one entry for each row of W");
    problem.W = BlockMatrix(matrix, sizes);
    return solve_local(arguments, problem, guess);
}

constexpr const char* friction_doc = R"(Solve contact with Coulomb friction: with u = W r + q, find for each contact

    0 <= u_N, 0 <= r_N, u_N r_N = 0;   |r_T| <= mu r_N,   r_T = -mu r_N u_T/|u_T| where it slides (u_T /= 0).

The rows of a contact are (N, T) in the plane, (N, T1, T2) in space, (N, T1, T2, M1, M2) with rolling friction.

Parameters
----------
W : array or scipy.sparse matrix, n x n
q : array of n numbers
mu : number or array, one for each contact
dimension : int, optional
    2, 3 or 5 rows per contact; if it is not given, len(q) / len(mu), or 3 (5 with rolling friction) where mu is a
    number.
rolling : number or array, one for each contact; optional
    The coefficients of rolling friction, |r_M| <= rolling r_N.
{options}

Returns
-------
Solution
    With z = r and w = u.

Examples
--------
A body of unit mass that slides: friction takes away as much of its velocity as it can.

>>> import numpy as np
>>> import saltus as sl
>>> sol = sl.solve_friction(np.eye(3), [-1, 4, 3], mu=[0.5])
>>> sol.z.round(6), sol.w[1:].round(6)
(array([ 1. , -0.4, -0.3]), array([3.6, 2.7]))
)";

constexpr const char* global_friction_doc = R"(Solve contact with Coulomb friction in global form,

    M v = H r + f,   u = H' v + b,   and the law of `solve_friction` between u and r.

Parameters
----------
M : array or scipy.sparse matrix, m x m
H : array or scipy.sparse matrix, m x n
f : array of m numbers
b : array of n numbers
mu, dimension, rolling
    As for `solve_friction`.
{options}

Returns
-------
GlobalFrictionSolution
    With z = r, w = u and v.

Examples
--------
>>> import numpy as np
>>> import saltus as sl
>>> sol = sl.solve_global_friction(2 * np.eye(3), np.eye(3), f=[-2, 8, 6], b=[0, 0, 0], mu=[0.5])
>>> sol.z.round(6), sol.v[1:].round(6)
(array([ 2. , -0.8, -0.6]), array([3.6, 2.7]))
)";

constexpr const char* one_step_doc = R"(Solve w = W z + q with one law for each block of rows of w and z.

Joints, ideal diodes, relays and contacts with friction in any mixture: what a step of a simulation has to solve.

Parameters
----------
W : array or scipy.sparse matrix, n x n
q : array of n numbers
laws : list of Equality, Interval, Coulomb2D, Coulomb3D and RollingFriction
    Their dimensions add up to n.
{options}

Returns
-------
Solution

Examples
--------
>>> import numpy as np
>>> import saltus as sl
>>> sol = sl.solve_one_step(np.eye(3), [-1, 4, 2], [sl.Coulomb2D(friction=0.5), sl.Equality()])
>>> sol.z.round(6)
array([ 1. , -0.5, -2. ])
)";

}  // namespace

void bind_friction_solvers(py::module_& module) {
    const SolverFamily local{"friction", friction_family()};
    const auto dimension = py::arg("dimension") = py::none();
    const auto rolling = py::arg("rolling") = py::none();
    const auto guess = py::arg("guess") = py::none();
    define_solver(module, "solve_friction", local, solve_friction, friction_doc, py::arg("W"), py::arg("q"),
                  py::arg("mu"), py::kw_only(), dimension, rolling, guess);
    define_solver(module, "solve_global_friction", {"global-friction", global_friction_family()}, solve_global_friction,
                  global_friction_doc, py::arg("M"), py::arg("H"), py::arg("f"), py::arg("b"), py::arg("mu"),
                  py::kw_only(), dimension, rolling, guess);
    define_solver(module, "solve_one_step", local, solve_one_step, one_step_doc, py::arg("W"), py::arg("q"),
                  py::arg("laws"), py::kw_only(), guess);
}

}  // namespace saltus::python
