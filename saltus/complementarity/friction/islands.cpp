#include "saltus/complementarity/friction/islands.hpp"

#include <algorithm>

namespace saltus::friction {

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

}  // namespace saltus::friction
