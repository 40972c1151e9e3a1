#include "saltus/core/report.hpp"

namespace saltus {

std::string_view to_string(SolveStatus status) {
    switch (status) {
        case SolveStatus::converged:
            return "converged";
        case SolveStatus::iteration_limit:
            return "iteration-limit";
        case SolveStatus::no_solution:
            return "no-solution";
        case SolveStatus::ray_termination:
            return "ray-termination";
        case SolveStatus::stalled:
            return "stalled";
        case SolveStatus::unsuitable_problem:
            return "unsuitable-problem";
    }
    return "unknown";
}

SolveReport confirmed(SolveReport report, double tolerance) {
    if (report.residual <= tolerance)
        report.status = SolveStatus::converged;
    else if (report.status == SolveStatus::converged)
        report.status = SolveStatus::stalled;
    return report;
}

}  // namespace saltus
