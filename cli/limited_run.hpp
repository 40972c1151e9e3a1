#pragma once

#include <limits>
#include <string_view>

#include "cli/problem_solver.hpp"

namespace saltus::cli {

// How one solve of a comparison ended: nothing that a solver does can stop the comparison.
struct LimitedRun {
    enum class End { returned, time_limit, crashed, refused };  // refused: it threw, say for want of memory
    End end = End::crashed;
    SolveStatus status = SolveStatus::stalled;  // where it returned
    int iterations = 0;
    double residual = std::numeric_limits<double>::infinity();
    double seconds = std::numeric_limits<double>::infinity();

    bool is_solved() const { return end == End::returned && status == SolveStatus::converged; }
    // "converged", ..., the words of SolveStatus; "time-limit", "crashed", "refused".
    std::string_view outcome() const;
};

// solve_problem in a process of its own, ended after `time_limit` seconds.
LimitedRun run_limited(const Problem& problem, const SolverOptions& options, double least_seconds, double time_limit);

}  // namespace saltus::cli
