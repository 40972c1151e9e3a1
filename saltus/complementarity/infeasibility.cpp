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
    constexpr double rounding = 1e-10, excluded_size = 1e6;
    if (direction.size() != problem.size() || !direction.allFinite()) return false;
    const Eigen::VectorXd v = recession_part(problem, direction);
    if (v.isZero(0.0)) return false;
    Eigen::VectorXd p = Eigen::VectorXd::Zero(v.size());  // M'v
    problem.M.transpose_multiply_add(v, p);
    double supremum = problem.q.dot(v), terms = problem.q.cwiseAbs().dot(v.cwiseAbs()), neglected = 0.0;
    for (Index i = 0; i < v.size(); ++i) {
        const double bound = p[i] > 0.0 ? problem.upper(i) : problem.lower(i);
        if (p[i] == 0.0) continue;
        if (std::isfinite(bound)) {
            supremum += p[i] * bound;
            terms += std::abs(p[i] * bound);
        } else {
            neglected += std::abs(p[i]);
        }
    }
    // A feasible z has 0 <= v.w <= supremum + neglected |z|_inf.
    const double size_of_z = excluded_size * problem.q.lpNorm<Eigen::Infinity>();
    return supremum < -rounding * terms && neglected * size_of_z <= -supremum * problem.M.largest_entry();
}

}  // namespace saltus
