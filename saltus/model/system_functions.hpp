#pragma once

#include "saltus/model/lagrangian_model.hpp"

namespace saltus {

// The functions of a Lagrangian system at a point, dense: M(q) and
//     F(t, q, v) = b(t) + f(q, v, t) - N(q, v) - C v - K q,   M(q) v' = F + p.                    docs/theory.md (150)
// Only the first evaluation allocates.
class SystemFunctions {
public:
    explicit SystemFunctions(const LagrangianSystem& system);

    Index size() const { return system_.size(); }
    const LagrangianSystem& system() const { return system_; }

    // M and, where inertial terms are derived, dM/dq.
    void evaluate_mass(const double* q);
    const Eigen::MatrixXd& mass() const { return mass_; }

    // F; evaluates the mass too where inertial terms are derived from it.
    void evaluate_force(double t, const double* q, const double* v, Eigen::VectorXd& force);
    // dF/dq without the part of N, which is of second order in the step, and dF/dv, at the point of the last
    // evaluate_force().
    void evaluate_tangents(Eigen::MatrixXd& force_q, Eigen::MatrixXd& force_v);

private:
    // d M_ij / d q_k.
    double mass_slope(Index i, Index j, Index k) const { return mass_slopes_(i + size() * j, k); }
    void subtract_inertial_terms(const double* v, Eigen::VectorXd& force) const;
    void subtract_inertial_tangent(Eigen::MatrixXd& force_v) const;

    LagrangianSystem system_;
    Eigen::MatrixXd mass_, damping_, stiffness_;
    Eigen::MatrixXd mass_slopes_;  // one row per entry of M, one column per coordinate
    Eigen::VectorXd arguments_, value_;
    Eigen::MatrixXd jacobian_;
};

}  // namespace saltus
