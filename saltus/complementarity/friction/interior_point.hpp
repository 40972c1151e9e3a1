#pragma once

#include "saltus/complementarity/friction/block_equation.hpp"

namespace saltus::friction {

// Interior point method on second-order cones, with De Saxce's shift differentiated inside Newton's method and
// Mehrotra's corrector in the scaling of Nesterov and Todd; the last digits come from the semismooth Newton method.
//                                                                                  docs/theory.md (86) to (90)
struct InteriorPoint {
    static constexpr std::string_view name = "interior-point";
    static constexpr std::string_view problem_class = "any W, rank deficient too; any law";

    double tolerance = 1e-8;  // on residual(problem, r)
    int max_iterations = 100;
    int polish_iterations = 10;  // of the semismooth Newton method from each r that looks near enough
    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<InteriorPoint>);

}  // namespace saltus::friction
