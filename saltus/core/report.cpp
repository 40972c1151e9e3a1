#include "saltus/core/report.hpp"

#include <fmt/core.h>

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
    if (report.residual <= tolerance) {
        report.status = SolveStatus::converged;
        report.message.clear();
        report.certificate.resize(0);
    } else if (report.status == SolveStatus::converged) {
        report.status = SolveStatus::stalled;
    }
    if (report.status == SolveStatus::iteration_limit && report.message.empty())
        report.message = fmt::format("{} iterations left the residual at {:.1e}, above the tolerance {:.1e}",
                                     report.iterations, report.residual, tolerance);
    return report;
}

}  // namespace saltus
