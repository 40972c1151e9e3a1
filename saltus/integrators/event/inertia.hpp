#pragma once

#include "saltus/core/dense.hpp"
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
    DenseLu factors_;
    mutable Eigen::VectorXd solution_;
};

// The same for a constant M, which is factored once; C and K stay as sparse as they are.
class ConstantInertia {
public:
    ConstantInertia(const LagrangianSystem& system, double t0);

    bool accelerate(double t, const double* q, const double* v, double* a);
    void solve(double* x) const { mass_.solve(x); }

private:
    LinearFreeMotion mass_;  // of which only W = M is used
    Matrix C_, K_;
    Function b_, f_;
    bool has_constant_load_;
    Eigen::VectorXd load_, arguments_, negative_, value_, force_;
};

using Inertia = std::variant<ConstantInertia, VariableInertia>;

Inertia make_inertia(const LagrangianSystem& system, double t0);

}  // namespace saltus
