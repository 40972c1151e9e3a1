#include "saltus/core/factorization.hpp"

#include <cholmod.h>
#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "saltus/core/dense.hpp"

namespace saltus {

using Sparse = Matrix::Sparse;

namespace {

// A pivot this much smaller than the entries it was computed from is rounding.
constexpr double relative_pivot = 1e-14;

bool has_positive_diagonal(const Sparse& m) { return (Eigen::VectorXd(m.diagonal()).array() > 0.0).all(); }

// The pattern of the last matrix analysed.
class Pattern {
public:
    bool matches(const Sparse& m) const {
        return analysed_ && std::ssize(starts_) == m.outerSize() + 1 && std::ssize(rows_) == m.nonZeros() &&
               std::equal(starts_.begin(), starts_.end(), m.outerIndexPtr()) &&
               std::equal(rows_.begin(), rows_.end(), m.innerIndexPtr());
    }
    void remember(const Sparse& m) {
        starts_.assign(m.outerIndexPtr(), m.outerIndexPtr() + m.outerSize() + 1);
        rows_.assign(m.innerIndexPtr(), m.innerIndexPtr() + m.nonZeros());
        analysed_ = true;
    }

private:
    bool analysed_ = false;
    std::vector<int> starts_, rows_;
};

// CHOLMOD's simplicial L L' of a matrix of which it reads the lower triangle. Its supernodal method is faster only
// with an optimised BLAS, which Debian does not install by itself: on a 300 x 300 grid 0.29 s against 0.58 s.
class SparseCholesky {
public:
    SparseCholesky() {
        cholmod_start(&common_);
        common_.print = 0;  // "not positive definite" is an answer here, not an error to print
        common_.supernodal = CHOLMOD_SIMPLICIAL;
        common_.final_ll = true;
        common_.quick_return_if_not_posdef = true;
    }
    ~SparseCholesky() {
        cholmod_free_dense(&solution_, &common_);
        cholmod_free_dense(&scratch_, &common_);
        cholmod_free_dense(&scratch_of_solve_, &common_);
        cholmod_free_factor(&factor_, &common_);
        cholmod_finish(&common_);
    }
    SparseCholesky(const SparseCholesky&) = delete;
    SparseCholesky& operator=(const SparseCholesky&) = delete;

    bool compute(const Sparse& m) {
        cholmod_sparse view = view_of(m);
        if (!pattern_.matches(m)) {
            cholmod_free_factor(&factor_, &common_);
            factor_ = cholmod_analyze(&view, &common_);
            pattern_.remember(m);
        }
        return cholmod_factorize(&view, factor_, &common_) && common_.status == CHOLMOD_OK && pivots_are_significant(m);
    }

    void solve_in_place(Eigen::Ref<Eigen::VectorXd> x) {
        cholmod_dense right_side{};
        right_side.nrow = right_side.d = right_side.nzmax = static_cast<std::size_t>(x.size());
        right_side.ncol = 1;
        right_side.x = x.data();
        right_side.xtype = CHOLMOD_REAL;
        right_side.dtype = CHOLMOD_DOUBLE;
        cholmod_solve2(CHOLMOD_A, factor_, &right_side, nullptr, &solution_, nullptr, &scratch_, &scratch_of_solve_,
                       &common_);
        x = Eigen::Map<const Eigen::VectorXd>(static_cast<const double*>(solution_->x), x.size());
    }

private:
    static cholmod_sparse view_of(const Sparse& m) {
        cholmod_sparse view{};
        view.nrow = static_cast<std::size_t>(m.rows());
        view.ncol = static_cast<std::size_t>(m.cols());
        view.nzmax = static_cast<std::size_t>(m.nonZeros());
        view.p = const_cast<int*>(m.outerIndexPtr());
        view.i = const_cast<int*>(m.innerIndexPtr());
        view.x = const_cast<double*>(m.valuePtr());
        view.stype = -1;
        view.itype = CHOLMOD_INT;
        view.xtype = CHOLMOD_REAL;
        view.dtype = CHOLMOD_DOUBLE;
        view.sorted = view.packed = true;
        return view;
    }

    bool pivots_are_significant(const Sparse& m) const {
        const auto* start = static_cast<const int*>(factor_->p);
        const auto* permutation = static_cast<const int*>(factor_->Perm);
        const auto* value = static_cast<const double*>(factor_->x);
        const Eigen::VectorXd diagonal = m.diagonal();
        for (std::size_t k = 0; k < factor_->n; ++k) {  // the first entry of a column of L is its diagonal
            const double pivot = value[start[k]];
            if (!(pivot * pivot > relative_pivot * diagonal[permutation[k]])) return false;
        }
        return true;
    }

    cholmod_common common_;
    cholmod_factor* factor_ = nullptr;
    cholmod_dense *solution_ = nullptr, *scratch_ = nullptr, *scratch_of_solve_ = nullptr;
    Pattern pattern_;
};

// 1 or -1: the number of transpositions that make a permutation is even or odd.
int parity(const int* permutation, int n) {
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    int sign = 1;
    for (int start = 0; start < n; ++start) {
        if (seen[static_cast<std::size_t>(start)]) continue;
        sign = -sign;  // a cycle of length k is k - 1 transpositions
        for (int i = start; !seen[static_cast<std::size_t>(i)]; i = permutation[i]) {
            seen[static_cast<std::size_t>(i)] = true;
            sign = -sign;
        }
    }
    return sign;
}

// The sign of the product of a sequence of numbers, none zero.
template <class Range>
int sign_of_product(const Range& range) {
    return std::count_if(range.begin(), range.end(), [](double x) { return x < 0.0; }) % 2 == 0 ? 1 : -1;
}

class SparseLu {
public:
    SparseLu() { klu_defaults(&common_); }
    ~SparseLu() {
        klu_free_numeric(&numeric_, &common_);
        klu_free_symbolic(&symbolic_, &common_);
    }
    SparseLu(const SparseLu&) = delete;
    SparseLu& operator=(const SparseLu&) = delete;

    bool compute(const Sparse& m) {
        auto* starts = const_cast<int*>(m.outerIndexPtr());
        auto* rows = const_cast<int*>(m.innerIndexPtr());
        auto* values = const_cast<double*>(m.valuePtr());
        klu_free_numeric(&numeric_, &common_);
        if (!pattern_.matches(m)) {
            klu_free_symbolic(&symbolic_, &common_);
            symbolic_ = klu_analyze(static_cast<int>(m.rows()), starts, rows, &common_);
            pattern_.remember(m);
        }
        if (!symbolic_ || symbolic_->structural_rank < symbolic_->n) return false;
        numeric_ = klu_factor(starts, rows, values, symbolic_, &common_);
        return numeric_ && common_.status == KLU_OK && klu_rcond(symbolic_, numeric_, &common_) &&
               common_.rcond > relative_pivot;
    }

    void solve_in_place(Eigen::Ref<Eigen::VectorXd> x) {
        klu_solve(symbolic_, numeric_, static_cast<int>(x.size()), 1, x.data(), &common_);
    }

    int determinant_sign() const {
        const int n = symbolic_->n;
        const Eigen::Map<const Eigen::VectorXd> pivots(static_cast<const double*>(numeric_->Udiag), n);
        return sign_of_product(pivots) * parity(numeric_->Pnum, n) * parity(symbolic_->Q, n);
    }

private:
    klu_common common_;
    klu_symbolic* symbolic_ = nullptr;
    klu_numeric* numeric_ = nullptr;
    Pattern pattern_;
};

using DenseBlock = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// The lower triangle of m becomes its Cholesky factor, column by column (left-looking). False at a pivot <= 0.
bool cholesky_by_columns(DenseBlock m) {
    const Index n = m.rows();
    for (Index k = 0; k < n; ++k) {
        const auto left = m.row(k).head(k);
        const double pivot = m(k, k) - left.squaredNorm();
        if (!(pivot > 0.0)) return false;
        auto below = m.col(k).tail(n - k - 1);
        if (k > 0) below.noalias() -= m.bottomLeftCorner(n - k - 1, k) * left.transpose();
        m(k, k) = std::sqrt(pivot);
        below /= m(k, k);
    }
    return true;
}

// The same by blocks of columns. Eigen's LLT has blocks of n / 8 columns: half as fast for n = 30 to 150, the sizes of
// active sets in most simulations.
bool cholesky_in_place(DenseBlock m) {
    constexpr Index width = 128;
    for (Index k = 0; k < m.rows(); k += width) {
        const Index count = std::min(width, m.rows() - k), rest = m.rows() - k - count;
        auto corner = m.block(k, k, count, count);
        auto below = m.block(k + count, k, rest, count);
        if (!cholesky_by_columns(corner)) return false;
        if (rest == 0) break;
        corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
        m.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
    }
    return true;
}

// L L' or P' L U of a dense block, in memory that only grows.
class DenseFactor {
public:
    // The storage for an n x n matrix; its values are those to factor next.
    Eigen::Map<Eigen::MatrixXd> storage(Index n) {
        if (buffer_.size() < n * n) buffer_.resize(n * n);
        if (pivots_.size() < n) pivots_.resize(n);
        size_ = n;
        return {buffer_.data(), n, n};
    }

    // Reads and overwrites the lower triangle of storage().
    bool compute_cholesky() {
        Eigen::Map<Eigen::MatrixXd> m(buffer_.data(), size_, size_);
        auto diagonal = pivots_.head(size_);
        diagonal = m.diagonal();
        if (!(diagonal.array() > 0.0).all()) return false;
        return cholesky_in_place(m) && (m.diagonal().array().square() > relative_pivot * diagonal.array()).all();
    }

    // Reads and overwrites storage(). Rows are divided by their largest entry first: partial pivoting compares rows.
    bool compute_lu() {
        Eigen::Map<Eigen::MatrixXd> m(buffer_.data(), size_, size_);
        row_scale_ = m.cwiseAbs().rowwise().maxCoeff();
        if (!(row_scale_.array() > 0.0).all()) return false;
        row_scale_ = row_scale_.cwiseInverse();
        m = row_scale_.asDiagonal() * m;
        auto largest = pivots_.head(size_);
        largest = m.cwiseAbs().colwise().maxCoeff().transpose();
        lu_.compute(m);
        return (lu_.pivots().array().abs() > relative_pivot * largest.array()).all();
    }

    void solve_cholesky(Eigen::Ref<Eigen::VectorXd> x) const {
        const Eigen::Map<const Eigen::MatrixXd> m(buffer_.data(), size_, size_);
        m.triangularView<Eigen::Lower>().solveInPlace(x);
        m.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    }

    int determinant_sign() const {
        const Eigen::VectorXd pivots = lu_.pivots();
        return sign_of_product(pivots) * lu_.permutation_sign();
    }

    void solve_lu(Eigen::Ref<Eigen::VectorXd> x) {
        right_side_ = row_scale_.cwiseProduct(x);
        lu_.solve(right_side_, x);
    }

private:
    Index size_ = 0;
    Eigen::VectorXd buffer_, pivots_, row_scale_, right_side_;
    DenseLu lu_;
};

}  // namespace

struct Factorization::Implementation {
    enum class Method { none, empty, dense_cholesky, dense_lu, sparse_cholesky, sparse_lu };
    Method method = Method::none;
    DenseFactor dense;
    std::unique_ptr<SparseCholesky> sparse_cholesky;
    std::unique_ptr<SparseLu> sparse_lu;

    bool use(bool success, Method used) {
        method = success ? used : Method::none;
        return success;
    }

    // `fill` writes the matrix into the storage, again after Cholesky has overwritten it in vain.
    template <class Fill>
    bool compute_dense(Index n, Symmetry symmetry, const Fill& fill) {
        auto storage = dense.storage(n);
        fill(storage);
        if (symmetry == Symmetry::unknown && !is_symmetric(storage, symmetry_rounding))
            symmetry = Symmetry::unsymmetric;
        if (symmetry != Symmetry::unsymmetric) {
            if (use(dense.compute_cholesky(), Method::dense_cholesky)) return true;
            fill(storage);
        }
        return use(dense.compute_lu(), Method::dense_lu);
    }

    bool compute_sparse(const Sparse& m, bool symmetric) {
        if (symmetric && has_positive_diagonal(m)) {
            if (!sparse_cholesky) sparse_cholesky = std::make_unique<SparseCholesky>();
            if (use(sparse_cholesky->compute(m), Method::sparse_cholesky)) return true;
        }
        if (!sparse_lu) sparse_lu = std::make_unique<SparseLu>();
        return use(sparse_lu->compute(m), Method::sparse_lu);
    }
};

Factorization::Factorization() : implementation_(std::make_unique<Implementation>()) {}
Factorization::~Factorization() = default;
Factorization::Factorization(Factorization&&) noexcept = default;
Factorization& Factorization::operator=(Factorization&&) noexcept = default;

bool Factorization::compute(const Matrix& matrix, Symmetry symmetry) {
    assert(matrix.rows() == matrix.cols());
    if (!implementation_) implementation_ = std::make_unique<Implementation>();
    if (matrix.rows() == 0) return implementation_->use(true, Implementation::Method::empty);
    if (matrix.is_sparse()) {
        const bool symmetric = symmetry == Symmetry::symmetric ||
                               (symmetry == Symmetry::unknown && matrix.is_symmetric(symmetry_rounding));
        return implementation_->compute_sparse(matrix.sparse(), symmetric);
    }
    const Eigen::MatrixXd& m = matrix.dense();
    return implementation_->compute_dense(m.rows(), symmetry, [&](auto& storage) { storage = m; });
}

bool Factorization::compute_block(const Matrix& matrix, const IndexList& A, Symmetry symmetry, double shift) {
    if (matrix.is_sparse() || A.empty()) {
        const Matrix block = matrix.block(A, A);
        return compute(shift == 0.0 ? block : block.plus_diagonal(Eigen::VectorXd::Constant(block.rows(), shift)),
                       symmetry);
    }
    if (!implementation_) implementation_ = std::make_unique<Implementation>();
    const Eigen::MatrixXd& m = matrix.dense();
    const auto gather = [&](auto& storage) {
        for (Index j = 0; j < std::ssize(A); ++j) {
            const double* column = &m.coeffRef(0, A[j]);
            for (Index i = 0; i < std::ssize(A); ++i) storage(i, j) = column[A[i]];
            storage(j, j) += shift;
        }
    };
    return implementation_->compute_dense(std::ssize(A), symmetry, gather);
}

void Factorization::solve_in_place(Eigen::Ref<Eigen::VectorXd> x) const {
    assert(implementation_ && implementation_->method != Implementation::Method::none);
    auto& self = *implementation_;
    switch (self.method) {
        case Implementation::Method::none:
        case Implementation::Method::empty:
            return;
        case Implementation::Method::dense_cholesky:
            return self.dense.solve_cholesky(x);
        case Implementation::Method::dense_lu:
            return self.dense.solve_lu(x);
        case Implementation::Method::sparse_cholesky:
            return self.sparse_cholesky->solve_in_place(x);
        case Implementation::Method::sparse_lu:
            return self.sparse_lu->solve_in_place(x);
    }
}

int Factorization::determinant_sign() const {
    assert(implementation_ && implementation_->method != Implementation::Method::none);
    if (implementation_->method == Implementation::Method::dense_lu) return implementation_->dense.determinant_sign();
    if (implementation_->method == Implementation::Method::sparse_lu)
        return implementation_->sparse_lu->determinant_sign();
    return 1;
}

bool Factorization::is_positive_definite() const {
    if (!implementation_) return false;
    const auto method = implementation_->method;
    return method == Implementation::Method::dense_cholesky || method == Implementation::Method::sparse_cholesky ||
           method == Implementation::Method::empty;
}

}  // namespace saltus
