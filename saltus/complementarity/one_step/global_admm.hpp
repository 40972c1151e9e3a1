#pragma once

#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"

namespace saltus::one_step {

// ADMM on the global form: no W, and only sparse algebra with M and H. With r = P_K(t), z = R^-1 (r - t) the velocity
// that t stands for, and b_s = b + shift(z):                                                       docs/theory.md (104)
//     (M + H R H') v = f + H (2 r - t - R b_s) - M_k v_last,   t <- r - R (H' v + b_s).
// R is diagonal, rho times a unit for each contact (uncoupled_contacts), and rho follows the residuals as in Admm; the
// map is accelerated (85). M need not be symmetric: M_k is the skew part that is not factored, as W_k in Admm.
struct GlobalAdmm {
    static constexpr std::string_view name = "global-admm";
    static constexpr std::string_view problem_class = "global form, M positive definite; sparse M and H, no W";

    double tolerance = 1e-8;  // on residual(problem, v, r)
    int max_iterations = 10000;
    double step = 10.0;          // rho at the start
    double balance_ratio = 5.0;  // as in Admm
    int memory = 10;             // as in Admm
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("step", step, "rho at the start");
        visit("balance_ratio", balance_ratio, "of the two residuals, beyond which rho changes; 0: never");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    // v and r: the first guess on entry, the best point on return.
    SolveReport solve(const GlobalFrictionProblem& problem, Eigen::VectorXd& v, Eigen::VectorXd& r) const;
};

}  // namespace saltus::one_step
