#include "saltus/integrators/lagrangian/delassus.hpp"

namespace saltus {

void Delassus::assemble(const std::vector<StepBlock>& blocks, const IndexList& active) {
    for (std::vector<User>& users : users_) users.clear();
    row_starts_.assign(1, 0);
    entries_.clear();
    for (std::size_t k = 0; k < active.size(); ++k) {
        const StepBlock& block = blocks[static_cast<std::size_t>(active[k])];
        const std::vector<Index>& systems = block.interaction().systems;
        for (std::size_t s = 0; s < systems.size(); ++s)
            users_[static_cast<std::size_t>(systems[s])].push_back({k, block.starts_in_X[s]});
        row_starts_.push_back(row_starts_.back() + block.count);
    }
    for (std::size_t k = 0; k < active.size(); ++k) add_rows(blocks, active, k);
}

void Delassus::add_rows(const std::vector<StepBlock>& blocks, const IndexList& active, std::size_t k) {
    const StepBlock& block = blocks[static_cast<std::size_t>(active[k])];
    const std::vector<Index>& systems = block.interaction().systems;
    Index first = 0;
    for (std::size_t s = 0; s < systems.size(); ++s) {
        const Index count = block.functions.coordinates_of_systems()[s];
        const Index system_start = system_starts_[static_cast<std::size_t>(systems[s])];
        for (const User& user : users_[static_cast<std::size_t>(systems[s])]) {
            const StepBlock& other = blocks[static_cast<std::size_t>(active[user.k])];
            for (Index i = 0; i < block.count; ++i)
                for (Index j = 0; j < other.count; ++j) {
                    double sum = 0.0;
                    for (Index c = first; c < first + count; ++c) {
                        const Index coordinate = block.functions.coordinates()[static_cast<std::size_t>(c)];
                        sum += block.J(i, c) * other.X(user.start + coordinate - system_start, j);
                    }
                    add(row_starts_[k] + i, row_starts_[user.k] + j, sum);
                }
        }
        first += count;
    }
    for (Index i = 0; i < block.D.rows(); ++i)
        for (Index j = 0; j < block.D.cols(); ++j) add(row_starts_[k] + i, row_starts_[k] + j, block.D(i, j));
}

Matrix Delassus::to_matrix() const {
    if (rows() > dense_limit) {
        Matrix::Sparse result(rows(), rows());
        result.setFromTriplets(entries_.begin(), entries_.end());
        return result;
    }
    Matrix::Dense result = Matrix::Dense::Zero(rows(), rows());
    for (const Eigen::Triplet<double>& entry : entries_) result(entry.row(), entry.col()) += entry.value();
    return result;
}

}  // namespace saltus
