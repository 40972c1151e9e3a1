#include "saltus/core/dense.hpp"

namespace saltus {

void DenseLu::compute(const ConstMatrix& M) { lu_.compute(M); }
Eigen::VectorXd DenseLu::solve_vector(const ConstVector& b) const { return lu_.solve(b); }
Eigen::MatrixXd DenseLu::solve_matrix(const ConstMatrix& B) const { return lu_.solve(B); }
void DenseLu::solve(const ConstVector& b, Eigen::Ref<Eigen::VectorXd> x) const { x.noalias() = lu_.solve(b); }
Eigen::MatrixXd DenseLu::inverse() const { return lu_.inverse(); }
double DenseLu::rcond() const { return lu_.rcond(); }

FullPivotLu::FullPivotLu(const ConstMatrix& M) : lu_(M) {}
bool FullPivotLu::is_invertible() const { return lu_.isInvertible(); }
Eigen::VectorXd FullPivotLu::solve_vector(const ConstVector& b) const { return lu_.solve(b); }
Eigen::MatrixXd FullPivotLu::solve_matrix(const ConstMatrix& B) const { return lu_.solve(B); }
Eigen::MatrixXd FullPivotLu::inverse() const { return lu_.inverse(); }
Eigen::MatrixXd FullPivotLu::kernel() const {
    if (lu_.dimensionOfKernel() == 0) return Eigen::MatrixXd(lu_.cols(), 0);
    return lu_.kernel();
}

Eigen::MatrixXd inverse(const ConstMatrix& M) { return DenseLu(M).inverse(); }

}  // namespace saltus
