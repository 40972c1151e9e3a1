#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <complex>
#include <utility>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Decompositions of dense matrices whose size is known at run time, compiled once: Eigen's templates take seconds in
// every file that calls them. Matrices of a fixed size use Eigen itself. To solve with a problem's matrix, dense or
// sparse, use Factorization (core/factorization.hpp), which scales and chooses.

using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd>;
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;

// What all the decompositions below share: solve(b) for a vector or a matrix of right-hand sides.
template <class Decomposition>
class SolvesDense {
public:
    template <class Right>
    auto solve(const Eigen::MatrixBase<Right>& right) const {
        const auto& self = static_cast<const Decomposition&>(*this);
        if constexpr (Right::ColsAtCompileTime == 1)
            return self.solve_vector(right.derived());
        else
            return self.solve_matrix(right.derived());
    }
};

// P M = L U with partial pivoting, M square.
class DenseLu : public SolvesDense<DenseLu> {
public:
    DenseLu() = default;
    explicit DenseLu(const ConstMatrix& M) { compute(M); }
    void compute(const ConstMatrix& M);

    Eigen::VectorXd solve_vector(const ConstVector& b) const;
    Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
    // x <- M^-1 b. Allocates nothing; x and b must not overlap.
    void solve(const ConstVector& b, Eigen::Ref<Eigen::VectorXd> x) const;
    using SolvesDense<DenseLu>::solve;

    Eigen::MatrixXd inverse() const;
    // An estimate of 1 / (|M| |M^-1|) in the 1-norm. It does not see a pivot that is exactly zero.
    double rcond() const;
    // The diagonal of U.
    auto pivots() const { return lu_.matrixLU().diagonal(); }
    // The sign of det P, 1 or -1.
    int permutation_sign() const { return static_cast<int>(lu_.permutationP().determinant()); }

private:
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

// P M Q = L U with full pivoting, which reveals the rank.
class FullPivotLu : public SolvesDense<FullPivotLu> {
public:
    explicit FullPivotLu(const ConstMatrix& M);

    bool is_invertible() const;
    // Any one of the solutions, if there are any.
    Eigen::VectorXd solve_vector(const ConstVector& b) const;
    Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
    Eigen::MatrixXd inverse() const;
    // A basis of { x : M x = 0 }, one column per vector; no columns if M is regular.
    Eigen::MatrixXd kernel() const;

private:
    Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

// M P = Q R with pivoting of columns.
class PivotedQr : public SolvesDense<PivotedQr> {
public:
    explicit PivotedQr(const ConstMatrix& M);

    Index rank() const;
    Eigen::VectorXd solve_vector(const ConstVector& b) const;
    Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
    // The equations M x = b rotated by Q': the first rank() rows of R P' are independent, the others are zero.
    Eigen::MatrixXd independent_rows() const;
    Eigen::VectorXd rotated(const ConstVector& b) const;

private:
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

// The x of least norm among those for which |M x - b| is least: M may be singular and rectangular.
class LeastSquares : public SolvesDense<LeastSquares> {
public:
    LeastSquares() = default;
    explicit LeastSquares(const ConstMatrix& M) { compute(M); }
    void compute(const ConstMatrix& M);
    // Pivots below threshold times the largest one count as zero.
    void compute(const ConstMatrix& M, double threshold);

    Eigen::VectorXd solve_vector(const ConstVector& b) const;
    Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;
    Eigen::MatrixXd pseudo_inverse() const;

private:
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
};

Eigen::MatrixXd inverse(const ConstMatrix& M);

// The eigenvalues of a symmetric matrix, in ascending order.
Eigen::VectorXd symmetric_eigenvalues(const ConstMatrix& M);
// The eigenvalues of any square matrix.
Eigen::VectorXcd eigenvalues(const ConstMatrix& M);
// M^1/2 and M^-1/2, M symmetric positive definite.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> square_roots(const ConstMatrix& M);
// M^-1 B, M symmetric positive definite.
Eigen::MatrixXd solve_positive_definite(const ConstMatrix& M, const ConstMatrix& B);

// Orthonormal bases of the range of M and of its complement { x : M' x = 0 }, one column per vector, by singular
// values: those below threshold times the largest one count as zero.
std::pair<Eigen::MatrixXd, Eigen::MatrixXd> range_and_complement(const ConstMatrix& M, double threshold);

}  // namespace saltus
