#pragma once

#include "saltus/complementarity/affine_box.hpp"
#include "saltus/complementarity/ncp.hpp"

namespace saltus {

// Semismooth Newton on a C-function of each pair (z_i, w_i), globalised by a non-monotone line search on the
// Fischer-Burmeister merit.                                                       docs/theory.md (36) to (40)
// Each iteration tries in turn: Newton on the natural map (skipped with fischer_burmeister), Newton on Phi, both with
// the regularised Jacobian J + nu I, the Levenberg-Marquardt direction; the first that descends and passes the line
// search is taken. Converges quadratically near a solution where every element of the generalised Jacobian is regular
// (De Luca, Facchinei, Kanzow 1996); globally for a P0 function F with bounded level sets of the merit. Elsewhere it
// may end at a stationary point of the merit that is no solution: status stalled.
// Far from definite the steps may become short: of 100 random triangular P-matrices of 20 rows (condition 1e10) 15 are
// not solved within max_iterations from z = 0, 27 with fischer_burmeister; pivoting solves them all.
struct SemismoothNewton {
    static constexpr std::string_view name = "semismooth-newton";
    static constexpr std::string_view problem_class = "M a P0-matrix (F a P0-function), dense or sparse; often others";

    enum class Function {
        natural,            // z - mid(l, z - w, u): active sets, smaller systems, exact at the end
        fischer_burmeister  // smooth where strict complementarity holds: steadier far from the solution
    };

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 200;
    Function function = Function::natural;
    int window = 8;  // merits remembered by the line search; 1: the merit must decrease in every iteration
    History history{};

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
    // F not finite on the way shortens the step; where no step is left the status is stalled.
    SolveReport solve(const McpView& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<SemismoothNewton>);

}  // namespace saltus
