#pragma once

#include "saltus/core/block_matrix.hpp"
#include "saltus/integrators/lagrangian/step_block.hpp"

namespace saltus {

// Delassus' operator between the active interactions,
//     W_ij = J_i W^-1 B_j + D_ij,                                                                 docs/theory.md (154)
// in which only those blocks exist whose interactions share a system: their number grows with that of the interactions.
class Delassus {
public:
    // `starts`: where the coordinates of each system begin.
    explicit Delassus(IndexList starts) : system_starts_(std::move(starts)), users_(system_starts_.size()) {}

    // X of the active blocks must be up to date.
    void assemble(const std::vector<StepBlock>& blocks, const IndexList& active);

    Index rows() const { return row_starts_.back(); }
    // Where the rows of the k-th active block begin.
    Index start(std::size_t k) const { return row_starts_[k]; }

    // Dense up to this number of rows.
    static constexpr Index dense_limit = 64;
    Matrix to_matrix() const;

private:
    struct User {
        std::size_t k;  // of the active blocks
        Index start;    // of the system in X
    };
    void add_rows(const std::vector<StepBlock>& blocks, const IndexList& active, std::size_t k);
    void add(Index row, Index col, double value) {
        if (value != 0.0) entries_.emplace_back(static_cast<int>(row), static_cast<int>(col), value);
    }

    IndexList system_starts_;
    std::vector<std::vector<User>> users_;  // of each system
    IndexList row_starts_{0};
    std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace saltus
