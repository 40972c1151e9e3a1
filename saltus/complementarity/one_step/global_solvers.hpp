#pragma once

#include <variant>

#include "saltus/complementarity/one_step/global_admm.hpp"
#include "saltus/complementarity/one_step/one_step_solvers.hpp"

namespace saltus::one_step {

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

// The name and problem class of each solver, in the order of the variant.
std::vector<SolverInfo> global_solvers();

// v and r: the first guess on entry (v matters only if the solver keeps M and H), the last point on return.
SolveReport solve(const GlobalSolverChoice& solver, const GlobalFrictionProblem& problem, Eigen::VectorXd& v,
                  Eigen::VectorXd& r);

}  // namespace saltus::one_step
