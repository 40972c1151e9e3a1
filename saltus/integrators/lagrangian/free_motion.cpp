#include "saltus/integrators/lagrangian/free_motion.hpp"

#include "saltus/core/assemble.hpp"
#include "saltus/model/model_checks.hpp"

namespace saltus {

namespace {

using ConstMap = Eigen::Map<const Eigen::VectorXd>;
using Map = Eigen::Map<Eigen::VectorXd>;

// Systems up to this size are solved with an inverse.
constexpr Index small_size = 12;

bool is_diagonal(const Matrix& matrix) {
    if (!matrix.is_sparse()) return matrix.dense().isDiagonal(0.0);
    const Matrix::Sparse& sparse = matrix.sparse();
    for (Index j = 0; j < sparse.cols(); ++j)
        for (Matrix::Sparse::InnerIterator entry(sparse, j); entry; ++entry)
            if (entry.row() != j && entry.value() != 0.0) return false;
    return true;
}

// M + h theta C + h^2 theta^2 K.
Matrix iteration_matrix(const LagrangianSystem& system, double h, double theta) {
    const Index n = system.size();
    const bool is_sparse = system.M.is_sparse() || system.C.is_sparse() || system.K.is_sparse();
    const Matrix identity = is_absent(system.M) ? diagonal_matrix(Eigen::VectorXd::Ones(n)) : Matrix();
    std::vector<MatrixBlock> blocks{{0, 0, is_absent(system.M) ? identity : system.M}};
    if (!is_absent(system.C)) blocks.push_back({0, 0, system.C, h * theta});
    if (!is_absent(system.K)) blocks.push_back({0, 0, system.K, h * h * theta * theta});
    return assemble(n, n, is_sparse ? Storage::sparse : Storage::dense, blocks);
}

}  // namespace

LinearFreeMotion::LinearFreeMotion(const LagrangianSystem& system, double t0, double h, double theta)
    : h_(h),
      theta_(theta),
      C_(system.C),
      K_(system.K),
      b_(system.b),
      has_constant_load_(system.b.is_empty() || system.b.variation() == Variation::constant),
      t_(t0) {
    v_free_ = rhs_ = shifted_ = load_ = Eigen::VectorXd::Zero(system.size());
    if (!b_.is_empty()) b_.value(&t0, load_.data());
    next_load_ = load_;
    factor(system.name, iteration_matrix(system, h, theta));
}

void LinearFreeMotion::factor(const std::string& name, const Matrix& W) {
    if (is_diagonal(W)) {
        diagonal_ = W.diagonal().cwiseInverse();
        require(diagonal_.allFinite(), "system '{}': M + h theta C + (h theta)^2 K is singular", name);
        return;
    }
    require(factors_.compute(W), "system '{}': M + h theta C + (h theta)^2 K is singular", name);
    if (W.rows() > small_size) return;
    inverse_ = Eigen::MatrixXd::Identity(W.rows(), W.rows());
    for (Index j = 0; j < W.rows(); ++j) factors_.solve_in_place(inverse_.col(j));
}

// v_free = v_k + W^-1 h (theta b_k+1 + (1 - theta) b_k - C v_k - K (q_k + h theta v_k)).
void LinearFreeMotion::begin(double t, double t_end, const double* q, const double* v) {
    const ConstMap v_begin(v, size());
    if (!has_constant_load_) {
        if (t_ != t) b_.value(&t, next_load_.data());
        load_.swap(next_load_);
        if (t_end == t)
            next_load_ = load_;
        else
            b_.value(&t_end, next_load_.data());
        t_ = t_end;
        rhs_ = h_ * (theta_ * next_load_ + (1.0 - theta_) * load_);
    } else {
        rhs_ = h_ * load_;
    }
    if (K_.rows() > 0) {
        shifted_ = -h_ * (ConstMap(q, size()) + h_ * theta_ * v_begin);
        K_.multiply_add(shifted_, rhs_);
    }
    if (C_.rows() > 0) {
        shifted_ = -h_ * v_begin;
        C_.multiply_add(shifted_, rhs_);
    }
    solve(rhs_.data());
    change_ = rhs_.lpNorm<Eigen::Infinity>();
    v_free_ = v_begin + rhs_;
}

bool LinearFreeMotion::linearise(const double*, double* v_free) const {
    Map(v_free, size()) = v_free_;
    return std::isfinite(change_);
}

void LinearFreeMotion::solve(double* x) const {
    Map map(x, size());
    if (diagonal_.size() > 0) {
        map.array() *= diagonal_.array();
    } else if (inverse_.size() > 0) {
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, small_size, 1> copy = map;
        map.noalias() = inverse_ * copy;
    } else {
        factors_.solve_in_place(map);
    }
}

NonlinearFreeMotion::NonlinearFreeMotion(const LagrangianSystem& system, double h, double theta)
    : h_(h), theta_(theta), functions_(system) {
    const Index n = system.size();
    q_ = v_ = force_ = q_end_ = force_end_ = residual_ = solution_ = Eigen::VectorXd::Zero(n);
    W_ = force_q_ = force_v_ = Eigen::MatrixXd::Zero(n, n);
}

void NonlinearFreeMotion::begin(double t, double t_end, const double* q, const double* v) {
    t_end_ = t_end;
    q_ = ConstMap(q, size());
    v_ = ConstMap(v, size());
    functions_.evaluate_force(t, q, v, force_);
}

bool NonlinearFreeMotion::linearise(const double* v, double* v_free) {
    const ConstMap v_end(v, size());
    q_end_ = q_ + h_ * (theta_ * v_end + (1.0 - theta_) * v_);
    functions_.evaluate_force(t_end_, q_end_.data(), v, force_end_);
    functions_.evaluate_tangents(force_q_, force_v_);
    q_end_ = theta_ * q_end_ + (1.0 - theta_) * q_;
    functions_.evaluate_mass(q_end_.data());
    residual_ = -h_ * (theta_ * force_end_ + (1.0 - theta_) * force_);
    W_ = functions_.mass() - h_ * theta_ * force_v_ - h_ * h_ * theta_ * theta_ * force_q_;
    if (!residual_.allFinite() || !W_.allFinite()) return false;
    factors_.compute(W_);
    change_ = factors_.solve(residual_).lpNorm<Eigen::Infinity>();
    residual_.noalias() += functions_.mass() * (v_end - v_);
    Map result(v_free, size());
    result = v_end - factors_.solve(residual_);
    return result.allFinite() && std::isfinite(change_);
}

void NonlinearFreeMotion::solve(double* x) const {
    factors_.solve(Map(x, size()), solution_);
    Map(x, size()) = solution_;
}

FreeMotion make_free_motion(const LagrangianSystem& system, double t0, double h, double theta) {
    if (system.is_linear()) return FreeMotion(std::in_place_type<LinearFreeMotion>, system, t0, h, theta);
    return FreeMotion(std::in_place_type<NonlinearFreeMotion>, system, h, theta);
}

}  // namespace saltus
