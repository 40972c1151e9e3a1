#include "saltus/model/stacked.hpp"

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

// Where the columns of a piece lie in the whole.
struct IndexRange {
    Index start, size;
};

// Adds the rows and columns of `piece` at the places named: ranges one after the other.
void scatter(const Matrix& piece, const std::vector<IndexRange>& rows, const std::vector<IndexRange>& cols,
             Triplets& triplets) {
    if (piece.rows() == 0) return;
    const auto place = [](const std::vector<IndexRange>& ranges, Index i) {
        for (const IndexRange& range : ranges) {
            if (i < range.size) return range.start + i;
            i -= range.size;
        }
        return i;
    };
    const Matrix::Sparse entries = piece.to_sparse();
    for (Index k = 0; k < entries.outerSize(); ++k)
        for (Matrix::Sparse::InnerIterator it(entries, k); it; ++it)
            triplets.emplace_back(place(rows, it.row()), place(cols, it.col()), it.value());
}

Matrix build(Index rows, Index cols, const Triplets& triplets, bool is_sparse) {
    Matrix::Sparse sparse(rows, cols);
    sparse.setFromTriplets(triplets.begin(), triplets.end());
    if (is_sparse) return sparse;
    return Matrix::Dense(sparse);
}

}  // namespace

Stacked::Stacked(const Model& model) {
    const Index n = model.states(), m = model.rows();
    Triplets M_entries, A_entries, B_entries, C_entries, D_entries;
    for (Index s = 0, start = 0; s < std::ssize(model.systems); ++s) {
        const FirstOrderSystem& system = model.systems[static_cast<std::size_t>(s)];
        const std::vector<IndexRange> range{{start, system.x0.size()}};
        scatter(system.A, range, range, A_entries);
        scatter(system.M, range, range, M_entries);
        if (system.M.rows() == 0)
            for (Index i = 0; i < system.x0.size(); ++i) M_entries.emplace_back(start + i, start + i, 1.0);
        start += system.x0.size();
    }
    lower.resize(m);
    upper.resize(m);
    for (Index k = 0, start = 0; k < std::ssize(model.interactions); ++k) {
        const Interaction& interaction = model.interactions[static_cast<std::size_t>(k)];
        const std::vector<IndexRange> range{{start, interaction.rows()}};
        std::vector<IndexRange> states;
        for (const Index s : interaction.systems)
            states.push_back({model.state_start(s), model.systems[static_cast<std::size_t>(s)].x0.size()});
        scatter(interaction.C, range, states, C_entries);
        scatter(interaction.D, range, range, D_entries);
        scatter(interaction.B, states, range, B_entries);
        for (Index i = 0; i < interaction.rows(); ++i) {
            lower[start + i] = interaction.law_of(i).lower;
            upper[start + i] = interaction.law_of(i).upper;
        }
        start += interaction.rows();
    }
    const bool is_sparse = n + m > dense_limit;
    M = build(n, n, M_entries, is_sparse);
    A = build(n, n, A_entries, is_sparse);
    B = build(n, m, B_entries, is_sparse);
    C = build(m, n, C_entries, is_sparse);
    D = build(m, m, D_entries, is_sparse);
}

Signals::Signals(const Model& model) {
    for (Index s = 0, start = 0; s < std::ssize(model.systems); ++s) {
        const FirstOrderSystem& system = model.systems[static_cast<std::size_t>(s)];
        if (!system.b.is_empty()) {
            b_.push_back(system.b);
            for (Index i = 0; i < system.x0.size(); ++i) input_rows_.push_back(start + i);
        }
        start += system.x0.size();
    }
    for (Index k = 0, start = 0; k < std::ssize(model.interactions); ++k) {
        const Interaction& interaction = model.interactions[static_cast<std::size_t>(k)];
        if (!interaction.e.is_empty()) {
            e_.push_back(interaction.e);
            for (Index i = 0; i < interaction.rows(); ++i) offset_rows_.push_back(start + i);
        }
        start += interaction.rows();
    }
    inputs_ = std::ssize(input_rows_);
    offsets_ = std::ssize(offset_rows_);
}

void Signals::evaluate_inputs(double t, double* values) const {
    for (const Function& b : b_) {
        b.value(&t, values);
        values += b.outputs();
    }
}

void Signals::evaluate_offsets(double t, double* values) const {
    for (const Function& e : e_) {
        e.value(&t, values);
        values += e.outputs();
    }
}

}  // namespace saltus
