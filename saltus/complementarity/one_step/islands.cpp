#include "saltus/complementarity/one_step/islands.hpp"

#include <algorithm>

namespace saltus::one_step {

SolveReport merged(std::string_view solver, const std::vector<SolveReport>& reports) {
    SolveReport result{.status = SolveStatus::converged, .solver = solver};
    for (const SolveReport& report : reports) {
        result.iterations = std::max(result.iterations, report.iterations);
        if (report.converged() || !result.converged()) continue;
        result.status = report.status;
        result.message = report.message;
    }
    return result;
}

}  // namespace saltus::one_step
