#include "saltus/integrators/lagrangian/central_motion.hpp"

namespace saltus {

using ConstMap = Eigen::Map<const Eigen::VectorXd>;
using Map = Eigen::Map<Eigen::VectorXd>;

void LinearCentralMotion::begin(double t, const double* q, const double* s) {
    s_ = ConstMap(s, s_.size());
    q_ = ConstMap(q, q_.size()) - 0.5 * h_ * s_;
    motion_.begin(t, t, q_.data(), s_.data());
}

bool LinearCentralMotion::linearise(const double* x, double* x_free) const {
    const bool is_finite = motion_.linearise(x, x_free);
    Map(x_free, s_.size()) -= s_;
    return is_finite;
}

NonlinearCentralMotion::NonlinearCentralMotion(const LagrangianSystem& system, double h) : h_(h), functions_(system) {
    const Index n = system.size();
    q_ = s_ = q_mean_ = v_mean_ = force_ = residual_ = solution_ = Eigen::VectorXd::Zero(n);
    mass_ = W_ = force_q_ = force_v_ = Eigen::MatrixXd::Zero(n, n);
}

void NonlinearCentralMotion::begin(double t, const double* q, const double* s) {
    t_ = t;
    q_ = ConstMap(q, q_.size());
    s_ = ConstMap(s, s_.size());
    functions_.evaluate_mass(q);
    mass_ = functions_.mass();
}

bool NonlinearCentralMotion::linearise(const double* x, double* x_free) {
    const ConstMap x_map(x, q_.size());
    q_mean_ = q_ + 0.25 * h_ * x_map;
    v_mean_ = s_ + 0.5 * x_map;
    functions_.evaluate_force(t_, q_mean_.data(), v_mean_.data(), force_);
    functions_.evaluate_tangents(force_q_, force_v_);
    W_ = mass_ - 0.5 * h_ * force_v_ - 0.25 * h_ * h_ * force_q_;
    if (!force_.allFinite() || !W_.allFinite()) return false;
    factors_.compute(W_);
    residual_ = h_ * force_;
    change_ = factors_.solve(residual_).lpNorm<Eigen::Infinity>();
    residual_.noalias() -= mass_ * x_map;
    Map result(x_free, q_.size());
    result = x_map + factors_.solve(residual_);
    return result.allFinite() && std::isfinite(change_);
}

void NonlinearCentralMotion::solve(double* x) const {
    factors_.solve(Map(x, q_.size()), solution_);
    Map(x, q_.size()) = solution_;
}

CentralMotion make_central_motion(const LagrangianSystem& system, double t0, double h) {
    if (system.is_linear()) return CentralMotion(std::in_place_type<LinearCentralMotion>, system, t0, h);
    return CentralMotion(std::in_place_type<NonlinearCentralMotion>, system, h);
}

}  // namespace saltus
