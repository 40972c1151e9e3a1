#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Accelerated projected gradients (Nesterov 1983; Mazhar et al. 2015) on min r.W_s r / 2 + c.r over K:
//     r+ = P_K(y - g / L),  g = W_s y + c,   y = r+ + beta (r+ - r),                               docs/theory.md (101)
// L found by d.W_s d <= L |d|^2 with d = r+ - y, the momentum dropped where g.(r+ - r) > 0. With c = q alone this is
// the convex relaxation, in which sliding contacts lift off. Here c = q + shift(u) + W_k r, updated whenever the
// momentum is dropped and at least every `refresh` iterations: this is Coulomb's law, and W need not be symmetric.
// Needs only products with W.
struct Apgd {
    static constexpr std::string_view name = "apgd";
    static constexpr std::string_view problem_class = "any mixture of laws, products with W only; moderate accuracy";

    double tolerance = 1e-8;     // on residual(problem, r)
    int max_iterations = 20000;  // products with W
    int refresh = 50;
    History history{};  // one number for each step, which may take several products

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "products with W");
        visit("refresh", refresh, "steps between two updates of the frozen terms, at most");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Apgd>);

}  // namespace saltus::one_step
