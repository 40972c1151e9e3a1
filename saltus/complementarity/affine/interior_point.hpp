#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"

namespace saltus {

// Mehrotra's predictor-corrector method for monotone problems on the box form. Every finite bound k of a variable i(k)
// has a distance s_k and a multiplier y_k, with sign_k = 1 for a lower and -1 for an upper bound:
//     M z + q = sum_k sign_k y_k e_i(k),   s_k = sign_k (z_i(k) - bound_k),   s_k y_k = mu,   s, y > 0,   mu -> 0.
// docs/theory.md (20)-(23); Mehrotra 1992, Wright 1997. An iteration factors M + diag(sum_k y_k / s_k) once, always
// with the same pattern; 10 to 25 iterations are enough whatever n is. Converges for M positive semidefinite, symmetric
// or not, free variables included (the KKT conditions of a convex quadratic program). Reports that a problem is
// infeasible only when it has proven so, with a certificate. The last step is that of PrimalDualActiveSet from the set
// which the iterates have shown; it reaches the accuracy of one linear solve. Fixed variables (l = u) are eliminated.
struct InteriorPoint {
    static constexpr std::string_view name = "interior-point";
    static constexpr std::string_view problem_class =
        "M positive semidefinite, symmetric or not, dense or sparse; free variables; quadratic programs";

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 100;
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "factorizations");
    }

    SolveReport solve(const AffineBox& problem, Eigen::VectorXd& z) const;
};
static_assert(AffineSolver<InteriorPoint>);

}  // namespace saltus
