#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstdint>

#include "saltus/io/problem/problem_file.hpp"

namespace saltus::testing {

// Equality of every bit: 0 and -0 differ.
inline bool same_values(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::equal(a.data(), a.data() + a.size(), b.data(), [](double x, double y) {
               return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
           });
}
// The same storage too.
inline bool same_bits(const Matrix& a, const Matrix& b) {
    return a.is_sparse() == b.is_sparse() && a.nonzeros() == b.nonzeros() && same_values(a.to_dense(), b.to_dense());
}
inline bool same_bits(const BlockMatrix& a, const BlockMatrix& b) {
    if (a.blocks() != b.blocks() || a.stored_blocks() != b.stored_blocks()) return false;
    for (Index i = 0; i < a.blocks(); ++i) {
        if (!std::ranges::equal(a.columns(i), b.columns(i))) return false;
        for (std::size_t k = 0; k < a.columns(i).size(); ++k)
            if (!same_values(a.block(i, k), b.block(i, k))) return false;
    }
    return true;
}
inline bool same_bits(const Lcp& a, const Lcp& b) { return same_bits(a.M, b.M) && same_values(a.q, b.q); }
inline bool same_bits(const Mlcp& a, const Mlcp& b) {
    return same_bits(a.M, b.M) && same_values(a.q, b.q) && a.free == b.free;
}
inline bool same_bits(const BoxVi& a, const BoxVi& b) {
    return same_bits(a.M, b.M) && same_values(a.q, b.q) && same_values(a.lower, b.lower) &&
           same_values(a.upper, b.upper);
}
template <class P>
bool same_contacts(const P& a, const P& b) {
    return same_values(a.mu, b.mu) && same_values(a.rolling, b.rolling);
}
inline bool same_bits(const FrictionProblem& a, const FrictionProblem& b) {
    return same_contacts(a, b) && same_bits(a.W, b.W) && same_values(a.q, b.q);
}
inline bool same_bits(const GlobalFrictionProblem& a, const GlobalFrictionProblem& b) {
    return same_contacts(a, b) && same_bits(a.M, b.M) && same_bits(a.H, b.H) && same_values(a.f, b.f) &&
           same_values(a.b, b.b);
}
inline bool same_bits(const Problem& a, const Problem& b) {
    if (a.index() != b.index()) return false;
    return std::visit([&](const auto& p) { return same_bits(p, std::get<std::decay_t<decltype(p)>>(b)); }, a);
}

}  // namespace saltus::testing
