#include "saltus/core/updatable_inverse.hpp"

#include "saltus/core/dense.hpp"

namespace saltus {

// A pivot that small beside the entries of its column is rounding.
constexpr double singular_pivot = 1e-14;

void UpdatableInverse::reserve(Index size) {
    if (size <= storage_.rows()) return;
    const Index capacity = std::max<Index>(size, 2 * storage_.rows());
    storage_.conservativeResize(capacity, capacity);
}

bool UpdatableInverse::reset(const Eigen::MatrixXd& K) {
    size_ = 0;
    if (K.rows() == 0) return true;
    const DenseLu lu(K);
    const Eigen::ArrayXd pivots = lu.pivots().array().abs();
    const Eigen::ArrayXd scales = K.cwiseAbs().colwise().maxCoeff().transpose().array();
    if (!(pivots > singular_pivot * scales).all()) return false;
    reserve(K.rows());
    size_ = K.rows();
    active() = lu.inverse();
    return true;
}

void UpdatableInverse::replace_column(Index j, const Eigen::VectorXd& u) {
    for (Index c = 0; c < size_; ++c) {
        const double factor = storage_(j, c) / u[j];
        storage_.col(c).head(size_) -= factor * u.head(size_);
        storage_(j, c) = factor;
    }
}

void UpdatableInverse::replace_row(Index i, const Eigen::VectorXd& v) {
    auto pivot_column = storage_.col(i).head(size_);
    pivot_column /= v[i];
    for (Index c = 0; c < size_; ++c)
        if (c != i) storage_.col(c).head(size_) -= v[c] * pivot_column;
}

void UpdatableInverse::append(const Eigen::VectorXd& u, const Eigen::VectorXd& v, double s) {
    const Index k = size_;
    reserve(k + 1);
    for (Index c = 0; c < k; ++c) {
        storage_.col(c).head(k) += (v[c] / s) * u.head(k);
        storage_(k, c) = -v[c] / s;
    }
    storage_.col(k).head(k) = -u.head(k) / s;
    storage_(k, k) = 1.0 / s;
    size_ = k + 1;
}

void UpdatableInverse::remove(Index i, Index j) {
    const Index last = size_ - 1;
    const double pivot = storage_(j, i);
    for (Index c = 0; c < size_; ++c)
        if (c != i) storage_.col(c).head(size_) -= (storage_(j, c) / pivot) * storage_.col(i).head(size_);
    if (i != last) storage_.col(i).head(size_) = storage_.col(last).head(size_);
    if (j != last) storage_.row(j).head(last) = storage_.row(last).head(last);
    size_ = last;
}

}  // namespace saltus
