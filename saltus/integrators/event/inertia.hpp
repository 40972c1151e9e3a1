#pragma once

#include "saltus/integrators/lagrangian/free_motion.hpp"

namespace saltus {

// M(q) v' = F(t, q, v) of a system that is not linear.
class NonlinearInertia {
public:
    explicit NonlinearInertia(const LagrangianSystem& system) : functions_(system), force_(system.size()) {}

    // False if something is not finite or M is singular.
    bool accelerate(double t, const double* q, const double* v, double* a);
    // x <- M^-1 x, M of the last accelerate().
    void solve(double* x) const;

private:
    SystemFunctions functions_;
    Eigen::VectorXd force_;
    Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
    mutable Eigen::VectorXd solution_;
};

// The same of a linear one, whose M is factored once.
class LinearInertia {
public:
    LinearInertia(const LagrangianSystem& system, double t0) : motion_(system, t0, 1.0, 0.0) {}

    bool accelerate(double t, const double* q, const double* v, double* a);
    void solve(double* x) const { motion_.solve(x); }

private:
    LinearFreeMotion motion_;  // over a unit of time
};

using Inertia = std::variant<LinearInertia, NonlinearInertia>;

Inertia make_inertia(const LagrangianSystem& system, double t0);

}  // namespace saltus
