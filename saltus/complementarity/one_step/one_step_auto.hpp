#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// The default solver of one-step problems. Each connected component of W is solved separately, by the first of these
// that converges.                                                                         docs/theory.md, the ladder
//   nsgs             a few hundred accelerated sweeps: enough for most problems of rigid bodies
//   admm             few contacts: a few hundred iterations with one factorization, for hyperstatic stacks
//   nsgs, settling   many contacts: thousands of plain sweeps first, for packings
//   clustered-nsgs   many contacts: where Gauss-Seidel cycles in a few places
//   interior-point   where contacts jam: packings with large friction (problems of up to a few hundred contacts)
//   proximal-point   hyperstatic problems that Gauss-Seidel does not finish (up to a few thousand contacts)
//   nsgs             the long way, retreating and settling
//   interior-point, admm  the rest
// If no solver converges, r is the point of least residual, and the message says what was tried.
struct Auto {
    static constexpr std::string_view name = "auto";
    static constexpr std::string_view problem_class = "any; chooses among the others and falls back";

    double tolerance = 1e-8;      // on residual(problem, r)
    int max_iterations = 500000;  // of each solver on the ladder (those with a smaller default keep it)
    int threads = 1;              // for the components; the result does not depend on it
    History history{};            // one solver after the other; only start and end if there are several components

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "of each solver on the ladder");
        visit("threads", threads, "for the connected components; the result does not depend on it");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Auto>);

}  // namespace saltus::one_step
