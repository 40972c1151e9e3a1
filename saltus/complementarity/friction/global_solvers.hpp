#pragma once

#include <variant>

#include "saltus/complementarity/friction/global_admm.hpp"
#include "saltus/complementarity/friction/solvers.hpp"

namespace saltus::friction {

namespace detail {
template <class Local>
struct WithGlobalSolvers;
template <class... Local>
struct WithGlobalSolvers<std::variant<Local...>> {
    using Choice = std::variant<Local..., GlobalAdmm>;
};
}  // namespace detail

// The solvers of a GlobalFrictionProblem: those of its local form, and those that keep M and H.
using GlobalSolverChoice = detail::WithGlobalSolvers<SolverChoice>::Choice;

// v and r: the first guess on entry (v counts only where the solver keeps M and H), the last point on return.
SolveReport solve(const GlobalSolverChoice& solver, const GlobalFrictionProblem& problem, Eigen::VectorXd& v,
                  Eigen::VectorXd& r);

}  // namespace saltus::friction
