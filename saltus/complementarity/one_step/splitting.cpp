#include "saltus/complementarity/one_step/splitting.hpp"

#include <cmath>

namespace saltus::one_step {

namespace {

// Dense factors for small matrices and for those which are at least this full.
constexpr Index small_matrix = 200;
constexpr double dense_fill = 0.2;
// The skew part goes to the right-hand side, one iteration late, while it is smaller than this share of W.
constexpr double small_skew = 0.1;

}  // namespace

FactoredPart::FactoredPart(const Matrix::Sparse& full) {
    const double n = static_cast<double>(full.rows());
    if (full.rows() <= small_matrix || static_cast<double>(full.nonZeros()) > dense_fill * n * n) {
        matrix = Matrix::Dense(full);
        return;
    }
    SymmetricSplit split(full);
    const bool is_small = split.is_symmetric() ||
                          Matrix(split.skew).largest_entry() <= small_skew * Matrix(split.symmetric).largest_entry();
    matrix = is_small ? std::move(split.symmetric) : full;
    if (is_small) skew = std::move(split.skew);
}

void FactoredPart::subtract_skew(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    if (skew.rows() > 0) y.noalias() -= skew * x;
}

Splitting::Splitting(const BlockMatrix& W) : split_(W.to_sparse()), x_(W.rows()) {}

bool Splitting::set_step(double rho) {
    rho_ = rho;
    return factors_.compute(split_.matrix.plus_diagonal(Eigen::VectorXd::Constant(x_.size(), rho)));
}

double Splitting::spectral_step() const {
    constexpr int power_iterations = 20;
    constexpr double smallest = 1e-6, exponent = 0.2;
    Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(x_.size(), [](Index i) { return 1.0 + 0.1 * std::sin(1.0 + i); });
    double largest = 1.0;
    for (int k = 0; k < power_iterations && v.norm() > 0.0; ++k) {
        v.normalize();
        v = split_.matrix * v;
        largest = v.norm();
    }
    if (!(largest > 0.0)) return 1.0;
    return largest * std::sqrt(smallest) * std::pow(smallest, -exponent);
}

void Splitting::advance(const Eigen::VectorXd& c, const Eigen::VectorXd& y, Eigen::VectorXd& t) {
    x_ = 2.0 * rho_ * y - rho_ * t - c;
    split_.subtract_skew(y, x_);
    factors_.solve_in_place(x_);
    t += x_ - y;
}

}  // namespace saltus::one_step
