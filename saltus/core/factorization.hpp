#pragma once

#include <memory>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Solves with a square matrix, factored once: Cholesky where it is symmetric positive definite, LU with pivoting
// elsewhere. Dense: a blocked Cholesky of our own and Eigen's LU; sparse: CHOLMOD and KLU. The symbolic analysis of a
// sparse matrix is kept while its pattern stays the same; memory is reused between calls of compute(). compute() may
// be called on a moved-from object.
class Factorization {
public:
    Factorization();
    ~Factorization();
    Factorization(Factorization&&) noexcept;
    Factorization& operator=(Factorization&&) noexcept;

    enum class Symmetry { unknown, symmetric, unsymmetric };

    // Factors M, of which Cholesky reads the lower triangle if it is symmetric up to rounding (symmetry_rounding).
    // At a pivot below 1e-14 M_ii it is abandoned for LU, which divides every row by its largest entry first. False
    // when M is singular to working precision: LU meets a pivot below 1e-14 of the largest entry of its column (dense),
    // or of the largest pivot (sparse: KLU's rcond). Scaling rows does not make M singular; scaling columns may, above
    // all in the sparse LU, where columns that differ by a factor of 1e14 are enough. If the result is false,
    // solve_in_place() must not be called. `symmetry` saves the test when the caller knows.
    bool compute(const Matrix& matrix, Symmetry symmetry = Symmetry::unknown);

    // Factors M_AA + shift I, M_AA a principal block; a dense one is gathered straight into the memory of the factor.
    bool compute_block(const Matrix& matrix, const IndexList& A, Symmetry symmetry = Symmetry::unknown,
                       double shift = 0.0);

    // x <- M^-1 x. Allocates nothing when the factored matrix is dense and small (its factor fits in cache).
    void solve_in_place(Eigen::Ref<Eigen::VectorXd> x) const;

    // The sign of det M, 1 or -1: exact, however large or small the determinant is.
    int determinant_sign() const;

    // True when the last compute() used Cholesky: M is symmetric positive definite (or has no rows).
    bool is_positive_definite() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus
