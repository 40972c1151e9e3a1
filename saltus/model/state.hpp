#pragma once

#include <Eigen/Core>

namespace saltus {

// All that moves. The stacked states of the systems, the stacked multipliers and outputs of the interactions.
struct State {
    double t = 0.0;
    Eigen::VectorXd x{};
    Eigen::VectorXd lambda{};  // or sigma, the measure of the last step: see EulerMoreau::measures
    Eigen::VectorXd y{};
};

}  // namespace saltus
