#include "saltus/core/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

Index Matrix::rows() const {
    return std::visit([](const auto& m) { return m.rows(); }, storage_);
}

Index Matrix::cols() const {
    return std::visit([](const auto& m) { return m.cols(); }, storage_);
}

Matrix::Dense Matrix::to_dense() const {
    return std::visit([](const auto& m) { return Dense(m); }, storage_);
}

Matrix::Sparse Matrix::to_sparse() const { return is_sparse() ? sparse() : Sparse(dense().sparseView(0.0, 0.0)); }

Index Matrix::nonzeros() const { return is_sparse() ? sparse().nonZeros() : dense().size(); }

double Matrix::operator()(Index row, Index col) const {
    return std::visit([&](const auto& m) { return m.coeff(row, col); }, storage_);
}

Eigen::VectorXd Matrix::diagonal() const {
    return std::visit([](const auto& m) { return Eigen::VectorXd(m.diagonal()); }, storage_);
}

void Matrix::multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    std::visit([&](const auto& m) { y.noalias() += m * x; }, storage_);
}

void Matrix::transpose_multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    std::visit([&](const auto& m) { y.noalias() += m.transpose() * x; }, storage_);
}

Eigen::VectorXd Matrix::absolute_transpose_product(const Eigen::VectorXd& x) const {
    const auto product = [&](const auto& m) -> Eigen::VectorXd { return m.cwiseAbs().transpose() * x.cwiseAbs(); };
    return std::visit(product, storage_);
}

Eigen::VectorXd Matrix::operator*(const Eigen::VectorXd& x) const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(rows());
    multiply_add(x, y);
    return y;
}

namespace {

Matrix::Sparse sparse_block(const Matrix::Sparse& m, const IndexList& rows, const IndexList& cols) {
    std::vector<Index> new_row(static_cast<std::size_t>(m.rows()), -1);
    for (std::size_t k = 0; k < rows.size(); ++k) new_row[rows[k]] = static_cast<Index>(k);
    const bool rows_ascend = std::is_sorted(rows.begin(), rows.end());

    Matrix::Sparse result(std::ssize(rows), std::ssize(cols));
    std::vector<std::pair<Index, double>> column;
    for (std::size_t k = 0; k < cols.size(); ++k) {
        column.clear();
        for (Matrix::Sparse::InnerIterator entry(m, cols[k]); entry; ++entry)
            if (new_row[entry.row()] >= 0) column.emplace_back(new_row[entry.row()], entry.value());
        if (!rows_ascend) std::sort(column.begin(), column.end());
        result.startVec(static_cast<Index>(k));
        for (const auto& [row, value] : column) result.insertBack(row, static_cast<Index>(k)) = value;
    }
    result.finalize();
    return result;
}

}  // namespace

Matrix Matrix::block(const IndexList& rows, const IndexList& cols) const {
    if (is_sparse()) return sparse_block(sparse(), rows, cols);
    return Dense(dense()(rows, cols));
}

Matrix Matrix::transpose() const {
    return std::visit([](const auto& m) { return Matrix(std::decay_t<decltype(m)>(m.transpose())); }, storage_);
}

Matrix Matrix::plus_diagonal(const Eigen::VectorXd& d) const {
    if (!is_sparse()) {
        Dense sum = dense();
        sum.diagonal() += d;
        return sum;
    }
    Sparse diagonal(rows(), cols());
    diagonal.setIdentity();
    std::copy(d.begin(), d.end(), diagonal.valuePtr());
    return Sparse(sparse() + diagonal);
}

double Matrix::largest_entry() const {
    if (nonzeros() == 0) return 0.0;
    if (!is_sparse()) return dense().cwiseAbs().maxCoeff();
    return Eigen::Map<const Eigen::VectorXd>(sparse().valuePtr(), nonzeros()).cwiseAbs().maxCoeff();
}

std::optional<std::pair<Index, Index>> Matrix::find_non_finite() const {
    // 0 x is 0 exactly for finite x: a sum that is vectorised, to look for the entry only when there is one.
    if (!is_sparse()) {
        if ((0.0 * dense().array()).sum() == 0.0) return std::nullopt;
        for (Index j = 0; j < dense().cols(); ++j)
            for (Index i = 0; i < dense().rows(); ++i)
                if (!std::isfinite(dense()(i, j))) return std::pair{i, j};
        return std::nullopt;
    }
    for (Index j = 0; j < sparse().outerSize(); ++j)
        for (Sparse::InnerIterator entry(sparse(), j); entry; ++entry)
            if (!std::isfinite(entry.value())) return std::pair{entry.row(), j};
    return std::nullopt;
}

namespace {

// |a - b| <= tolerance max(|a|, |b|, sqrt|d e|), d and e the diagonal entries.
bool alike(double a, double b, double d, double e, double tolerance) {
    return a == b || std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), std::sqrt(std::abs(d * e))});
}

}  // namespace

bool is_symmetric(const Eigen::Ref<const Eigen::MatrixXd>& m, double tolerance) {
    if (m.rows() != m.cols()) return false;
    constexpr Index tile = 32;  // both M_ij and M_ji stay in cache
    const Index n = m.cols();
    for (Index jj = 0; jj < n; jj += tile)
        for (Index ii = jj; ii < n; ii += tile)
            for (Index j = jj; j < std::min(jj + tile, n); ++j)
                for (Index i = std::max(ii, j + 1); i < std::min(ii + tile, n); ++i)
                    if (!alike(m(i, j), m(j, i), m(i, i), m(j, j), tolerance)) return false;
    return true;
}

bool Matrix::is_symmetric(double tolerance) const {
    if (!is_sparse()) return saltus::is_symmetric(dense(), tolerance);
    if (rows() != cols()) return false;
    const Eigen::VectorXd d = diagonal();
    const Sparse difference = sparse() - Sparse(sparse().transpose());
    for (Index j = 0; j < difference.outerSize(); ++j)
        for (Sparse::InnerIterator entry(difference, j); entry; ++entry) {
            const Index i = entry.row();
            if (entry.value() != 0.0 && !alike(sparse().coeff(i, j), sparse().coeff(j, i), d[i], d[j], tolerance))
                return false;
        }
    return true;
}

void add_columns(const Eigen::MatrixXd& M, const IndexList& columns, const Eigen::VectorXd& coefficients,
                 Eigen::VectorXd& y) {
    std::size_t k = 0;
    const auto column = [&](std::size_t i) { return M.col(columns[i]); };
    const auto c = [&](std::size_t i) { return coefficients[static_cast<Index>(i)]; };
    for (; k + 4 <= columns.size(); k += 4)
        y += c(k) * column(k) + c(k + 1) * column(k + 1) + c(k + 2) * column(k + 2) + c(k + 3) * column(k + 3);
    for (; k < columns.size(); ++k) y += c(k) * column(k);
}

Eigen::MatrixXd clean_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
    constexpr double unit = std::numeric_limits<double>::epsilon();
    const Eigen::MatrixXd product = A * B, terms = A.cwiseAbs() * B.cwiseAbs();
    return (product.array().abs() <= 16.0 * unit * terms.array()).select(0.0, product);
}

}  // namespace saltus
