#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Alternating direction method of multipliers, local form (Carpentier et al. 2024; Acary et al. 2011 for the shift).
// One unknown t holds both the percussion y and the velocity z:                                    docs/theory.md (100)
//     y = P_K(t),  z = rho (y - t),  (W + rho I) x = rho y + z - q - shift(z) - W_k y,  t <- t + x - y.
// W + rho I is factored once for each rho, which follows the ratio of the two residuals |x - y| and rho |dy|; a factor
// serves at least ten iterations. The map is accelerated (85). For W symmetric or not, of any rank: the skew part W_k
// of a sparse W is kept out of the factored matrix. Needs a factorization of W: not for many thousands of contacts.
struct Admm {
    static constexpr std::string_view name = "admm";
    static constexpr std::string_view problem_class =
        "any mixture of laws, W ill-conditioned or rank deficient, up to some thousand contacts";

    double tolerance = 1e-8;  // on residual(problem, r)
    int max_iterations = 10000;
    double step = 0.0;           // rho in units of the mean diagonal of W; 0: from the spectrum of W
    double balance_ratio = 5.0;  // rho changes when the relative residuals differ by more than this; 0: never
    int memory = 10;             // of Anderson's acceleration; 0: none
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("step", step, "rho in units of the mean diagonal of W; 0: from the spectrum of W");
        visit("balance_ratio", balance_ratio, "of the two residuals, beyond which rho changes; 0: never");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Admm>);

}  // namespace saltus::one_step
