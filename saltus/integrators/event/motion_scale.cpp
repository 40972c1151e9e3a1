#include "saltus/integrators/event/motion_scale.hpp"

namespace saltus {

void MotionScale::include(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                          const Eigen::VectorXd& a) {
    constexpr double part_of_T = 1e-3, least = 1e-6;
    speeds_ = speeds_.cwiseMax(v.cwiseAbs()).cwiseMax(part_of_T * T_ * a.cwiseAbs());
    speeds_ = speeds_.cwiseMax(least * speeds_.maxCoeff());
    lengths_ = lengths_.cwiseMax(q.cwiseAbs()).cwiseMax(part_of_T * T_ * speeds_);
    lengths_ = lengths_.cwiseMax(least * lengths_.maxCoeff());
}

}  // namespace saltus
