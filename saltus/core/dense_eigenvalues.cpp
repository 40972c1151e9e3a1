#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "saltus/core/dense.hpp"

namespace saltus {

Eigen::VectorXd symmetric_eigenvalues(const ConstMatrix& M) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXcd eigenvalues(const ConstMatrix& M) {
    return Eigen::EigenSolver<Eigen::MatrixXd>(M, false).eigenvalues();
}

std::pair<Eigen::MatrixXd, Eigen::MatrixXd> square_roots(const ConstMatrix& M) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M);
    return {eigen.operatorSqrt(), eigen.operatorInverseSqrt()};
}

Eigen::MatrixXd solve_positive_definite(const ConstMatrix& M, const ConstMatrix& B) {
    return Eigen::LDLT<Eigen::MatrixXd>(M).solve(B);
}

}  // namespace saltus
