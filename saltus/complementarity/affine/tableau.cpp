#include "saltus/complementarity/affine/tableau.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "saltus/complementarity/affine/block_guard.hpp"

namespace saltus {

namespace {

class Tableau {
public:
    Tableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) : n_(q.size()), height_((n_ + 3) / 4 * 4) {
        for (Index j = 0; j <= n_; ++j) {
            const double* source = j < n_ ? M.data() + j * n_ : q.data();
            std::copy(source, source + n_, column(j));
            std::fill(column(j) + n_, column(j) + height_, 0.0);
        }
        for (Index i = 0; i < n_; ++i) diagonal_[i] = column(i)[i];
    }

    // Exchanges z_r and w_r. False, and nothing done, if the pivot is not positive.
    bool exchange(Index r) {
        double* const pivot_column = column(r);
        const double pivot = pivot_column[r];
        // A pivot that enters z_r is a Schur complement of M_rr: much smaller than M_rr, it is rounding.
        if (!(pivot > (is_basic(r) ? 0.0 : rounding * diagonal_[r]))) return false;
        for (Index j = 0; j <= n_; ++j) {
            if (j == r) continue;
            double* const target = column(j);
            const double factor = -target[r] / pivot;
            for (Index i = 0; i < height_; ++i) target[i] += factor * pivot_column[i];
            target[r] = factor;
        }
        const double reciprocal = 1.0 / pivot;
        for (Index i = 0; i < height_; ++i) pivot_column[i] *= reciprocal;
        pivot_column[r] = reciprocal;
        basic_ ^= 1u << r;
        return true;
    }

    // The set of negative x_basic, as bits; w is compared with the size of q, z_i with that of q / M_ii.
    std::uint32_t infeasible(double q_size) const {
        std::uint32_t set = 0;
        const double* const p = column(n_);
        for (Index i = 0; i < n_; ++i) {
            const double scaled = is_basic(i) ? p[i] * diagonal_[i] : p[i];
            set |= static_cast<std::uint32_t>(scaled < -rounding * q_size) << i;
        }
        return set;
    }

    void read(Eigen::VectorXd& z) const {
        const double* const p = column(n_);
        for (Index i = 0; i < n_; ++i) z[i] = is_basic(i) ? p[i] : 0.0;
    }

private:
    static constexpr double rounding = 1e-13;

    bool is_basic(Index i) const { return basic_ >> i & 1; }
    double* column(Index j) { return storage_ + j * tableau_capacity; }
    const double* column(Index j) const { return storage_ + j * tableau_capacity; }

    Index n_, height_;         // height: n rounded up to whole vector registers
    std::uint32_t basic_ = 0;  // bit i: z_i is basic
    double diagonal_[tableau_capacity];
    alignas(32) double storage_[tableau_capacity * (tableau_capacity + 1)];
};

}  // namespace

int solve_on_tableau(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, Eigen::VectorXd& z) {
    const Index n = q.size();
    Tableau tableau(M, q);
    for (Index i = 0; i < n; ++i)
        if (z[i] > 0.0 && !tableau.exchange(i)) return -1;

    const double q_size = n > 0 ? q.lpNorm<Eigen::Infinity>() : 0.0;
    BlockGuard guard;
    const int most_rounds = 10 + 5 * static_cast<int>(n);
    for (int rounds = 0; rounds < most_rounds; ++rounds) {
        std::uint32_t wrong = tableau.infeasible(q_size);
        if (wrong == 0) {
            tableau.read(z);
            return rounds;
        }
        if (!guard.allows_block(std::popcount(wrong))) wrong &= -wrong;  // the least index alone
        for (; wrong != 0; wrong &= wrong - 1)
            if (!tableau.exchange(std::countr_zero(wrong))) return -1;
    }
    return -1;
}

}  // namespace saltus
