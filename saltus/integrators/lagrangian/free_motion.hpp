#pragma once

#include <variant>

#include "saltus/core/dense.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/model/system_functions.hpp"

namespace saltus {

// The velocities of one system at the end of a theta step without percussions, by Newton's method:
//     R(v) = M (v - v_k) - h theta F(t_k+1, q, v) - h (1 - theta) F(t_k, q_k, v_k),
//     q = q_k + h (theta v + (1 - theta) v_k),                                                    docs/theory.md (153)
//     v_free = v - W^-1 R(v),   W = M - h theta dF/dv - h^2 theta^2 dF/dq.
// Both classes have the functions
//     void begin(double t, double t_end, const double* q, const double* v);    starts a step at (t_k, q_k, v_k)
//     bool linearise(const double* v, double* v_free);     false if W is singular or F not finite
//     void solve(double* x) const;                         x <- W^-1 x, W of the last linearise()
//     double change() const;                               the largest |v_free - v_k| that forces cause
// which allocate nothing if the system is small or W diagonal.

// M, C, K constant: W is factored once, and v_free does not depend on v.
class LinearFreeMotion {
public:
    LinearFreeMotion(const LagrangianSystem& system, double t0, double h, double theta);

    Index size() const { return v_free_.size(); }
    void begin(double t, double t_end, const double* q, const double* v);
    bool linearise(const double*, double* v_free) const;
    void solve(double* x) const;
    double change() const { return change_; }

private:
    void factor(const std::string& name, const Matrix& W);

    double h_, theta_;
    Matrix C_, K_;
    Function b_;
    bool has_constant_load_;
    double t_;                          // at which next_load_ was evaluated
    Eigen::VectorXd load_, next_load_;  // b at both ends of the step
    Eigen::VectorXd v_free_, rhs_, shifted_;
    double change_ = 0.0;
    // W^-1: the inverses of the entries of a diagonal W, the inverse of a small one, else the factors.
    Eigen::VectorXd diagonal_;
    Eigen::MatrixXd inverse_;
    Factorization factors_;
};

// M(q), f(q, v, t): M is taken at theta q + (1 - theta) q_k, dM/dq left out of W.
class NonlinearFreeMotion {
public:
    NonlinearFreeMotion(const LagrangianSystem& system, double h, double theta);

    Index size() const { return functions_.size(); }
    void begin(double t, double t_end, const double* q, const double* v);
    bool linearise(const double* v, double* v_free);
    void solve(double* x) const;
    double change() const { return change_; }

private:
    double h_, theta_, t_end_ = 0.0;
    SystemFunctions functions_;
    Eigen::VectorXd q_, v_, force_;  // at the beginning of the step
    Eigen::VectorXd q_end_, force_end_, residual_;
    Eigen::MatrixXd W_, force_q_, force_v_;
    DenseLu factors_;
    mutable Eigen::VectorXd solution_;
    double change_ = 0.0;
};

using FreeMotion = std::variant<LinearFreeMotion, NonlinearFreeMotion>;

// x <- W^-1 x of system s: what find_X() takes.
inline auto solve_with(const std::vector<FreeMotion>& motions) {
    return
        [&motions](std::size_t s, double* x) { std::visit([x](const auto& motion) { motion.solve(x); }, motions[s]); };
}

FreeMotion make_free_motion(const LagrangianSystem& system, double t0, double h, double theta);

}  // namespace saltus
