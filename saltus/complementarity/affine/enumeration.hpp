#pragma once

#include <vector>

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Tries every placement of the variables (lower bound, upper bound, between): 2^n for an Lcp, 3^n for relays. Exact for
// any M: a solution is found if and only if there is one, since a placement whose block M_AA is singular is decided as
// a system of linear inequalities. The status no_solution is therefore a proof; where rounding leaves a placement
// undecided, the status is stalled. The oracle of the tests.
struct Enumeration {
    static constexpr std::string_view name = "enumeration";
    static constexpr std::string_view problem_class =
        "any M, small n (2^n placements, 3^n for relays); proves that none exists";

    double tolerance = 1e-10;      // on residual(problem, z)
    int max_iterations = 1 << 16;  // placements; a problem with more is unsuitable
    History history{};             // start and end only

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "placements; a problem with more is not tried");
    }

    // The first solution met; the placement of the guess is tried first.
    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;

    // One solution for each placement that has any, so at least one per connected piece, without repetition. Throws
    // InvalidInput if there are more than max_iterations placements.
    std::vector<Eigen::VectorXd> solve_all(const AffineBox& problem) const;
};
static_assert(AffineSolver<Enumeration>);

}  // namespace saltus
