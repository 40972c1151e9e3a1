#include "saltus/core/matrix_facts.hpp"

#include <fmt/ranges.h>

#include <cmath>

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus {

namespace {

void require_square(const Matrix& M) {
    require(M.rows() == M.cols(), "M is {} x {}; this fact is defined for square matrices", M.rows(), M.cols());
}

Matrix symmetric_part(const Matrix& M) {
    if (!M.is_sparse()) return Matrix(0.5 * (M.dense() + M.dense().transpose()));
    const Matrix::Sparse transposed = M.sparse().transpose();
    return Matrix(Matrix::Sparse(0.5 * (M.sparse() + transposed)));
}

// Principal minors by Schur complements: those with row 0 are M_00 times those of S = M/M_00, those without are minors
// of the rest (Tsatsomeros, Li 2000). `rows` names the rows of M left, `chosen` those eliminated, `product` their
// minor.
// A pivot below 1e-13 of the diagonal entry it came from is zero up to rounding.
std::optional<PMatrixFact> find_bad_minor(const Eigen::MatrixXd& M, const IndexList& rows,
                                          const Eigen::VectorXd& diagonal, IndexList& chosen, double product) {
    if (rows.empty()) return std::nullopt;
    const double pivot = M(0, 0);
    chosen.push_back(rows.front());
    if (!(pivot > 1e-13 * diagonal[rows.front()])) return PMatrixFact{Answer::no, chosen, product * pivot};
    const Index rest = M.rows() - 1;
    const IndexList others(rows.begin() + 1, rows.end());
    const Eigen::MatrixXd trailing = M.bottomRightCorner(rest, rest);
    const Eigen::MatrixXd schur = trailing - M.col(0).tail(rest) * M.row(0).tail(rest) / pivot;
    if (auto found = find_bad_minor(schur, others, diagonal, chosen, product * pivot)) return found;
    chosen.pop_back();
    return find_bad_minor(trailing, others, diagonal, chosen, product);
}

PMatrixFact small_minors(const Matrix& M) {
    const Eigen::VectorXd diagonal = M.diagonal();
    for (Index i = 0; i < M.rows(); ++i)
        if (!(diagonal[i] > 0.0)) return {Answer::no, {i}, diagonal[i]};
    const Matrix::Sparse entries = M.to_sparse();
    for (Index j = 0; j < entries.outerSize(); ++j)
        for (Matrix::Sparse::InnerIterator entry(entries, j); entry; ++entry) {
            const Index i = entry.row();
            if (i >= j) continue;
            const double minor = diagonal[i] * diagonal[j] - entry.value() * entries.coeff(j, i);
            if (!(minor > 0.0)) return {Answer::no, {i, j}, minor};
        }
    return {};
}

IndexList members(unsigned long subset) {
    IndexList result;
    for (Index i = 0; subset >> i; ++i)
        if (subset >> i & 1) result.push_back(i);
    return result;
}

}  // namespace

bool is_positive_definite(const Matrix& M) {
    require_square(M);
    if (M.rows() == 0) return true;
    Factorization factorization;
    return factorization.compute(symmetric_part(M), Factorization::Symmetry::symmetric) &&
           factorization.is_positive_definite();
}

bool is_positive_semidefinite(const Matrix& M, double tolerance) {
    require_square(M);
    if (M.rows() == 0) return true;
    if (M.is_sparse()) {
        Matrix::Sparse shifted = symmetric_part(M).sparse();
        const double size = shifted.nonZeros() ? shifted.coeffs().cwiseAbs().maxCoeff() : 0.0;
        if (size == 0.0) return true;
        Matrix::Sparse identity(M.rows(), M.rows());
        identity.setIdentity();
        return is_positive_definite(Matrix(Matrix::Sparse(shifted + tolerance * size * identity)));
    }
    const Eigen::VectorXd values = symmetric_eigenvalues(symmetric_part(M).dense());
    return values.minCoeff() >= -tolerance * values.cwiseAbs().maxCoeff();
}

bool is_z_matrix(const Matrix& M) {
    require_square(M);
    const Matrix::Sparse entries = M.to_sparse();
    for (Index j = 0; j < entries.outerSize(); ++j)
        for (Matrix::Sparse::InnerIterator entry(entries, j); entry; ++entry)
            if (entry.row() != j && entry.value() > 0.0) return false;
    return true;
}

bool is_m_matrix(const Matrix& M) {
    if (!is_z_matrix(M)) return false;
    // A Z-matrix is an M-matrix if and only if M x > 0 for some x >= 0 (Berman, Plemmons 1979): x = M^-1 e is one.
    Factorization factorization;
    if (M.rows() == 0) return true;
    if (!factorization.compute(M)) return false;
    Eigen::VectorXd x = Eigen::VectorXd::Ones(M.rows());
    factorization.solve_in_place(x);
    return x.minCoeff() >= 0.0;
}

PMatrixFact p_matrix(const Matrix& M, Index exact_size) {
    require_square(M);
    if (M.rows() <= exact_size) {
        IndexList rows, chosen;
        for (Index i = 0; i < M.rows(); ++i) rows.push_back(i);
        const auto bad = find_bad_minor(M.to_dense(), rows, M.diagonal(), chosen, 1.0);
        return bad ? *bad : PMatrixFact{.answer = Answer::yes};
    }
    if (const PMatrixFact fact = small_minors(M); fact.answer == Answer::no) return fact;
    if (is_positive_definite(M) || is_m_matrix(M)) return {.answer = Answer::yes};
    return {};
}

// Hadeler: the least principal block that is not copositive has a negative determinant and an inverse without positive
// entry; then x = -M_aa^-1 e >= 0 has x'Mx = e'M_aa^-1 e < 0.
CopositiveFact copositive(const Matrix& M, Index exact_size) {
    require_square(M);
    const Index n = M.rows();
    if (n > exact_size) {
        const Matrix::Sparse entries = M.to_sparse();
        const bool nonnegative = entries.nonZeros() == 0 || entries.coeffs().minCoeff() >= 0.0;
        if (nonnegative || is_positive_semidefinite(M)) return {.answer = Answer::yes};
        return {};
    }
    const Eigen::MatrixXd S = symmetric_part(M).to_dense();
    const double size = n ? S.cwiseAbs().maxCoeff() : 0.0;
    for (unsigned long subset = 1; subset < 1ul << n; ++subset) {
        const IndexList block = members(subset);
        const FullPivotLu lu(S(block, block));
        if (!lu.is_invertible()) continue;
        const Eigen::MatrixXd inverse = lu.inverse();
        if (inverse.maxCoeff() > 1e-12 * inverse.cwiseAbs().maxCoeff()) continue;
        Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
        for (std::size_t k = 0; k < block.size(); ++k) x[block[k]] = -inverse.row(static_cast<Index>(k)).sum();
        x = x.cwiseMax(0.0) / x.maxCoeff();
        if (x.dot(S * x) < -1e-12 * size) return {Answer::no, x};
    }
    return {.answer = Answer::yes};
}

std::string solvability_note(const Matrix& M) {
    // Beyond a few hundred rows only what costs no more than reading M.
    constexpr Index affordable = 300;
    const PMatrixFact fact = M.rows() <= affordable ? p_matrix(M) : small_minors(M);
    if (fact.answer == Answer::yes) return {};
    if (fact.answer == Answer::unknown)
        return "M is not known to be a P-matrix; there may be several solutions or none";
    return fmt::format("M is not a P-matrix: principal minor {{{}}} is {:.3g}; there may be several solutions or none",
                       fmt::join(fact.minor, ", "), fact.value);
}

}  // namespace saltus
