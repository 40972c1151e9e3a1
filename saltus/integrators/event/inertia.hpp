#pragma once

#include "saltus/integrators/lagrangian/free_motion.hpp"

namespace saltus {

// M(q) v' = F(t, q, v).
class VariableInertia {
public:
    explicit VariableInertia(const LagrangianSystem& system) : functions_(system), force_(system.size()) {}

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

// The same of constant M, which is factored once, with C and K as sparse as they are.
class ConstantInertia {
public:
    ConstantInertia(const LagrangianSystem& system, double t0);

    bool accelerate(double t, const double* q, const double* v, double* a);
    void solve(double* x) const { motion_.solve(x); }

private:
    LinearFreeMotion motion_;  // without f, over a unit of time
    Function f_;
    Eigen::VectorXd arguments_, force_;
};

using Inertia = std::variant<ConstantInertia, VariableInertia>;

Inertia make_inertia(const LagrangianSystem& system, double t0);

}  // namespace saltus
