#include "saltus/complementarity/infeasibility.hpp"

#include <cmath>

namespace saltus {

bool proves_infeasibility(const AffineBox& problem, const Eigen::VectorXd& v) {
    constexpr double zero = 1e-10;
    const double size = v.size() == problem.size() && v.allFinite() && v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
    if (size == 0.0) return false;
    Eigen::VectorXd p = Eigen::VectorXd::Zero(v.size()), p_size = p;  // M'v, and the size of the terms in its sums
    problem.M.transpose_multiply_add(v, p);
    if (problem.M.is_sparse())
        p_size = problem.M.sparse().cwiseAbs().transpose() * v.cwiseAbs();
    else
        p_size = problem.M.dense().cwiseAbs().transpose() * v.cwiseAbs();

    double supremum = problem.q.dot(v), terms = problem.q.cwiseAbs().dot(v.cwiseAbs());
    for (Index i = 0; i < v.size(); ++i) {
        const auto [lower, upper] = problem.interval(i);
        const bool positive_allowed = !std::isfinite(upper), negative_allowed = !std::isfinite(lower);
        if (v[i] > zero * size && !positive_allowed) return false;
        if (v[i] < -zero * size && !negative_allowed) return false;
        const double bound = p[i] > 0.0 ? upper : lower;
        if (std::abs(p[i]) <= zero * p_size[i]) continue;
        if (!std::isfinite(bound)) return false;
        supremum += p[i] * bound;
        terms += std::abs(p[i] * bound);
    }
    return supremum < -zero * terms;
}

}  // namespace saltus
