#include "saltus/integrators/event/basic_rows.hpp"

namespace saltus {

void BasicRows::set(IndexList rows) {
    rows_ = std::move(rows);
    has_matrices_ = false;
}

void BasicRows::set_matrices(const Linearisation& point, const Eigen::MatrixXd& response, bool is_constant) {
    is_constant_ = is_constant;
    has_matrices_ = true;
    y_x_ = point.y_x(rows_, Eigen::all);
    y_lambda_ = point.y_lambda(Eigen::all, rows_);
    r_lambda_ = point.r_lambda(Eigen::all, rows_);
    response_ = response(Eigen::all, rows_);
    split(point);
    factor();
}

void BasicRows::split(const Linearisation& point) {
    const Index m = std::ssize(rows_);
    const Eigen::MatrixXd D = point.y_lambda(rows_, rows_);
    if (D.isZero(0.0)) {
        range_.resize(m, 0);
        null_.setIdentity(m, m);
        return;
    }
    std::tie(range_, null_) = range_and_complement(D, 1e-11);
}

// Rows of K are scaled to one, since y and its derivative have other units.
void BasicRows::factor() {
    const Index m = std::ssize(rows_), ranked = range_.cols();
    K_.resize(m, m);
    K_.topRows(ranked) = range_.transpose() * y_lambda_(rows_, Eigen::all);
    K_.bottomRows(m - ranked) = null_.transpose() * (y_x_ * response_);
    scales_.resize(m);
    for (Index i = 0; i < m; ++i) {
        const double size = K_.row(i).lpNorm<Eigen::Infinity>();
        scales_[i] = size > 0.0 ? 1.0 / size : 1.0;
        K_.row(i) *= scales_[i];
    }
    factors_.compute(K_);
    is_regular_ = factors_.rcond() > 1e-12;
    if (is_regular_) return;
    redundant_.compute(K_, 1e-11);
}

// change_ <- K^-1 rhs_, of rows that are not scaled yet.
void BasicRows::solve() {
    rhs_.array() *= scales_.array();
    change_.resize(rhs_.size());
    if (is_regular_)
        factors_.solve(rhs_, change_);
    else
        change_ = redundant_.solve(rhs_);
}

bool BasicRows::solve_rates(const Linearisation& point, const Eigen::VectorXd& slope) {
    const Index m = std::ssize(rows_);
    y_.resize(m);
    y_dot_.noalias() = y_x_ * slope;
    for (Index i = 0; i < m; ++i) {
        const Index row = rows_[static_cast<std::size_t>(i)];
        y_[i] = point.y[row];
        y_dot_[i] += point.y_t[row];
    }
    rhs_.resize(m);
    rhs_.head(range_.cols()).noalias() = range_.transpose() * y_;
    rhs_.tail(null_.cols()).noalias() = null_.transpose() * y_dot_;
    rhs_ = -rhs_;
    solve();
    if (!change_.allFinite()) return false;
    misfit_.noalias() = K_ * change_;
    misfit_ -= rhs_;
    return misfit_.lpNorm<Eigen::Infinity>() <= 1e-8 * std::max(1.0, rhs_.lpNorm<Eigen::Infinity>());
}

void BasicRows::add_change(Linearisation& point) const {
    for (Index i = 0; i < change_.size(); ++i) point.lambda[rows_[static_cast<std::size_t>(i)]] += change_[i];
    point.r.noalias() += r_lambda_ * change_;
    point.y.noalias() += y_lambda_ * change_;
}

double BasicRows::find_violation(const Linearisation& point) {
    const Index m = std::ssize(rows_);
    y_.resize(m);
    for (Index i = 0; i < m; ++i) y_[i] = point.y[rows_[static_cast<std::size_t>(i)]];
    rhs_.setZero(m);
    rhs_.tail(null_.cols()).noalias() = null_.transpose() * y_;
    rhs_ = -rhs_;
    return rhs_.lpNorm<Eigen::Infinity>();
}

void BasicRows::add_jump(Eigen::VectorXd& x) {
    solve();
    x.noalias() += response_ * change_;
}

}  // namespace saltus
