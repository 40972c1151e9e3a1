#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <utility>

#include "saltus/complementarity/one_step/contact_graph.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/core/threads.hpp"

namespace saltus::one_step {

// The reports of the islands of a problem as one: the iterations of the longest, and the status and message of the
// first that has not converged.
SolveReport merged(std::string_view solver, const std::vector<SolveReport>& reports);

// Solves each connected component of W separately, in parallel on `threads` threads; the result does not depend on
// their number. Each must be within the tolerance by itself, so that a small island counts beside a large one. Half the
// tolerance is asked of each, which usually brings the whole within it; the residual of the whole decides. If there are
// several, the history has only the start and the end of the whole.
template <class Solver>
SolveReport solve_islands(Solver solver, const OneStepView& problem, Eigen::VectorXd& r, int threads) {
    const std::vector<IndexList> parts = islands(problem.W);
    if (parts.size() <= 1) return solver.solve(problem, r);
    const double tolerance = solver.tolerance;
    solver.tolerance = 0.5 * tolerance;
    const History history = std::exchange(solver.history, {});
    history.add([&] { return residual(problem, r); });
    std::vector<SolveReport> reports(parts.size());
    Interruption* const interruption = Interruption::current();
    const auto solve_part = [&](std::size_t k) {
        const Interruption::Scope shared(interruption);
        const OneStepProblem part = restriction(problem, parts[k]);
        Eigen::VectorXd r_part = gather(problem.W, parts[k], r);
        reports[k] = solver.solve(part, r_part);
        if (!reports[k].converged()) reports[k] = conclude(part, r_part, tolerance, std::move(reports[k]));
        scatter(problem.W, parts[k], r_part, r);
    };
    const auto solve_parts = [&] {
        tbb::task_arena(threads).execute([&] { tbb::parallel_for(std::size_t{0}, parts.size(), solve_part); });
    };
    threads = usable_threads(threads);
    if (threads <= 1)
        for (std::size_t k = 0; k < parts.size(); ++k) solve_part(k);
    else if (interruption)
        interruption->watch(solve_parts);
    else
        solve_parts();
    SolveReport report = merged(Solver::name, reports);
    if (report.converged()) return conclude(problem, r, tolerance, std::move(report), history);
    report.residual = residual(problem, r);
    history.add(report.residual);
    return report;
}

}  // namespace saltus::one_step
