#include "saltus/complementarity/affine/projected_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/complementarity/c_functions.hpp"

namespace saltus {

std::optional<Index> ProjectedSweep::undefined_row(const AffineBox& problem) {
    for (Index i = 0; i < problem.size(); ++i)
        if (!(problem.M(i, i) > 0.0) && problem.lower(i) < problem.upper(i)) return i;
    return std::nullopt;
}

void ProjectedSweep::start(const AffineBox& problem, Eigen::VectorXd& z) {
    problem_ = &problem;
    const Index n = problem.size();
    lower_.resize(n);
    upper_.resize(n);
    inverse_diagonal_.resize(n);
    for (Index i = 0; i < n; ++i) {
        lower_[i] = problem.lower(i);
        upper_[i] = problem.upper(i);
        const double pivot = problem.M(i, i);
        inverse_diagonal_[i] = pivot > 0.0 ? 1.0 / pivot : 0.0;  // 0: sweeps leave z_i where it is
    }
    z = z.cwiseMax(lower_).cwiseMin(upper_);
    jump(z);
}

void ProjectedSweep::jump(const Eigen::VectorXd& z) {
    w_ = problem_->q;
    problem_->M.multiply_add(z, w_);
}

template <class AddColumn>
ProjectedSweep::Outcome ProjectedSweep::pass_with(const AddColumn& add_column, Eigen::VectorXd& z, double relaxation,
                                                  Order order) {
    Outcome outcome;
    const Index n = z.size();
    const double* const lower = lower_.data();
    const double* const upper = upper_.data();
    for (Index step = 0; step < n; ++step) {
        const Index i = order == Order::forward ? step : n - 1 - step;
        const double l = lower[i], u = upper[i], old = z[i], w = w_[i];
        outcome.residual = std::max(outcome.residual, std::abs(natural_map({l, u}, old, w).value));
        const double next = std::min(std::max(old - relaxation * inverse_diagonal_[i] * w, l), u);
        if (next == old) continue;
        z[i] = next;
        add_column(i, next - old);
        outcome.moved = true;
        outcome.crossings += (old <= l || old >= u) != (next <= l || next >= u);
    }
    return outcome;
}

template <class Action>
auto ProjectedSweep::with_columns(const Action& action) {
    double* const w = w_.data();
    if (!problem_->M.is_sparse()) {
        const Eigen::MatrixXd& M = problem_->M.dense();
        return action([&](Index i, double change) { w_.noalias() += change * M.col(i); });
    }
    const Matrix::Sparse& M = problem_->M.sparse();
    const auto* const start = M.outerIndexPtr();
    const auto* const row = M.innerIndexPtr();
    const double* const value = M.valuePtr();
    return action([=](Index i, double change) {
        for (auto k = start[i]; k < start[i + 1]; ++k) w[row[k]] += change * value[k];
    });
}

ProjectedSweep::Outcome ProjectedSweep::pass(Eigen::VectorXd& z, double relaxation, Order order) {
    return with_columns([&](const auto& add_column) { return pass_with(add_column, z, relaxation, order); });
}

void ProjectedSweep::move(Index i, double value, Eigen::VectorXd& z) {
    with_columns([&](const auto& add_column) { add_column(i, value - z[i]); });
    z[i] = value;
}

double ProjectedSweep::natural_residual(const Eigen::VectorXd& z) const {
    double worst = 0.0;
    for (Index i = 0; i < z.size(); ++i)
        worst = std::max(worst, std::abs(natural_map({lower_[i], upper_[i]}, z[i], w_[i]).value));
    return worst;
}

}  // namespace saltus
