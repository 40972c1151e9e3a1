#pragma once

#include <Eigen/Core>
#include <initializer_list>

namespace saltus::testing {

inline Eigen::VectorXd vector(std::initializer_list<double> entries) {
    return Eigen::Map<const Eigen::VectorXd>(entries.begin(), static_cast<Eigen::Index>(entries.size()));
}

}  // namespace saltus::testing
