#include "saltus/complementarity/infeasibility.hpp"

#include <cmath>

namespace saltus {

Eigen::VectorXd recession_part(const AffineBox& problem, const Eigen::VectorXd& v) {
    Eigen::VectorXd part = v;
    for (Index i = 0; i < v.size(); ++i) {
        const auto [lower, upper] = problem.interval(i);
        if ((v[i] < 0.0 && std::isfinite(lower)) || (v[i] > 0.0 && std::isfinite(upper))) part[i] = 0.0;
    }
    const double largest = part.size() > 0 ? part.lpNorm<Eigen::Infinity>() : 0.0;
    if (largest > 0.0) part /= largest;
    return part;
}

bool proves_infeasibility(const AffineBox& problem, const Eigen::VectorXd& direction) {
    constexpr double rounding = 1e-11;
    if (direction.size() != problem.size() || !direction.allFinite()) return false;
    const Eigen::VectorXd v = recession_part(problem, direction);
    if (v.isZero(0.0)) return false;
    Eigen::VectorXd p = Eigen::VectorXd::Zero(v.size());  // M'v
    problem.M.transpose_multiply_add(v, p);
    const Eigen::VectorXd size = problem.M.absolute_transpose_product(v);  // of the terms of M'v
    double supremum = problem.q.dot(v), terms = problem.q.cwiseAbs().dot(v.cwiseAbs());
    for (Index i = 0; i < v.size(); ++i) {
        if (std::abs(p[i]) <= rounding * size[i]) continue;
        const double term = p[i] * (p[i] > 0.0 ? problem.upper(i) : problem.lower(i));
        supremum += term;
        terms += std::abs(term);
    }
    return supremum < -rounding * terms;  // false for the infinity of a missing bound
}

}  // namespace saltus
