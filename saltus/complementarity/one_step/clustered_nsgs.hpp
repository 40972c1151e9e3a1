#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Gauss-Seidel sweeps that find the contacts which keep them from converging, and solve these in clusters, each as if
// it were one contact.                                                                              docs/theory.md (95)
// Sweeps come in periods. After a period in which |G(r) - r| fell by less than `progress`, the most restless contacts
// join the clusters with their neighbours and the next period is plain; after one that went well, Anderson's
// acceleration is on. For large assemblies with large friction, in which only a few places are difficult: a cluster of
// more than largest_cluster blocks, or of more than a quarter of all blocks, ends the solve.
struct ClusteredNsgs {
    static constexpr std::string_view name = "clustered-nsgs";
    static constexpr std::string_view problem_class = "any; large assemblies in which a few contacts cycle";

    double tolerance = 1e-8;    // on residual(problem, r)
    int max_iterations = 4000;  // sweeps
    int period = 100;           // sweeps, at least 2
    double progress = 0.3;      // in (0, 1)
    double share = 0.1;         // the part of the movement that the contacts which join make up, in (0, 1)
    int largest_cluster = 400;
    int memory = 10;    // of Anderson's acceleration; 0: plain sweeps
    History history{};  // of the swept points

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "sweeps");
        visit("period", period, "sweeps between two decisions, at least 2");
        visit("progress", progress, "of a period that needs no larger clusters, in (0, 1)");
        visit("share", share, "of the movement which the contacts that join make up, in (0, 1)");
        visit("largest_cluster", largest_cluster, "contacts; beyond, the solve ends");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<ClusteredNsgs>);

}  // namespace saltus::one_step
