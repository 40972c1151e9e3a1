#pragma once

#include <array>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/nonlinear/ncp.hpp"

namespace saltus {

// Semismooth Newton on a C-function of each pair (z_i, w_i), globalised by a non-monotone line search on the
// Fischer-Burmeister merit.                                                       docs/theory.md (36) to (40)
// Each iteration tries in turn: Newton on the natural map (skipped with fischer_burmeister), Newton on Phi, both with
// the regularised Jacobian J + nu I, the Levenberg-Marquardt direction; the first that descends and passes the line
// search is taken. Converges quadratically near a solution where every element of the generalised Jacobian is regular
// (De Luca, Facchinei, Kanzow 1996); globally for a P0 function F with bounded level sets of the merit. Elsewhere it
// may end at a stationary point of the merit that is not a solution: status stalled.
// If M is far from definite, the steps may become short: of 100 random triangular P-matrices with 20 rows (condition
// 1e10) 15 are not solved within max_iterations from z = 0, 27 with fischer_burmeister; pivoting solves them all.
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

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("function", function, "whose zero is sought");
        visit("window", window, "merits remembered by the line search; 1: the merit decreases in every step");
    }

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
    // Where F is not finite the step is shortened; if no step is left the status is stalled.
    SolveReport solve(const McpView& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<SemismoothNewton>);

constexpr std::array<std::string_view, 2> option_words(SemismoothNewton::Function) {
    return {"natural", "fischer-burmeister"};
}

}  // namespace saltus
