#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Interior point method on second-order cones, with De Saxce's shift differentiated inside Newton's method.
//                                                                                  docs/theory.md (86) to (92)
// Three stages, each used where the one before is not enough:
// - Mehrotra's predictor and corrector in the scaling of Nesterov and Todd: 10 to 25 factorizations where friction is
//   moderate;
// - where its steps become short, the central path, again from the start, followed through its folds (CentralPath):
//   100 to 1000 factorizations, for problems on which all else cycles or stalls (large friction in dense assemblies);
//   both from several starts;
// - from each point that is near enough, a few steps of the semismooth Newton method, for the last digits.
struct InteriorPoint {
    static constexpr std::string_view name = "interior-point";
    static constexpr std::string_view problem_class = "any W, rank deficient too, large friction; any law";

    double tolerance = 1e-8;     // on residual(problem, r)
    int max_iterations = 1500;   // factorizations in total
    int polish_iterations = 10;  // of the semismooth Newton method from one point
    History history{};           // one number for each point that is judged: a step may take several factorizations

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "factorizations in total");
        visit("polish_iterations", polish_iterations, "of the semismooth Newton method from one point");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<InteriorPoint>);

}  // namespace saltus::one_step
