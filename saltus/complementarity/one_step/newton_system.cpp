#include "saltus/complementarity/one_step/newton_system.hpp"

namespace saltus::one_step {

namespace {

constexpr int open = -1;

// J_ij = by_w_i W_ij (+ by_w_i (proximal + shift) + by_r_i on the diagonal).
SmallMatrix block_of(const BlockDerivative& derivative, const BlockMatrix::Block& W, bool is_diagonal, double shift) {
    SmallMatrix J = derivative.by_w.lazyProduct(W);
    if (is_diagonal) J += shift * derivative.by_w + derivative.by_r;
    return J;
}

}  // namespace

NewtonSystem::NewtonSystem(const OneStepEquation& equation)
    : equation_(equation),
      W_(equation.problem().W),
      position_(static_cast<std::size_t>(W_.blocks())),
      product_(W_.rows()),
      right_side_(W_.rows()) {}

void NewtonSystem::find_active(const std::vector<BlockDerivative>& derivatives) {
    active_blocks_ = active_rows_ = active_entries_ = 0;
    for (Index i = 0; i < W_.blocks(); ++i) {
        position_[i] = derivatives[i].is_open ? open : static_cast<int>(active_rows_);
        if (position_[i] == open) continue;
        ++active_blocks_;
        active_rows_ += W_.size(i);
    }
    for_each_active_block([&](Index i, Index j, std::size_t) { active_entries_ += W_.size(i) * W_.size(j); });
}

template <class Visit>
void NewtonSystem::for_each_active_block(Visit&& visit) const {
    for (Index i = 0; i < W_.blocks(); ++i) {
        if (position_[i] == open) continue;
        const auto columns = W_.columns(i);
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (position_[columns[k]] != open) visit(i, Index{columns[k]}, k);
    }
}

bool NewtonSystem::is_dense() const { return active_rows_ <= 60 || 4 * active_entries_ > active_rows_ * active_rows_; }

void NewtonSystem::fill_dense(const std::vector<BlockDerivative>& derivatives, double shift) {
    dense_.setZero(active_rows_, active_rows_);
    for_each_active_block([&](Index i, Index j, std::size_t k) {
        dense_.block(position_[i], position_[j], W_.size(i), W_.size(j)) =
            block_of(derivatives[i], W_.block(i, k), i == j, equation_.proximal(i) + shift * equation_.unit(i));
    });
}

// Rows of blocks come in ascending order, hence also the rows of each column.
void NewtonSystem::lay_out_sparse() {
    sparse_.resize(active_rows_, active_rows_);
    sparse_.resizeNonZeros(active_entries_);
    int* starts = sparse_.outerIndexPtr();
    std::fill(starts, starts + active_rows_ + 1, 0);
    for_each_active_block([&](Index i, Index j, std::size_t) {
        for (Index c = 0; c < W_.size(j); ++c) starts[position_[j] + c + 1] += W_.size(i);
    });
    for (Index c = 0; c < active_rows_; ++c) starts[c + 1] += starts[c];
    cursor_.assign(starts, starts + active_rows_);
}

void NewtonSystem::fill_sparse(const std::vector<BlockDerivative>& derivatives, double shift) {
    lay_out_sparse();
    for_each_active_block([&](Index i, Index j, std::size_t k) {
        const SmallMatrix J =
            block_of(derivatives[i], W_.block(i, k), i == j, equation_.proximal(i) + shift * equation_.unit(i));
        for (Index c = 0; c < J.cols(); ++c) {
            int& cursor = cursor_[position_[j] + c];
            for (Index row = 0; row < J.rows(); ++row, ++cursor) {
                sparse_.innerIndexPtr()[cursor] = position_[i] + static_cast<int>(row);
                sparse_.valuePtr()[cursor] = J(row, c);
            }
        }
    });
}

bool NewtonSystem::factor(const std::vector<BlockDerivative>& derivatives, double shift) {
    find_active(derivatives);
    constexpr auto unsymmetric = Factorization::Symmetry::unsymmetric;
    if (is_dense()) {
        fill_dense(derivatives, shift);
        return factorization_.compute(dense_, unsymmetric);
    }
    fill_sparse(derivatives, shift);
    return factorization_.compute(sparse_, unsymmetric);
}

void NewtonSystem::solve(const std::vector<BlockDerivative>& derivatives, const Eigen::VectorXd& F,
                         Eigen::VectorXd& d) {
    d.setZero();
    for (Index i = 0; i < W_.blocks(); ++i)
        if (position_[i] == open) d.segment(W_.start(i), W_.size(i)) = -F.segment(W_.start(i), W_.size(i));
    product_.setZero();
    W_.multiply_add(d, product_);
    for (Index i = 0; i < W_.blocks(); ++i) {
        if (position_[i] == open) continue;
        const Index at = W_.start(i), n = W_.size(i);
        right_side_.segment(position_[i], n) =
            -F.segment(at, n) - derivatives[i].by_w.lazyProduct(product_.segment(at, n));
    }
    if (active_rows_ > 0) factorization_.solve_in_place(right_side_.head(active_rows_));
    for (Index i = 0; i < W_.blocks(); ++i)
        if (position_[i] != open) d.segment(W_.start(i), W_.size(i)) = right_side_.segment(position_[i], W_.size(i));
}

}  // namespace saltus::one_step
