#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "saltus/core/report.hpp"

namespace saltus::cli {

// What `saltus solve` tells of one solve.
struct Solution {
    std::string file{};
    std::string_view kind{};  // "lcp", "mlcp" or "relay"
    double tolerance = 0.0;
    double seconds = 0.0;  // of the solver alone
    Eigen::VectorXd z{}, w{};
    SolveReport report{};
};

// One JSON object: problem, size, solver, status, residual, iterations, seconds, z, w; message and certificate when
// there is one. Numbers are written with the digits that give the same bits back; one that is not finite (the residual
// of a diverged iterate) is null, since JSON has no word for it.
std::string to_json(const Solution& solution);

// The same for people. Of a long z and w the first and last rows are shown.
std::string to_table(const Solution& solution);

// "1.25 ms": three digits and a unit from ns to s.
std::string readable_time(double seconds);

}  // namespace saltus::cli
