#include <Eigen/SVD>

#include "saltus/core/dense.hpp"

namespace saltus {

PivotedQr::PivotedQr(const ConstMatrix& M) : qr_(M) {}
Index PivotedQr::rank() const { return qr_.rank(); }
Eigen::VectorXd PivotedQr::solve_vector(const ConstVector& b) const { return qr_.solve(b); }
Eigen::MatrixXd PivotedQr::solve_matrix(const ConstMatrix& B) const { return qr_.solve(B); }
Eigen::MatrixXd PivotedQr::independent_rows() const {
    const Eigen::MatrixXd R = qr_.matrixR().topRows(rank()).triangularView<Eigen::Upper>();
    return R * qr_.colsPermutation().transpose();
}
Eigen::VectorXd PivotedQr::rotated(const ConstVector& b) const {
    return qr_.householderQ().adjoint() * Eigen::VectorXd(b);
}

void LeastSquares::compute(const ConstMatrix& M) { decomposition_.compute(M); }
void LeastSquares::compute(const ConstMatrix& M, double threshold) {
    decomposition_.setThreshold(threshold);
    decomposition_.compute(M);
}
Eigen::VectorXd LeastSquares::solve_vector(const ConstVector& b) const { return decomposition_.solve(b); }
Eigen::MatrixXd LeastSquares::solve_matrix(const ConstMatrix& B) const { return decomposition_.solve(B); }
Eigen::MatrixXd LeastSquares::pseudo_inverse() const { return decomposition_.pseudoInverse(); }

std::pair<Eigen::MatrixXd, Eigen::MatrixXd> range_and_complement(const ConstMatrix& M, double threshold) {
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(M, Eigen::ComputeFullU);
    svd.setThreshold(threshold);
    const Index rank = svd.rank();
    return {svd.matrixU().leftCols(rank), svd.matrixU().rightCols(M.rows() - rank)};
}

}  // namespace saltus
