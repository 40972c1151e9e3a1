#include "saltus/complementarity/affine/qp_solvers.hpp"

namespace saltus {

SolveReport QpAuto::solve(const Qp& problem, Eigen::VectorXd& z) const {
    constexpr Index dense_limit = 3000;  // beyond, the ladder of Auto has methods that need less memory
    problem.check(name, z);
    check_options(name, tolerance, max_iterations);
    if (!problem.is_sparse() && problem.unknowns() <= dense_limit) {
        const Eigen::VectorXd guess = z;
        SolveReport report = DualActiveSet{tolerance, max_iterations, history}.solve(problem, z);
        if (report.converged() || report.status == SolveStatus::no_solution) return report;
        z = guess;
    }
    return saltus::solve(Auto{tolerance, max_iterations, history}, problem, z);
}

SolveReport solve(const QpSolverChoice& solver, const Qp& problem, Eigen::VectorXd& z) {
    return std::visit(
        [&](const auto& s) {
            if constexpr (requires { s.solve(problem, z); })
                return s.solve(problem, z);
            else
                return solve(s, problem, z);
        },
        solver);
}

}  // namespace saltus
