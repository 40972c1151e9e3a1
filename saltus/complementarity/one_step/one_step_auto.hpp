#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// The default solver of one-step problems. Each connected component of W is solved apart, by the first of these that
// converges.                                                                              docs/theory.md, the ladder
//   nsgs             some hundred accelerated sweeps: enough for most problems of rigid bodies
//   admm             few contacts: some hundred iterations with one factorization, for hyperstatic stacks
//   nsgs, settling   many contacts: plain sweeps first, thousands, for packings
//   clustered-nsgs   many contacts: where Gauss-Seidel cycles in a few places
//   interior-point   where contacts jam: packings with large friction (problems up to some hundred contacts)
//   proximal-point   hyperstatic problems which Gauss-Seidel does not finish (up to some thousand contacts)
//   nsgs             the long way, retreating and settling
//   interior-point, admm  the rest
// If none converges, r is the point of least residual, and the message says what was tried.
struct Auto {
    static constexpr std::string_view name = "auto";
    static constexpr std::string_view problem_class = "any; chooses among the others and falls back";

    double tolerance = 1e-8;      // on residual(problem, r)
    int max_iterations = 500000;  // of each solver on the ladder (those with a smaller default keep it)
    int threads = 1;              // for the components; the result does not depend on it
    History history{};  // of one solver after the other; start and end only where there are several components

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
