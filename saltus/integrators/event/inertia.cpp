#include "saltus/integrators/event/inertia.hpp"

namespace saltus {

bool VariableInertia::accelerate(double t, const double* q, const double* v, double* a) {
    functions_.evaluate_force(t, q, v, force_);
    functions_.evaluate_mass(q);
    factors_.compute(functions_.mass());
    Eigen::Map<Eigen::VectorXd> result(a, force_.size());
    result = factors_.solve(force_);
    return result.allFinite();
}

void VariableInertia::solve(double* x) const {
    Eigen::Map<Eigen::VectorXd> map(x, force_.size());
    solution_ = factors_.solve(map);
    map = solution_;
}

ConstantInertia::ConstantInertia(const LagrangianSystem& system, double t0)
    : motion_(system, t0, 1.0, 0.0), f_(system.f), arguments_(2 * system.size() + 1), force_(system.size()) {}

bool ConstantInertia::accelerate(double t, const double* q, const double* v, double* a) {
    const Index n = motion_.size();
    Eigen::Map<Eigen::VectorXd> result(a, n);
    motion_.begin(t, t, q, v);
    result = motion_.velocity_change();
    if (!f_.is_empty()) {
        arguments_ << Eigen::Map<const Eigen::VectorXd>(q, n), Eigen::Map<const Eigen::VectorXd>(v, n), t;
        f_.value(arguments_.data(), force_.data());
        motion_.solve(force_.data());
        result += force_;
    }
    return result.allFinite();
}

Inertia make_inertia(const LagrangianSystem& system, double t0) {
    if (system.mass.is_empty()) return Inertia(std::in_place_type<ConstantInertia>, system, t0);
    return Inertia(std::in_place_type<VariableInertia>, system);
}

}  // namespace saltus
