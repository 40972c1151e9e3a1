#pragma once

#include "saltus/core/matrix.hpp"

namespace saltus {

// Velocities and gaps below this part of their scale are zero.
constexpr double rest_part = 1e-9;

// How large a motion is, so that its tolerances do not depend on units. For coordinate j, since the beginning:
//     V_j = max(|v_j|, T |a_j| / 1000),   L_j = max(|q_j|, T V_j / 1000),                         docs/theory.md (170)
// a the accelerations without contacts and T the time between samples: what begins at rest has a scale too. None is
// below a millionth of the largest of its kind, since rounding of the others reaches that far.
class MotionScale {
public:
    MotionScale(Index coordinates, double T) : T_(T), lengths_(coordinates), speeds_(coordinates) {
        lengths_.setZero();
        speeds_.setZero();
    }

    void include(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                 const Eigen::VectorXd& a);
    const Eigen::VectorXd& lengths() const { return lengths_; }
    const Eigen::VectorXd& speeds() const { return speeds_; }

private:
    double T_;
    Eigen::VectorXd lengths_, speeds_;
};

}  // namespace saltus
