#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Plane friction, intervals and equalities in any mixture by the exact form (105) and the pivoting and active-set
// methods of saltus::Auto: finite, certain for copositive-plus forms, and able to prove that there is no solution.
// Spatial and rolling friction are unsuitable.
struct LcpForm {
    static constexpr std::string_view name = "lcp";
    static constexpr std::string_view problem_class = "plane friction, intervals and equalities; exact, by pivoting";

    double tolerance = 1e-8;     // on residual(problem, r)
    int max_iterations = 10000;  // of each solver of saltus::Auto
    History history{};           // only start and end, and what the first of two attempts reached

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "of each solver of the affine ladder");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<LcpForm>);

}  // namespace saltus::one_step
