#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Projected successive over-relaxation on the box form,                                docs/theory.md (10)
//     z_i <- mid(l_i, z_i - relaxation w_i / M_ii, u_i),   i = 1..n.
// Converges for M symmetric positive definite and 0 < relaxation < 2 (Cottle, Pang, Stone 1992, ch. 5), and for M
// strictly diagonally dominant with a positive diagonal and relaxation <= 1. Needs M_ii > 0: an Mlcp with a zero block
// is unsuitable. An iteration is one pass over the variables, two if `symmetric`; it allocates nothing.
struct ProjectedGaussSeidel {
    static constexpr std::string_view name = "pgs";
    static constexpr std::string_view problem_class = "M symmetric positive definite, moderate accuracy, large n";

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 10000;
    double relaxation = 1.0;  // strictly between 0 and 2
    // A forward and a backward pass, then a step along their sum d to the minimiser of f(z) = z.M z / 2 + q.z,
    // projected onto the box and taken if it lowers f (11). M must be symmetric.
    bool symmetric = false;
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "passes");
        visit("relaxation", relaxation, "strictly between 0 and 2");
        visit("symmetric", symmetric, "forward and backward passes with a line search; M must be symmetric");
    }

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<ProjectedGaussSeidel>);

}  // namespace saltus
