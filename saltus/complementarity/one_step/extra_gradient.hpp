#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// The extragradient method (Korpelevich 1976) on -F(r) in N_K(r), F(r) = dual(W r + q):
//     y = P_K(r - rho F(r)),   r <- P_K(r - rho F(y)),                                             docs/theory.md (102)
// rho shortened by 2/3 until rho |F(r) - F(y)| <= 0.9 |r - y| (Khobotov 1987) and lengthened by 3/2 where a third of
// that would have been enough. Two products with W per iteration. F is monotone only without friction; with friction
// the method usually converges to moderate accuracy, and gives Newton's method a start.
struct ExtraGradient {
    static constexpr std::string_view name = "extragradient";
    static constexpr std::string_view problem_class = "any mixture of laws, products with W only; low accuracy, starts";

    double tolerance = 1e-8;  // on residual(problem, r)
    int max_iterations = 20000;
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<ExtraGradient>);

}  // namespace saltus::one_step
