#include "saltus/integrators/event/inertia.hpp"

namespace saltus {

bool VariableInertia::accelerate(double t, const double* q, const double* v, double* a) {
    functions_.evaluate_force(t, q, v, force_);
    functions_.evaluate_mass(q);
    factors_.compute(functions_.mass());
    Eigen::Map<Eigen::VectorXd> result(a, force_.size());
    factors_.solve(force_, result);
    return result.allFinite();
}

void VariableInertia::solve(double* x) const {
    Eigen::Map<Eigen::VectorXd> map(x, force_.size());
    solution_.resize(map.size());
    factors_.solve(map, solution_);
    map = solution_;
}

ConstantInertia::ConstantInertia(const LagrangianSystem& system, double t0)
    : mass_(system, t0, 1.0, 0.0), C_(system.C), K_(system.K), b_(system.b), f_(system.f) {
    const Index n = system.size();
    arguments_ = Eigen::VectorXd::Zero(2 * n + 1);
    negative_ = value_ = force_ = load_ = Eigen::VectorXd::Zero(n);
    has_constant_load_ = b_.is_empty() || b_.variation() == Variation::constant;
    if (!b_.is_empty()) b_.value(&t0, load_.data());
}

bool ConstantInertia::accelerate(double t, const double* q, const double* v, double* a) {
    const Index n = force_.size();
    const Eigen::Map<const Eigen::VectorXd> q_map(q, n), v_map(v, n);
    if (!has_constant_load_) b_.value(&t, load_.data());
    force_ = load_;
    if (K_.rows() > 0) {
        negative_ = -q_map;
        K_.multiply_add(negative_, force_);
    }
    if (C_.rows() > 0) {
        negative_ = -v_map;
        C_.multiply_add(negative_, force_);
    }
    if (!f_.is_empty()) {
        arguments_ << q_map, v_map, t;
        f_.value(arguments_.data(), value_.data());
        force_ += value_;
    }
    mass_.solve(force_.data());
    Eigen::Map<Eigen::VectorXd>(a, n) = force_;
    return force_.allFinite();
}

Inertia make_inertia(const LagrangianSystem& system, double t0) {
    if (system.mass.is_empty()) return Inertia(std::in_place_type<ConstantInertia>, system, t0);
    return Inertia(std::in_place_type<VariableInertia>, system);
}

}  // namespace saltus
