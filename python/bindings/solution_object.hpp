#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "saltus/core/report.hpp"

namespace saltus::python {

// What a solve function returns: the report and the point that it judges.
struct Solution {
    SolveStatus status = SolveStatus::iteration_limit;
    int iterations = 0;
    double residual = 0.0;
    std::string solver, message;
    Eigen::VectorXd z, w, certificate, history;

    Solution() = default;
    Solution(SolveReport report, Eigen::VectorXd z_, Eigen::VectorXd w_, const std::vector<double>& residuals);
    bool success() const { return status == SolveStatus::converged; }
};

// z = (x, y, lambda).
struct QpSolution : Solution {
    Eigen::VectorXd x, y, lambda;
};

// z = r, w = u.
struct GlobalFrictionSolution : Solution {
    Eigen::VectorXd v;
};

}  // namespace saltus::python
