#include <cmath>
#include <deque>

#include "saltus/complementarity/affine/conversions.hpp"
#include "saltus/core/assemble.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/core/matrix_facts.hpp"

namespace saltus {

namespace {

enum class Side { unknown, primal, dual };

// Sorts the unknowns of -(M z + q) in N(z) into x and multipliers, by the signs of the pairs M_ij, M_ji.
class KktPartition {
public:
    explicit KktPartition(const AffineBox& problem)
        : sides_(static_cast<std::size_t>(problem.size()), Side::unknown), opposites_(sides_.size()) {
        const Matrix transposed = problem.M.transpose();
        for (Index j = 0; j < problem.size(); ++j) {
            read_column(problem.M, j);
            read_column(transposed, j);  // finds the pairs with M_ji stored and M_ij not
        }
        for (const Index i : members(Side::primal)) spread_from(i);
        for (const Index i : members(Side::unknown)) {  // what no symmetric pair reaches may be taken either way
            if (sides_[i] == Side::unknown) sides_[i] = Side::primal;
            spread_from(i);
        }
    }

    IndexList members(Side side) const {
        IndexList list;
        for (std::size_t i = 0; i < sides_.size(); ++i)
            if (sides_[i] == side) list.push_back(static_cast<Index>(i));
        return list;
    }

private:
    void read_column(const Matrix& M, Index j) {
        if (M.is_sparse())
            for (Matrix::Sparse::InnerIterator entry(M.sparse(), j); entry; ++entry)
                read_pair(entry.row(), j, entry.value(), M(j, entry.row()));
        else
            for (Index i = 0; i < M.rows(); ++i) read_pair(i, j, M.dense()(i, j), M.dense()(j, i));
    }

    void read_pair(Index i, Index j, double a, double b) {
        constexpr double rounding = 1e-12;
        if (a == 0.0 && b == 0.0) return;
        const double size = rounding * std::max(std::abs(a), std::abs(b));
        require(std::abs(a - b) <= size || (i != j && std::abs(a + b) <= size),
                "to_qp: M({}, {}) is {} and M({}, {}) is {}; in a KKT system they are equal or opposite", i, j, a, j, i,
                b);
        if (std::abs(a - b) <= size)
            sides_[i] = sides_[j] = Side::primal;
        else
            opposites_[i].push_back(j);
    }

    // A skew pair links an x to a multiplier.
    void spread_from(Index start) {
        std::deque<Index> front{start};
        while (!front.empty()) {
            const Index i = front.front();
            front.pop_front();
            for (const Index j : opposites_[i]) {
                require(sides_[j] != sides_[i],
                        "to_qp: M({0}, {1}) = -M({1}, {0}) but {0} and {1} would both be {2}; no KKT system has this",
                        i, j, sides_[i] == Side::primal ? "variables of the quadratic program" : "multipliers");
                if (sides_[j] != Side::unknown) continue;
                sides_[j] = sides_[i] == Side::primal ? Side::dual : Side::primal;
                front.push_back(j);
            }
        }
    }

    std::vector<Side> sides_;
    std::vector<IndexList> opposites_;
};

}  // namespace

Converted<Qp> to_qp(const AffineBox& problem) {
    problem.check("to_qp", Eigen::VectorXd::Zero(problem.size()));
    const KktPartition partition(problem);
    const IndexList x = partition.members(Side::primal);
    IndexList equalities, inequalities;
    for (const Index i : partition.members(Side::dual)) {
        const auto [l, u] = problem.interval(i);
        require(u == infinity && (l == -infinity || l == 0.0),
                "to_qp: variable {} is a multiplier with the interval [{}, {}]; it must be free or [0, inf)", i, l, u);
        (l == 0.0 ? inequalities : equalities).push_back(i);
    }
    const auto bounds = [&](auto side) {
        return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(std::ssize(x), [&](Index k) { return side(x[k]); }));
    };
    Qp qp{problem.M.block(x, x),
          problem.q(x),
          problem.M.block(equalities, x),
          -problem.q(equalities),
          problem.M.block(inequalities, x),
          -problem.q(inequalities),
          bounds([&](Index i) { return problem.lower(i); }),
          bounds([&](Index i) { return problem.upper(i); })};
    require(is_positive_semidefinite(qp.H),
            "to_qp: the block of M that would be H is not positive semidefinite; the problem is not a convex program");
    std::vector<std::pair<Index, Index>> places;
    for (const IndexList* list : std::initializer_list<const IndexList*>{&x, &equalities, &inequalities})
        for (const Index i : *list) places.emplace_back(i, places.size());
    return {std::move(qp), selection(problem.size(), problem.size(), places), Eigen::VectorXd::Zero(problem.size())};
}

}  // namespace saltus
