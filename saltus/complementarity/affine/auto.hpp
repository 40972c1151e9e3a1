#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"

namespace saltus {

// The default solver: chooses by size, sparsity and kind of problem, and says in the report which solver answered.
// Every solver verifies the guess first, and the first ones also its active set. The solvers are tried in this order,
// until one converges or proves that there is no solution:
//
//   dense Lcp, n <= 32                   tableau pivoting, then as the next line
//   dense, n <= 3000; sparse, n <= 500   primal-dual active set, Lemke, enumeration, semismooth Newton, interior point
//   larger                               primal-dual active set, interior point, semismooth Newton, Gauss-Seidel
//
// Enumeration runs only where it is short (4096 placements). If no solver converges, z is the point of least residual.
// The status is then that of the solver that knows most (a proof, else a ray, else the last), and the message says what
// was tried and what is known about M.
struct Auto {
    static constexpr std::string_view name = "auto";
    static constexpr std::string_view problem_class = "any; chooses among the others and falls back";

    double tolerance = 1e-10;    // on residual(problem, z)
    int max_iterations = 10000;  // of each solver on the ladder (those with a smaller default keep it)
    History history{};           // one solver after the other; only start and end of the tableau

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "of each solver on the ladder");
    }

    // Memory of the first rung, kept between solves.
    using Workspace = PrimalDualActiveSet::Workspace;

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z, Workspace& workspace) const;
};
static_assert(AffineSolver<Auto>);

}  // namespace saltus
