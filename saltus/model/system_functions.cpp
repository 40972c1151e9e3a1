#include "saltus/model/system_functions.hpp"

#include "saltus/model/model_checks.hpp"

namespace saltus {

namespace {

Eigen::MatrixXd dense_or(const Matrix& matrix, Index n, double diagonal) {
    if (is_absent(matrix)) return diagonal * Eigen::MatrixXd::Identity(n, n);
    return matrix.to_dense();
}

}  // namespace

SystemFunctions::SystemFunctions(const LagrangianSystem& system)
    : system_(system),
      mass_(dense_or(system.M, system.size(), 1.0)),
      damping_(dense_or(system.C, system.size(), 0.0)),
      stiffness_(dense_or(system.K, system.size(), 0.0)),
      arguments_(2 * system.size() + 1),
      value_(system.size()),
      jacobian_(system.size(), 2 * system.size() + 1) {
    if (system_.derives_inertial_terms) mass_slopes_.resize(size() * size(), size());
}

void SystemFunctions::evaluate_mass(const double* q) {
    if (system_.mass.is_empty()) return;
    system_.mass.value(q, mass_.data());
    if (system_.derives_inertial_terms) system_.mass.jacobian(q, mass_slopes_.data());
}

void SystemFunctions::evaluate_force(double t, const double* q, const double* v, Eigen::VectorXd& force) {
    const Index n = size();
    const Eigen::Map<const Eigen::VectorXd> q_map(q, n), v_map(v, n);
    force.noalias() = -stiffness_ * q_map;
    force.noalias() -= damping_ * v_map;
    if (!system_.b.is_empty()) {
        system_.b.value(&t, value_.data());
        force += value_;
    }
    arguments_.head(n) = q_map;
    arguments_.segment(n, n) = v_map;
    arguments_[2 * n] = t;
    if (!system_.f.is_empty()) {
        system_.f.value(arguments_.data(), value_.data());
        force += value_;
    }
    if (system_.derives_inertial_terms) {
        evaluate_mass(q);
        subtract_inertial_terms(v, force);
    }
}

// N_i = sum_jk (dM_ij / dq_k - dM_jk / dq_i / 2) v_j v_k.
void SystemFunctions::subtract_inertial_terms(const double* v, Eigen::VectorXd& force) const {
    for (Index i = 0; i < size(); ++i)
        for (Index j = 0; j < size(); ++j)
            for (Index k = 0; k < size(); ++k)
                force[i] -= (mass_slope(i, j, k) - 0.5 * mass_slope(j, k, i)) * v[j] * v[k];
}

// dN_i / dv_l = sum_k (dM_il / dq_k + dM_ik / dq_l - dM_lk / dq_i) v_k, M being symmetric.
void SystemFunctions::subtract_inertial_tangent(Eigen::MatrixXd& force_v) const {
    for (Index i = 0; i < size(); ++i)
        for (Index l = 0; l < size(); ++l)
            for (Index k = 0; k < size(); ++k)
                force_v(i, l) -=
                    (mass_slope(i, l, k) + mass_slope(i, k, l) - mass_slope(l, k, i)) * arguments_[size() + k];
}

void SystemFunctions::evaluate_tangents(Eigen::MatrixXd& force_q, Eigen::MatrixXd& force_v) {
    const Index n = size();
    force_q = -stiffness_;
    force_v = -damping_;
    if (!system_.f.is_empty()) {
        system_.f.jacobian(arguments_.data(), jacobian_.data());
        force_q += jacobian_.leftCols(n);
        force_v += jacobian_.middleCols(n, n);
    }
    if (system_.derives_inertial_terms) subtract_inertial_tangent(force_v);
}

}  // namespace saltus
