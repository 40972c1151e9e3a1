#include "saltus/complementarity/one_step/global_solvers.hpp"

#include "saltus/complementarity/one_step/global.hpp"

namespace saltus::one_step {

std::vector<SolverInfo> global_solvers() { return solver_list<GlobalSolverChoice>(); }

SolveReport solve(const GlobalSolverChoice& solver, const GlobalFrictionProblem& problem, Eigen::VectorXd& v,
                  Eigen::VectorXd& r) {
    return std::visit(
        [&](const auto& s) {
            if constexpr (requires { s.solve(problem, v, r); })
                return s.solve(problem, v, r);
            else
                return solve_global(s, problem, v, r);
        },
        solver);
}

}  // namespace saltus::one_step
