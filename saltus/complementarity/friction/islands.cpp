#include "saltus/complementarity/friction/islands.hpp"

#include <algorithm>

namespace saltus::friction {

SolveReport merged(std::string_view solver, const std::vector<SolveReport>& reports) {
    SolveReport result{.status = SolveStatus::converged, .solver = solver};
    for (const SolveReport& report : reports) {
        result.iterations = std::max(result.iterations, report.iterations);
        if (report.converged()) continue;
        if (result.converged()) result.status = report.status;
        if (result.message.empty()) result.message = report.message;
    }
    return result;
}

}  // namespace saltus::friction
