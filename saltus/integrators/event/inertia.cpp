#include "saltus/integrators/event/inertia.hpp"

namespace saltus {

bool NonlinearInertia::accelerate(double t, const double* q, const double* v, double* a) {
    functions_.evaluate_force(t, q, v, force_);
    functions_.evaluate_mass(q);
    factors_.compute(functions_.mass());
    Eigen::Map<Eigen::VectorXd> result(a, force_.size());
    result = factors_.solve(force_);
    return result.allFinite();
}

void NonlinearInertia::solve(double* x) const {
    Eigen::Map<Eigen::VectorXd> map(x, force_.size());
    solution_ = factors_.solve(map);
    map = solution_;
}

bool LinearInertia::accelerate(double t, const double* q, const double* v, double* a) {
    motion_.begin(t, t, q, v);
    Eigen::Map<Eigen::VectorXd>(a, motion_.size()) = motion_.velocity_change();
    return std::isfinite(motion_.change());
}

Inertia make_inertia(const LagrangianSystem& system, double t0) {
    if (system.is_linear()) return Inertia(std::in_place_type<LinearInertia>, system, t0);
    return Inertia(std::in_place_type<NonlinearInertia>, system);
}

}  // namespace saltus
