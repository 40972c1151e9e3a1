#pragma once

#include <memory>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Solves with a square matrix, factored once: Cholesky where it is symmetric positive definite, LU elsewhere; LAPACK's
// methods through Eigen when dense, CHOLMOD and KLU when sparse. The symbolic analysis of a sparse matrix is kept while
// its pattern stays the same; memory is reused between calls of compute().
class Factorization {
public:
    Factorization();
    ~Factorization();
    Factorization(Factorization&&) noexcept;
    Factorization& operator=(Factorization&&) noexcept;

    enum class Symmetry { unknown, symmetric, unsymmetric };

    // False when the matrix is singular to working precision; solve() must then not be called. `symmetry` saves the
    // test when the caller knows.
    bool compute(const Matrix& matrix, Symmetry symmetry = Symmetry::unknown);

    // x <- M^-1 x.
    void solve_in_place(Eigen::VectorXd& x) const;

    // True when the last compute() used Cholesky: M is symmetric positive definite.
    bool is_positive_definite() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace saltus
