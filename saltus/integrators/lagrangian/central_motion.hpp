#pragma once

#include "saltus/core/dense.hpp"
#include "saltus/integrators/lagrangian/free_motion.hpp"

namespace saltus {

// The change x of the mean velocity (q_k+1 - q_k) / h of one system over a node t_k, s = (q_k - q_k-1) / h before it,
// without percussions, by Newton's method:
//     R(x) = M(q_k) x - h F(t_k, q_k + h x / 4, s + x / 2),
//     x_free = x - W^-1 R(x),   W = M - h/2 dF/dv - h^2/4 dF/dq.
// x / h is the second difference of the positions, q_k + h x / 4 = (q_k+1 + 2 q_k + q_k-1) / 4, and s + x / 2 =
// (q_k+1 - q_k-1) / (2 h): order 2, and stable for all h where the system is linear. Both classes have the functions
// of a FreeMotion, except that begin() has one time.

// For a linear system this is the theta step with theta = 1/2 from (q_k - h s / 2, s), with the load at t_k.
class LinearCentralMotion {
public:
    LinearCentralMotion(const LagrangianSystem& system, double t0, double h)
        : h_(h), motion_(system, t0, h, 0.5), q_(system.q0), s_(system.v0) {}

    void begin(double t, const double* q, const double* s);
    bool linearise(const double* x, double* x_free) const;
    void solve(double* x) const { motion_.solve(x); }
    double change() const { return motion_.change(); }

private:
    double h_;
    LinearFreeMotion motion_;
    Eigen::VectorXd q_, s_;
};

class NonlinearCentralMotion {
public:
    NonlinearCentralMotion(const LagrangianSystem& system, double h);

    void begin(double t, const double* q, const double* s);
    bool linearise(const double* x, double* x_free);
    void solve(double* x) const;
    double change() const { return change_; }

private:
    double h_, t_ = 0.0;
    SystemFunctions functions_;
    Eigen::VectorXd q_, s_, q_mean_, v_mean_, force_, residual_;
    Eigen::MatrixXd mass_, W_, force_q_, force_v_;
    DenseLu factors_;
    mutable Eigen::VectorXd solution_;
    double change_ = 0.0;
};

using CentralMotion = std::variant<LinearCentralMotion, NonlinearCentralMotion>;

CentralMotion make_central_motion(const LagrangianSystem& system, double t0, double h);

}  // namespace saltus
