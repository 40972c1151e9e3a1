#include "python/bindings/bindings.hpp"
#include "python/bindings/problem_arguments.hpp"
#include "python/bindings/solve_call.hpp"
#include "python/bindings/solver_names.hpp"
#include "saltus/complementarity/affine/qp_solvers.hpp"

namespace saltus::python {

std::vector<SolverInfo> affine_family() { return solver_list<AffineSolverChoice>(); }
std::vector<SolverInfo> qp_family() { return solver_list<QpSolverChoice>(); }

Solution solve_affine(const SolverArguments& arguments, const AffineBox& problem, const py::object& guess) {
    std::vector<double> residuals;
    const auto choice = chosen_solver<AffineSolverChoice>(arguments, residuals);
    Eigen::VectorXd z = to_guess({arguments.function, "guess"}, guess, problem.size(), "one entry for each row of M");
    return interruptible([&]() -> Solution {
        const py::gil_scoped_release release;
        SolveReport report = std::visit([&](const auto& solver) { return solver.solve(problem, z); }, choice);
        Eigen::VectorXd w = slack(problem, z);
        return {std::move(report), std::move(z), std::move(w), residuals};
    });
}

namespace {

Solution solve_lcp(const SolverArguments& arguments, const py::object& M, const py::object& q,
                   const py::object& guess) {
    return solve_affine(arguments, to_lcp(arguments.function, M, q), guess);
}

Solution solve_mlcp(const SolverArguments& arguments, const py::object& M, const py::object& q, const py::object& free,
                    const py::object& guess) {
    return solve_affine(arguments, to_mlcp(arguments.function, M, q, free), guess);
}

Solution solve_box_vi(const SolverArguments& arguments, const py::object& M, const py::object& q,
                      const py::object& lower, const py::object& upper, const py::object& guess) {
    return solve_affine(arguments, to_box_vi(arguments.function, M, q, lower, upper), guess);
}

// The rows of a constraint, `matrix` and `vector` both given or neither.
struct ConstraintArguments {
    const char *matrix_name, *vector_name, *reason;
};
void set_constraint(const char* function, const ConstraintArguments& names, const py::object& matrix,
                    const py::object& vector, Index columns, Matrix& result, Eigen::VectorXd& right_side) {
    if (matrix.is_none() && vector.is_none()) return;
    require(!matrix.is_none() && !vector.is_none(), "{}: {} and {} come together; {} is missing", function,
            names.matrix_name, names.vector_name, matrix.is_none() ? names.matrix_name : names.vector_name);
    result = to_matrix({function, names.matrix_name}, matrix);
    require(result.cols() == columns, "{}: {} has shape ({}, {}); it must have {} columns: one for each entry of c",
            function, names.matrix_name, result.rows(), result.cols(), columns);
    right_side = to_vector({function, names.vector_name}, vector, result.rows(), names.reason);
}

Eigen::VectorXd to_bounds(Argument argument, const py::object& value, Index size) {
    if (value.is_none()) return {};
    return to_filled_vector(argument, value, size, "one entry for each row of H");
}

// A guess of x alone has no multipliers.
Eigen::VectorXd to_qp_guess(Argument argument, const py::object& value, const Qp& problem) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.unknowns());
    if (value.is_none()) return z;
    const Eigen::VectorXd given = to_vector(argument, value);
    if (given.size() != problem.size()) return to_vector(argument, value, z.size(), "x alone, or (x, y, lam)");
    z.head(given.size()) = given;
    return z;
}

QpSolution solve_qp(const SolverArguments& arguments, const py::object& H, const py::object& c, const py::object& A,
                    const py::object& b, const py::object& G, const py::object& h, const py::object& lower,
                    const py::object& upper, const py::object& guess) {
    const char* const function = arguments.function;
    Qp problem{.H = to_square_matrix({function, "H"}, H)};
    const Index n = problem.H.rows();
    problem.c = to_vector({function, "c"}, c, n, "one entry for each row of H");
    set_constraint(function, {"A", "b", "one entry for each row of A"}, A, b, n, problem.A, problem.b);
    set_constraint(function, {"G", "h", "one entry for each row of G"}, G, h, n, problem.G, problem.h);
    problem.lower = to_bounds({function, "lower"}, lower, n);
    problem.upper = to_bounds({function, "upper"}, upper, n);
    std::vector<double> residuals;
    const auto choice = chosen_solver<QpSolverChoice>(arguments, residuals);
    Eigen::VectorXd z = to_qp_guess({function, "guess"}, guess, problem);

    return interruptible([&] {
        const py::gil_scoped_release release;
        SolveReport report = solve(choice, problem, z);
        const BoxVi conditions = kkt(problem);
        QpSolution solution{{std::move(report), z, slack(conditions, z), residuals}, {}, {}, {}};
        solution.x = z.head(n);
        solution.y = z.segment(n, problem.b.size());
        solution.lambda = z.tail(problem.h.size());
        return solution;
    });
}

constexpr const char* lcp_doc = R"(Solve a linear complementarity problem: find z such that

    0 <= z,   0 <= w = M z + q,   z.w = 0.

Parameters
----------
M : array or scipy.sparse matrix, n x n
q : array of n numbers
{options}

Returns
-------
Solution

Examples
--------
>>> import saltus as sl
>>> sol = sl.solve_lcp([[2, 1], [1, 2]], [-5, 6])
>>> sol.z, sol.w
(array([2.5, 0. ]), array([0. , 8.5]))
)";

constexpr const char* mlcp_doc = R"(Solve a mixed linear complementarity problem: find z such that, with w = M z + q,

    w_i = 0 where free[i],   0 <= z_i, 0 <= w_i, z_i w_i = 0 elsewhere.

Parameters
----------
M : array or scipy.sparse matrix, n x n
q : array of n numbers
free : array of n booleans
    True where z_i has no sign and w_i is zero.
{options}

Returns
-------
Solution

Examples
--------
>>> import saltus as sl
>>> sol = sl.solve_mlcp([[2, 1], [1, 2]], [4, 5], free=[True, False])
>>> sol.z.round(6)
array([-2.,  0.])
)";

constexpr const char* box_vi_doc =
    R"(Solve an affine variational inequality on a box: find z such that, with w = M z + q,

    lower <= z <= upper,   w_i >= 0 where z_i = lower_i,   w_i <= 0 where z_i = upper_i,   w_i = 0 between.

With the bounds -1 and 1 it is a relay, -z_i in sign(w_i). ``solve_relay`` is the same function.

Parameters
----------
M : array or scipy.sparse matrix, n x n
q : array of n numbers
lower, upper : numbers or arrays of n numbers
    May be infinite.
{options}

Returns
-------
Solution

Examples
--------
>>> import saltus as sl
>>> sol = sl.solve_box_vi([[2, 1], [1, 2]], [-5, 1])
>>> sol.z, sol.w
(array([ 1., -1.]), array([-4.,  0.]))
)";

constexpr const char* qp_doc = R"(Solve a convex quadratic program, H symmetric and positive semidefinite:

    minimise 1/2 x.H x + c.x   subject to   A x = b,   G x >= h,   lower <= x <= upper.

Parameters
----------
H : array or scipy.sparse matrix, n x n
c : array of n numbers
A, b : array or scipy.sparse matrix with n columns, and an array; optional
G, h : array or scipy.sparse matrix with n columns, and an array; optional
lower, upper : numbers or arrays of n numbers, optional
    May be infinite.
{options}

Returns
-------
QpSolution
    With the minimiser ``x`` and the multipliers ``y`` of A x = b and ``lam`` of G x >= h. A guess is x, or all of them.

Examples
--------
>>> import saltus as sl
>>> sol = sl.solve_qp([[2, 0], [0, 2]], [0, 0], A=[[1, 1]], b=[2], upper=[0.5, 9])
>>> sol.x.round(6), sol.y.round(6)
(array([0.5, 1.5]), array([3.]))
)";

}  // namespace

void bind_affine_solvers(py::module_& module) {
    const SolverFamily affine{"affine", affine_family()};
    define_solver(module, "solve_lcp", affine, solve_lcp, lcp_doc, py::arg("M"), py::arg("q"), py::kw_only(),
                  py::arg("guess") = py::none());
    define_solver(module, "solve_mlcp", affine, solve_mlcp, mlcp_doc, py::arg("M"), py::arg("q"), py::arg("free"),
                  py::kw_only(), py::arg("guess") = py::none());
    define_solver(module, "solve_box_vi", affine, solve_box_vi, box_vi_doc, py::arg("M"), py::arg("q"),
                  py::arg("lower") = -1.0, py::arg("upper") = 1.0, py::kw_only(), py::arg("guess") = py::none());
    module.attr("solve_relay") = module.attr("solve_box_vi");
    define_solver(module, "solve_qp", {"qp", qp_family()}, solve_qp, qp_doc, py::arg("H"), py::arg("c"),
                  py::arg("A") = py::none(), py::arg("b") = py::none(), py::arg("G") = py::none(),
                  py::arg("h") = py::none(), py::arg("lower") = py::none(), py::arg("upper") = py::none(),
                  py::kw_only(), py::arg("guess") = py::none());
}

}  // namespace saltus::python
