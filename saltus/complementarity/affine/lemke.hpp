#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Lemke's method on the box form: follows the piecewise linear path                     docs/theory.md (5)-(7)
//     -(M z + q + t d) in N_[l, u](z),   from t large to t = 0,
// by complementary pivots, with the lexicographic rule against cycling. A variable that meets its opposite bound flips
// without a change of basis. A pivot costs O(n^2): the inverse of the basic block is updated, checked every
// `refresh_interval` pivots, and recomputed when it has drifted.
// Ends in a solution for copositive-plus M whenever one exists (so for every positive semidefinite M), for P-matrices,
// and on every bounded box, provided that the equality rows of M are independent. A ray (status ray_termination) is
// returned as the certificate; where it proves that no solution exists (see proves_infeasibility), the status is
// no_solution. Warm start: the basis is built from the guess, and the path starts there; the right active set costs no
// pivots.
struct Lemke {
    static constexpr std::string_view name = "lemke";
    static constexpr std::string_view problem_class =
        "any M, dense, n up to a few thousand; up to rounding certain for copositive-plus, P, bounded boxes";

    double tolerance = 1e-10;    // on residual(problem, z)
    int max_iterations = 10000;  // pivots; as many again from the vertex if the path from the guess fails
    int refresh_interval = 50;
    History history{};  // start and end only: in between z solves another problem

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "pivots");
        visit("refresh_interval", refresh_interval, "pivots between two checks of the inverse");
    }

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<Lemke>);

}  // namespace saltus
