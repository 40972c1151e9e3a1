#include "saltus/complementarity/nonlinear/newton_josephy.hpp"

#include <algorithm>
#include <utility>

#include "saltus/complementarity/nonlinear/box_equation.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

// Solves the affine problem to a residual of z - mid(l, z - w, u) below `accuracy`, where rounding allows; true if it
// is at least as good as the solver's own tolerance. The residual of an affine problem is relative to |q|, that of an
// Mcp is not: the tolerance must be tightened for the last Newton steps to be exact.
bool solve_affine(const AffineSolverChoice& choice, const AffineBox& problem, double accuracy, Eigen::VectorXd& z) {
    constexpr double rounding = 1e-15;
    const double relative = accuracy / std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
    const auto solve = [&](auto solver) {
        const double acceptable = solver.tolerance;
        solver.tolerance = std::clamp(relative, rounding, acceptable);
        return solver.solve(problem, z).residual <= acceptable;
    };
    return std::visit(solve, choice);
}

// The solution of (41) minus z; false where the affine solver did not find it. An Ncp gives an Lcp, so that solvers
// see a problem without upper bounds as such.
bool josephy_direction(const NewtonJosephy& options, const McpView& problem, const NewtonIterate& iterate,
                       const Matrix& J, Eigen::VectorXd& d) {
    const Eigen::VectorXd q = iterate.w() - J * iterate.z();
    if (!q.allFinite()) return false;
    const double accuracy = 0.1 * options.tolerance;
    Eigen::VectorXd target = iterate.z();
    const bool solved =
        problem.is_ncp()
            ? solve_affine(options.affine_solver, Lcp{J, q}, accuracy, target)
            : solve_affine(options.affine_solver, BoxVi{J, q, problem.lower(), problem.upper()}, accuracy, target);
    d = target - iterate.z();
    return solved;
}

}  // namespace

SolveReport NewtonJosephy::solve(const McpView& problem, Eigen::VectorXd& z) const {
    check_options(name, tolerance, max_iterations);
    problem.check(name, z);
    require(window >= 1, "{}: window is {}; it must be at least 1", name, window);
    for (Index i = 0; i < z.size(); ++i) z[i] = problem.interval(i).project(z[i]);
    problem.check_values(name, z);

    SolveReport report{.solver = name};
    const BoxEquation equation(problem);
    NewtonIterate iterate(equation, z);
    MeritWindow merits(window);
    double reached = iterate.residual();
    while (reached > tolerance && report.iterations < max_iterations) {
        check_interruption();
        const Matrix& J = equation.jacobian(iterate.z());
        merits.push(iterate.merit());
        const NewtonIterate::Search search{.reference = merits.reference(), .projected = true};
        const Eigen::VectorXd gradient = iterate.gradient(J);
        Eigen::VectorXd d;
        const bool moved = !J.find_non_finite() && ((josephy_direction(*this, problem, iterate, J, d) &&
                                                     gradient.dot(d) < 0.0 && iterate.advance(d, gradient, search)) ||
                                                    iterate.advance(iterate.cauchy_direction(J), gradient, search));
        if (!moved) {
            report.status = SolveStatus::stalled;
            report.message = "neither the linearised problem nor the gradient of the merit leads on; try another guess";
            break;
        }
        ++report.iterations;
        history.add(std::exchange(reached, iterate.residual()));
    }
    z = iterate.z();
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
