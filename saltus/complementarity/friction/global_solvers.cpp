#include "saltus/complementarity/friction/global_solvers.hpp"

#include "saltus/complementarity/friction/global.hpp"

namespace saltus::friction {

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

}  // namespace saltus::friction
