#include "saltus/core/check.hpp"

#include <cmath>

namespace saltus {

void check_options(std::string_view solver, double tolerance, int max_iterations) {
    require(tolerance >= 0.0 && std::isfinite(tolerance), "{}: tolerance is {}; it must be a number, zero or more",
            solver, tolerance);
    require(max_iterations >= 0, "{}: max_iterations is {}; it must be zero or more", solver, max_iterations);
}

}  // namespace saltus
