#include "saltus/complementarity/affine/infeasibility.hpp"

#include <cmath>

#include "saltus/core/dense.hpp"

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

Eigen::VectorXd sharpened(const AffineBox& problem, const Eigen::VectorXd& v) {
    constexpr double nearly_zero = 1e-5;
    constexpr std::size_t largest = 500;
    if (v.size() != problem.size()) return v;
    const Eigen::VectorXd p = problem.M.transpose() * v, size = problem.M.absolute_transpose_product(v);
    const double threshold = v.size() > 0 ? nearly_zero * v.lpNorm<Eigen::Infinity>() : 0.0;
    IndexList support, zeros;
    for (Index i = 0; i < v.size(); ++i) {
        if (std::abs(v[i]) > threshold) support.push_back(i);
        if (std::abs(p[i]) <= nearly_zero * size[i]) zeros.push_back(i);
    }
    if (support.size() > largest || zeros.size() > largest) return v;
    const Eigen::MatrixXd A = problem.M.block(support, zeros).to_dense().transpose();  // (M'v)_zeros = A v_support
    Eigen::VectorXd kept = v(support);
    kept -= LeastSquares(A).solve(A * kept);
    Eigen::VectorXd result = Eigen::VectorXd::Zero(v.size());
    result(support) = kept;
    return recession_part(problem, result);
}

}  // namespace saltus
