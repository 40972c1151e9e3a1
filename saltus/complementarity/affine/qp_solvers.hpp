#pragma once

#include <variant>

#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/affine/dual_active_set.hpp"
#include "saltus/complementarity/affine/qp.hpp"

namespace saltus {

// The default solver of a Qp. If everything is dense, with at most 3000 unknowns: the dual active set. Otherwise, or if
// that neither converges nor proves that no x meets the constraints (H only semidefinite): Auto on the
// Karush-Kuhn-Tucker conditions.
struct QpAuto {
    static constexpr std::string_view name = "auto";
    static constexpr std::string_view problem_class = "any; chooses among the others and falls back";

    double tolerance = 1e-10;    // on residual(problem, z)
    int max_iterations = 10000;  // of each solver
    History history{};           // one solver after the other

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "of each solver");
    }

    SolveReport solve(const Qp& problem, Eigen::VectorXd& z) const;
};

namespace detail {
template <class Affine>
struct WithQpSolvers;
template <class AffineAuto, class... Others>
struct WithQpSolvers<std::variant<AffineAuto, Others...>> {
    using Choice = std::variant<QpAuto, DualActiveSet, Others...>;
};
}  // namespace detail

// The solvers of a Qp: its own, then those of affine problems, through its KKT conditions.
using QpSolverChoice = detail::WithQpSolvers<AffineSolverChoice>::Choice;

// z is the first guess on entry and the last iterate on return.
SolveReport solve(const QpSolverChoice& solver, const Qp& problem, Eigen::VectorXd& z);

}  // namespace saltus
