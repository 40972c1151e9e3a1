#include "saltus/complementarity/infeasibility.hpp"

#include <cmath>

namespace saltus {

namespace {

// Sums below this part of their terms are rounding.
constexpr double rounding = 1e-9;
// The supremum must be negative by this part of its terms.
constexpr double margin = 1e-3;

// sum_j |M_ji| |v_j| for all i: the size of the terms of M'v.
Eigen::VectorXd term_sizes(const Matrix& M, const Eigen::VectorXd& v) {
    if (!M.is_sparse()) return M.dense().cwiseAbs().transpose() * v.cwiseAbs();
    return M.sparse().cwiseAbs().transpose() * v.cwiseAbs();
}

}  // namespace

Eigen::VectorXd recession_part(const AffineBox& problem, const Eigen::VectorXd& v) {
    Eigen::VectorXd part = v;
    for (Index i = 0; i < v.size(); ++i) {
        const bool down = std::isfinite(problem.lower(i)), up = std::isfinite(problem.upper(i));
        if ((down && v[i] < 0.0) || (up && v[i] > 0.0)) part[i] = 0.0;
    }
    const double largest = part.size() ? part.lpNorm<Eigen::Infinity>() : 0.0;
    return largest > 0.0 ? Eigen::VectorXd(part / largest) : part;
}

bool proves_infeasibility(const AffineBox& problem, const Eigen::VectorXd& direction) {
    const Eigen::VectorXd v = recession_part(problem, direction);
    if (!v.allFinite()) return false;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(v.size());
    problem.M.transpose_multiply_add(v, g);
    const Eigen::VectorXd size = term_sizes(problem.M, v);
    double supremum = problem.q.dot(v), terms = problem.q.cwiseAbs().dot(v.cwiseAbs());
    for (Index i = 0; i < v.size(); ++i) {
        const double bound = g[i] > 0.0 ? problem.upper(i) : problem.lower(i);
        if (std::abs(g[i]) <= rounding * size[i]) continue;
        if (!std::isfinite(bound)) return false;
        supremum += g[i] * bound;
        terms += std::abs(g[i] * bound);
    }
    return supremum < -margin * terms;
}

}  // namespace saltus
