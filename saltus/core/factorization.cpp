#include "saltus/core/factorization.hpp"

#include <Eigen/Cholesky>
#include <Eigen/CholmodSupport>
#include <Eigen/KLUSupport>
#include <Eigen/LU>
#include <algorithm>

namespace saltus {

using Sparse = Matrix::Sparse;
using SparseCholesky = Eigen::CholmodDecomposition<Sparse>;
using SparseLu = Eigen::KLU<Sparse>;

namespace {

bool same_pattern(const Sparse& a, const Sparse& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
    return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
           std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

// A pivot this much smaller than the largest is rounding: the matrix is singular to working precision.
constexpr double relative_pivot = 1e-14;

}  // namespace

struct Factorization::Implementation {
    enum class Method { none, dense_cholesky, dense_lu, sparse_cholesky, sparse_lu };
    Method method = Method::none;
    Eigen::LLT<Eigen::MatrixXd> dense_cholesky;
    Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu;
    SparseCholesky sparse_cholesky;
    SparseLu sparse_lu;
    Sparse matrix;  // the last sparse matrix: KLU refers to it, and its pattern tells whether an analysis still holds
    bool cholesky_analysed = false, lu_analysed = false;

    bool compute_dense(const Eigen::MatrixXd& m, bool symmetric) {
        if (symmetric && (m.diagonal().array() > 0.0).all()) {
            dense_cholesky.compute(m);
            const auto pivots = dense_cholesky.matrixLLT().diagonal().array();
            if (dense_cholesky.info() == Eigen::Success &&
                pivots.square().minCoeff() > relative_pivot * pivots.square().maxCoeff()) {
                method = Method::dense_cholesky;
                return true;
            }
        }
        dense_lu.compute(m);
        const auto pivots = dense_lu.matrixLU().diagonal().array().abs();
        if (!(pivots.minCoeff() > relative_pivot * pivots.maxCoeff())) return false;
        method = Method::dense_lu;
        return true;
    }

    bool compute_sparse(const Sparse& m, bool symmetric) {
        if (!same_pattern(m, matrix)) cholesky_analysed = lu_analysed = false;
        matrix = m;
        if (symmetric && (Eigen::VectorXd(m.diagonal()).array() > 0.0).all() && try_sparse_cholesky()) return true;
        if (!lu_analysed) sparse_lu.analyzePattern(matrix);
        lu_analysed = true;
        sparse_lu.factorize(matrix);
        if (sparse_lu.info() != Eigen::Success) return false;
        method = Method::sparse_lu;
        return true;
    }

    bool try_sparse_cholesky() {
        sparse_cholesky.cholmod().print = 0;  // "not positive definite" is an answer here, not an error to print
        if (!cholesky_analysed) sparse_cholesky.analyzePattern(matrix);
        cholesky_analysed = true;
        sparse_cholesky.factorize(matrix);
        if (sparse_cholesky.info() != Eigen::Success) return false;
        method = Method::sparse_cholesky;
        return true;
    }
};

Factorization::Factorization() : implementation_(std::make_unique<Implementation>()) {}
Factorization::~Factorization() = default;
Factorization::Factorization(Factorization&&) noexcept = default;
Factorization& Factorization::operator=(Factorization&&) noexcept = default;

bool Factorization::compute(const Matrix& matrix, Symmetry symmetry) {
    auto& self = *implementation_;
    self.method = Implementation::Method::none;
    if (matrix.rows() == 0) {
        self.dense_lu.compute(Eigen::MatrixXd::Zero(0, 0));
        self.method = Implementation::Method::dense_lu;
        return true;
    }
    const bool symmetric = symmetry == Symmetry::symmetric || (symmetry == Symmetry::unknown && matrix.is_symmetric());
    return matrix.is_sparse() ? self.compute_sparse(matrix.sparse(), symmetric)
                              : self.compute_dense(matrix.dense(), symmetric);
}

void Factorization::solve_in_place(Eigen::VectorXd& x) const {
    if (x.size() == 0) return;
    auto& self = *implementation_;
    switch (self.method) {
        case Implementation::Method::none:
            break;
        case Implementation::Method::dense_cholesky:
            self.dense_cholesky.solveInPlace(x);
            break;
        case Implementation::Method::dense_lu:
            x = self.dense_lu.solve(x);
            break;
        case Implementation::Method::sparse_cholesky:
            x = self.sparse_cholesky.solve(x).eval();
            break;
        case Implementation::Method::sparse_lu:
            x = self.sparse_lu.solve(x).eval();
            break;
    }
}

bool Factorization::is_positive_definite() const {
    return implementation_->method == Implementation::Method::dense_cholesky ||
           implementation_->method == Implementation::Method::sparse_cholesky;
}

}  // namespace saltus
