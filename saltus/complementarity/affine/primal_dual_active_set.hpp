#pragma once

#include <cstdint>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/affine/projected_sweep.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus {

// Primal-dual active set method with sweeps, on the box form. From a point z it predicts the variables between their
// bounds and solves for them, the others at the bound they were predicted to reach:   docs/theory.md (12), (13)
//     A = { i : l_i < z_i - w_i / M_ii < u_i },   M_AA z_A = -(q_A + M_AN z_N).
// Without sweeps (sweeps = 0), this is Newton's method for z = mid(l, z - w, u) (Hintermueller, Ito, Kunisch 2003). A
// right prediction gives the solution in one factorization, and for M-matrices convergence is monotonic; but the set
// may move by only one grid cell per iteration, and for other matrices the method may cycle. So every prediction is
// made after a few cheap projected relaxation sweeps (10), which move the set far. With M symmetric positive definite
// the energy falls in every iteration, and the method always converges (14): Robinson, Feng, Nocedal, Pang 2013. For
// other matrices with a positive diagonal, sweeps are used while they help. A guess that is nearly its own prediction
// (a warm start) is not swept: its own set is tried first.
struct PrimalDualActiveSet {
    static constexpr std::string_view name = "pdas";
    static constexpr std::string_view problem_class =
        "M symmetric positive definite or an M-matrix, dense or large sparse; any M_AA regular with a good guess";

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 200;  // factorizations of M_AA
    int sweeps = 40;           // at most, before each factorization: fewer when the set settles earlier; 0: none
    double relaxation = 1.5;   // of the sweeps, strictly between 0 and 2
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "factorizations");
        visit("sweeps", sweeps, "at most, before each factorization; 0: none");
        visit("relaxation", relaxation, "of the sweeps, strictly between 0 and 2");
    }

    // Memory kept between solves: with a dense symmetric M of constant size a solve then allocates nothing.
    struct Workspace {
        ProjectedSweep sweep;
        Factorization factorization;
        IndexList A;                         // the variables between their bounds
        Eigen::VectorXd target, correction;  // z_N at its bounds; the correction of z_A
        Eigen::VectorXd from, w_from;        // the point from which (13) is solved, and its w
        std::vector<std::uint64_t> visited;  // hashes of the sets factored
    };

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z, Workspace& workspace) const;
};
static_assert(AffineSolver<PrimalDualActiveSet>);

}  // namespace saltus
