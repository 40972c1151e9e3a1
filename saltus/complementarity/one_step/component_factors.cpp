#include "saltus/complementarity/one_step/component_factors.hpp"

#include <numeric>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// A component is factored as a dense matrix up to this size, or when it is at least a quarter full.
constexpr Index small_component = 32;

// The smallest row of the component of each row: union-find over the entries of M.
IndexList smallest_of_component(const Matrix::Sparse& M) {
    IndexList parent(static_cast<std::size_t>(M.rows()));
    std::iota(parent.begin(), parent.end(), Index{0});
    const auto root = [&](Index i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    for (Index col = 0; col < M.cols(); ++col)
        for (Matrix::Sparse::InnerIterator entry(M, col); entry; ++entry) {
            const Index a = root(entry.row()), b = root(col);
            if (a != b) parent[std::max(a, b)] = std::min(a, b);
        }
    for (Index i = 0; i < M.rows(); ++i) parent[i] = root(i);
    return parent;
}

}  // namespace

ComponentFactors::ComponentFactors(const Matrix& M) {
    require(M.rows() == M.cols(), "ComponentFactors: M is {} x {}; it must be square", M.rows(), M.cols());
    const Matrix::Sparse sparse = M.to_sparse();
    find_components(sparse);
    for (Component& component : components_) factor(sparse, component);
}

void ComponentFactors::find_components(const Matrix::Sparse& M) {
    const IndexList smallest = smallest_of_component(M);
    component_.resize(smallest.size());
    position_.resize(smallest.size());
    for (Index row = 0; row < M.rows(); ++row) {
        if (smallest[row] == row) {
            component_[row] = components();
            components_.emplace_back();
        } else {
            component_[row] = component_[smallest[row]];
        }
        IndexList& rows = components_[component_[row]].rows;
        position_[row] = std::ssize(rows);
        rows.push_back(row);
    }
}

void ComponentFactors::factor(const Matrix::Sparse& M, Component& component) const {
    const Index n = std::ssize(component.rows);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < n; ++j)
        for (Matrix::Sparse::InnerIterator entry(M, component.rows[j]); entry; ++entry)
            entries.emplace_back(static_cast<int>(position(entry.row())), static_cast<int>(j), entry.value());
    bool regular = false;
    if (n == 1) {
        component.scalar = entries.empty() ? 0.0 : entries.front().value();
        regular = component.scalar != 0.0;
    } else if (n <= small_component || 4 * std::ssize(entries) >= n * n) {
        Matrix::Dense dense = Matrix::Dense::Zero(n, n);
        for (const auto& entry : entries) dense(entry.row(), entry.col()) = entry.value();
        regular = component.factors.emplace().compute(dense);
    } else {
        Matrix::Sparse sparse(n, n);
        sparse.setFromTriplets(entries.begin(), entries.end());
        regular = component.factors.emplace().compute(sparse);
    }
    require(regular,
            "M is singular: the {} row{} connected to row {} cannot be inverted; give every unknown velocity a mass", n,
            n == 1 ? "" : "s", component.rows.front());
}

void ComponentFactors::solve_component(Index k, Eigen::Ref<Eigen::VectorXd> x) const {
    const Component& component = components_[static_cast<std::size_t>(k)];
    if (component.factors)
        component.factors->solve_in_place(x);
    else
        x /= component.scalar;
}

Eigen::VectorXd ComponentFactors::solve(const Eigen::VectorXd& x) const {
    Eigen::VectorXd result(x.size()), part;
    for (Index k = 0; k < components(); ++k) {
        part = x(rows(k));
        solve_component(k, part);
        for (Index i = 0; i < part.size(); ++i) result[rows(k)[i]] = part[i];
    }
    return result;
}

}  // namespace saltus
