#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace saltus {

using Index = Eigen::Index;
using IndexList = std::vector<Index>;

// A real matrix, dense or sparse (compressed columns): one type for every problem. Solvers that only multiply use the
// members below; those that factor use dense() or sparse(), or Factorization, which does so for them.
class Matrix {
public:
    using Dense = Eigen::MatrixXd;
    using Sparse = Eigen::SparseMatrix<double>;

    Matrix() = default;
    Matrix(Dense dense) : storage_(std::move(dense)) {}
    Matrix(Sparse sparse) : storage_(std::move(sparse)) { std::get<Sparse>(storage_).makeCompressed(); }
    template <class Expression>
    Matrix(const Eigen::MatrixBase<Expression>& expression) : storage_(Dense(expression)) {}
    template <class Expression>
    Matrix(const Eigen::SparseMatrixBase<Expression>& expression) : Matrix(Sparse(expression)) {}

    Index rows() const;
    Index cols() const;
    bool is_sparse() const { return std::holds_alternative<Sparse>(storage_); }
    const Dense& dense() const { return std::get<Dense>(storage_); }     // throws std::bad_variant_access if sparse
    const Sparse& sparse() const { return std::get<Sparse>(storage_); }  // throws std::bad_variant_access if dense
    Dense to_dense() const;
    Sparse to_sparse() const;  // drops nothing but exact zeros of a dense matrix
    Index nonzeros() const;    // stored entries

    double operator()(Index row, Index col) const;
    Eigen::VectorXd diagonal() const;

    // y += M x; allocates nothing.
    void multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
    // y += M' x; allocates nothing.
    void transpose_multiply_add(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
    Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
    // |M|' |x|, entry by entry: the size of the terms of M' x, to which its rounding is relative.
    Eigen::VectorXd absolute_transpose_product(const Eigen::VectorXd& x) const;

    // The rows and columns listed, in that order: M_IJ. No index may be listed twice; sparse stays sparse.
    Matrix block(const IndexList& rows, const IndexList& cols) const;
    Matrix transpose() const;
    // M + diag(d), M square. A sparse sum stores its whole diagonal: its pattern depends on that of M alone.
    Matrix plus_diagonal(const Eigen::VectorXd& d) const;
    // max |M_ij|, 0 if there are no entries.
    double largest_entry() const;

    // Row and column of an entry that is NaN or infinite, if any.
    std::optional<std::pair<Index, Index>> find_non_finite() const;

    // |M_ij - M_ji| <= tolerance max(|M_ij|, |M_ji|, sqrt|M_ii M_jj|) for all i, j.
    bool is_symmetric(double tolerance = 0.0) const;

private:
    std::variant<Dense, Sparse> storage_;
};

// The tolerance of is_symmetric that forgives rounding and nothing else: a product A A' is symmetric only up to a few
// units in the last place of sqrt(M_ii M_jj).
inline constexpr double symmetry_rounding = 1e-14;

// Matrix::is_symmetric of a dense matrix or block.
bool is_symmetric(const Eigen::Ref<const Eigen::MatrixXd>& m, double tolerance = 0.0);

// A B, with entries below the rounding error of their own terms set to zero: what cancels in exact arithmetic is
// exactly zero.
Eigen::MatrixXd clean_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

// y += sum_k coefficients_k M(:, columns_k), four columns at a time: y is read and written once per four.
void add_columns(const Eigen::MatrixXd& M, const IndexList& columns, const Eigen::VectorXd& coefficients,
                 Eigen::VectorXd& y);

}  // namespace saltus
