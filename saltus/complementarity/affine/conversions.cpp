#include "saltus/complementarity/affine/conversions.hpp"

#include <cmath>

#include "saltus/core/assemble.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

void check(const AffineBox& problem, std::string_view who) {
    problem.check(who, Eigen::VectorXd::Zero(problem.size()));
}

void check_relay(const BoxVi& relay, std::string_view who) {
    check(relay, who);
    for (Index i = 0; i < relay.q.size(); ++i)
        require(std::isfinite(relay.lower[i]) && std::isfinite(relay.upper[i]),
                "{}: the interval of variable {} is [{}, {}]; a relay has finite bounds, use to_mlcp for others", who,
                i, relay.lower[i], relay.upper[i]);
}

// M^-1 B column by column, and M^-1 v, with M regular.
Matrix solve_columns(const Factorization& factors, const Matrix& B) {
    std::vector<Eigen::Triplet<double>> entries;
    Matrix::Dense dense(B.is_sparse() ? 0 : B.rows(), B.is_sparse() ? 0 : B.cols());
    for (Index j = 0; j < B.cols(); ++j) {
        Eigen::VectorXd column = B.is_sparse() ? Eigen::VectorXd(B.sparse().col(j)) : Eigen::VectorXd(B.dense().col(j));
        factors.solve_in_place(column);
        if (!B.is_sparse()) dense.col(j) = column;
        for (Index i = 0; B.is_sparse() && i < column.size(); ++i)
            if (column[i] != 0.0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), column[i]);
    }
    if (!B.is_sparse()) return dense;
    Matrix::Sparse sparse(B.rows(), B.cols());
    sparse.setFromTriplets(entries.begin(), entries.end());
    return sparse;
}

Matrix product(const Matrix& a, const Matrix& b) {
    if (a.is_sparse()) return Matrix::Sparse(a.sparse() * b.sparse());
    return Matrix::Dense(a.dense() * b.dense());
}

// With z = offset + sign a and a slack s for each variable listed:
//     M' = [ S M S  E; -E'  0 ],   q' = (S (q + M offset), u - l),   S = diag(sign).
struct Shifted {
    Matrix M;
    Eigen::VectorXd q;
    Matrix back;
};
Shifted shift(const BoxVi& problem, const Eigen::VectorXd& sign, const Eigen::VectorXd& offset,
              const IndexList& slacks) {
    const Index n = problem.q.size(), total = n + std::ssize(slacks);
    std::vector<std::pair<Index, Index>> ones;
    for (std::size_t k = 0; k < slacks.size(); ++k) ones.emplace_back(slacks[k], k);
    const Matrix E = selection(n, std::ssize(slacks), ones), S = diagonal_matrix(sign);
    const Matrix SMS = problem.M.is_sparse()
                           ? Matrix(Matrix::Sparse(S.sparse() * problem.M.sparse() * S.sparse()))
                           : Matrix(Matrix::Dense(sign.asDiagonal() * problem.M.dense() * sign.asDiagonal()));
    Eigen::VectorXd q(total);
    q << sign.cwiseProduct(problem.q + problem.M * offset), problem.upper(slacks) - problem.lower(slacks);
    return {assemble(total, total, storage_of(problem.M), {{0, 0, SMS}, {0, n, E}, {n, 0, E, -1.0, true}}), q,
            assemble(n, total, storage_of(problem.M), {{0, 0, S}})};
}

IndexList first_indices(Index n) {
    IndexList list(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) list[i] = i;
    return list;
}

}  // namespace

Converted<Lcp> relay_to_lcp_by_inverse(const BoxVi& relay) {
    check_relay(relay, "relay_to_lcp_by_inverse");
    const Index n = relay.q.size();
    Factorization factors;
    require(factors.compute(relay.M),
            "relay_to_lcp_by_inverse: M is singular; use relay_to_lcp_by_slack, which needs no inverse");
    const Matrix inverse =
        solve_columns(factors, relay.M.is_sparse() ? diagonal_matrix(Eigen::VectorXd::Ones(n))
                                                   : Matrix(Matrix::Dense(Matrix::Dense::Identity(n, n))));
    Eigen::VectorXd centre = -relay.q;
    factors.solve_in_place(centre);  // the z of w = 0
    Eigen::VectorXd q(2 * n);
    q << centre - relay.lower, relay.upper - centre;
    const Storage storage = storage_of(relay.M);
    return {{assemble(2 * n, 2 * n, storage,
                      {{0, 0, inverse}, {0, n, inverse, -1.0}, {n, 0, inverse, -1.0}, {n, n, inverse}}),
             q},
            assemble(n, 2 * n, storage, {{0, 0, inverse}, {0, n, inverse, -1.0}}),
            centre};
}

Converted<Lcp> relay_to_lcp_by_slack(const BoxVi& relay) {
    check_relay(relay, "relay_to_lcp_by_slack");
    const Index n = relay.q.size();
    Shifted shifted = shift(relay, -Eigen::VectorXd::Ones(n), relay.upper, first_indices(n));
    return {{std::move(shifted.M), std::move(shifted.q)}, std::move(shifted.back), relay.upper};
}

Converted<Lcp> to_lcp(const Mlcp& problem) {
    check(problem, "to_lcp");
    IndexList F, C;
    for (Index i = 0; i < problem.q.size(); ++i) (problem.free[i] ? F : C).push_back(i);
    const Matrix& M = problem.M;
    Factorization factors;
    require(factors.compute(M.block(F, F)),
            "to_lcp: the block of the {} free variables of M is singular, so that they cannot be eliminated; solve the "
            "Mlcp itself",
            F.size());
    const Matrix X = solve_columns(factors, M.block(F, C)), M_CC = M.block(C, C), M_CF = M.block(C, F);
    Eigen::VectorXd free_part = -problem.q(F);
    factors.solve_in_place(free_part);

    const Index n = problem.q.size(), complementary = std::ssize(C);
    const Matrix fill = product(M_CF, X);
    std::vector<std::pair<Index, Index>> free_rows, complementary_rows;
    for (std::size_t k = 0; k < F.size(); ++k) free_rows.emplace_back(F[k], k);
    for (std::size_t k = 0; k < C.size(); ++k) complementary_rows.emplace_back(C[k], k);
    const Matrix to_free = selection(n, std::ssize(F), free_rows);
    const Matrix to_complementary = selection(n, complementary, complementary_rows);
    const Matrix back_free = product(M.is_sparse() ? to_free : Matrix(to_free.to_dense()), X);
    return {{assemble(complementary, complementary, storage_of(M), {{0, 0, M_CC}, {0, 0, fill, -1.0}}),
             problem.q(C) + M_CF * free_part},
            assemble(n, complementary, storage_of(M), {{0, 0, to_complementary}, {0, 0, back_free, -1.0}}),
            to_free * free_part};
}

Converted<Mlcp> to_mlcp(const BoxVi& problem) {
    check(problem, "to_mlcp");
    const Index n = problem.q.size();
    Eigen::VectorXd sign = Eigen::VectorXd::Ones(n), offset = Eigen::VectorXd::Zero(n);
    std::vector<bool> free(static_cast<std::size_t>(n), false);
    IndexList two_ended;
    for (Index i = 0; i < n; ++i) {
        const bool below = problem.lower[i] > -infinity, above = problem.upper[i] < infinity;
        free[i] = !below && !above;
        if (below) offset[i] = problem.lower[i];
        if (below && above) two_ended.push_back(i);
        if (above && !below) {
            offset[i] = problem.upper[i];
            sign[i] = -1.0;
        }
    }
    Shifted shifted = shift(problem, sign, offset, two_ended);
    free.resize(free.size() + two_ended.size(), false);
    return {{std::move(shifted.M), std::move(shifted.q), std::move(free)}, std::move(shifted.back), offset};
}

Converted<Mlcp> to_mlcp(const Qp& problem) {
    problem.check("to_mlcp", Eigen::VectorXd::Zero(problem.unknowns()));
    const Index n = problem.size(), unknowns = problem.unknowns();
    std::vector<std::pair<Index, Index>> lower_ones, upper_ones;
    for (Index i = 0; i < n; ++i) {
        if (problem.bounds(i).lower > -infinity) lower_ones.emplace_back(lower_ones.size(), i);
        if (problem.bounds(i).upper < infinity) upper_ones.emplace_back(upper_ones.size(), i);
    }
    const Index lowers = std::ssize(lower_ones), uppers = std::ssize(upper_ones), total = unknowns + lowers + uppers;
    const Matrix L = selection(lowers, n, lower_ones), U = selection(uppers, n, upper_ones), M = kkt(problem).M;
    const Index at_L = unknowns, at_U = unknowns + lowers;

    Mlcp result{
        assemble(total, total, storage_of(M),
                 {{0, 0, M}, {0, at_L, L, -1.0, true}, {0, at_U, U, 1.0, true}, {at_L, 0, L}, {at_U, 0, U, -1.0}}),
        Eigen::VectorXd(total), std::vector<bool>(static_cast<std::size_t>(total), false)};
    result.q.head(unknowns) << problem.c, -problem.b, -problem.h;
    for (const auto& [row, i] : lower_ones) result.q[at_L + row] = -problem.lower[i];
    for (const auto& [row, i] : upper_ones) result.q[at_U + row] = problem.upper[i];
    std::fill_n(result.free.begin(), n + problem.b.size(), true);
    const Matrix I = diagonal_matrix(Eigen::VectorXd::Ones(unknowns));
    return {std::move(result), assemble(unknowns, total, storage_of(M), {{0, 0, I}}), Eigen::VectorXd::Zero(unknowns)};
}

}  // namespace saltus
