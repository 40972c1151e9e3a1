#pragma once

#include <optional>
#include <vector>

#include "saltus/core/factorization.hpp"
#include "saltus/core/matrix.hpp"

namespace saltus {

// Solves with a square matrix M, one connected component of its graph at a time. The mass matrix of rigid bodies falls
// apart into blocks of 3 or 6 rows, or of one row; that of a mesh is one component. M need not be symmetric.
class ComponentFactors {
public:
    // Throws InvalidInput, with the first row of the component, where M is singular to working precision.
    explicit ComponentFactors(const Matrix& M);

    Index components() const { return static_cast<Index>(components_.size()); }
    // The rows of component k, ascending; the component of a row, and the position of the row in it.
    const IndexList& rows(Index k) const { return components_[static_cast<std::size_t>(k)].rows; }
    Index component(Index row) const { return component_[static_cast<std::size_t>(row)]; }
    Index position(Index row) const { return position_[static_cast<std::size_t>(row)]; }

    // x <- M_kk^-1 x, x of the size of component k.
    void solve_component(Index k, Eigen::Ref<Eigen::VectorXd> x) const;
    // M^-1 x.
    Eigen::VectorXd solve(const Eigen::VectorXd& x) const;

private:
    struct Component {
        IndexList rows;
        double scalar = 0.0;                   // M_kk itself where it has one row
        std::optional<Factorization> factors;  // of M_kk where it has more
    };
    void find_components(const Matrix::Sparse& M);
    void factor(const Matrix::Sparse& M, Component& component) const;

    std::vector<Component> components_;
    IndexList component_, position_;
};

}  // namespace saltus
