#include "saltus/complementarity/affine/qp.hpp"

#include <cmath>

#include "saltus/complementarity/c_functions.hpp"
#include "saltus/core/assemble.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

void check_matrix(std::string_view name, const Matrix& matrix, Index rows, Index cols) {
    require((rows == 0 && matrix.rows() == 0) || (matrix.rows() == rows && matrix.cols() == cols),
            "Qp: {} is {} x {}; it must be {} x {}", name, matrix.rows(), matrix.cols(), rows, cols);
    if (const auto bad = matrix.find_non_finite())
        require(false, "Qp: {}({}, {}) is {}; every entry must be a finite number", name, bad->first, bad->second,
                matrix(bad->first, bad->second));
}

void check_vector(std::string_view who, std::string_view name, const Eigen::VectorXd& v) {
    for (Index i = 0; i < v.size(); ++i)
        require(std::isfinite(v[i]), "{}: {}[{}] is {}; every entry must be a finite number", who, name, i, v[i]);
}

// y += M' x for the empty M of absent constraints too.
void transpose_multiply_add(const Matrix& M, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
    if (x.size() > 0) M.transpose_multiply_add(x, y);
}

Eigen::VectorXd product(const Matrix& M, const Eigen::VectorXd& x) {
    return M.rows() > 0 ? Eigen::VectorXd(M * x) : Eigen::VectorXd(0);
}

Eigen::VectorXd absolute_transpose_product(const Matrix& M, const Eigen::VectorXd& x, Index cols) {
    if (x.size() == 0) return Eigen::VectorXd::Zero(cols);
    return M.absolute_transpose_product(x);
}

// w = M z + q of (49).
Eigen::VectorXd kkt_slack(const Qp& problem, const Eigen::VectorXd& z) {
    const Index n = problem.size(), equalities = problem.b.size(), inequalities = problem.h.size();
    const Eigen::VectorXd x = z.head(n), y = z.segment(n, equalities), lambda = z.tail(inequalities);
    Eigen::VectorXd w_x = problem.c;
    problem.H.multiply_add(x, w_x);
    transpose_multiply_add(problem.A, -y, w_x);
    transpose_multiply_add(problem.G, -lambda, w_x);
    Eigen::VectorXd w(z.size());
    w << w_x, product(problem.A, x) - problem.b, product(problem.G, x) - problem.h;
    return w;
}

}  // namespace

Interval Qp::bounds(Index i) const {
    return {lower.size() > 0 ? lower[i] : -infinity, upper.size() > 0 ? upper[i] : infinity};
}

void Qp::check(std::string_view who, const Eigen::VectorXd& z) const {
    const Index n = size();
    check_matrix("H", H, n, n);
    check_matrix("A", A, b.size(), n);
    check_matrix("G", G, h.size(), n);
    check_vector("Qp", "c", c);
    check_vector("Qp", "b", b);
    check_vector("Qp", "h", h);
    require(lower.size() == 0 || lower.size() == n, "Qp: lower has {} entries but c has {}", lower.size(), n);
    require(upper.size() == 0 || upper.size() == n, "Qp: upper has {} entries but c has {}", upper.size(), n);
    for (Index i = 0; i < n; ++i)
        require(bounds(i).is_proper(),
                "Qp: the interval [lower, upper] of variable {} is [{}, {}]; it must not be empty", i, bounds(i).lower,
                bounds(i).upper);
    require(H.is_symmetric(1e-10), "Qp: H is not symmetric; give (H + H') / 2, which has the same minima");
    require(z.size() == unknowns(),
            "{}: the guess z has {} entries but (x, y, lambda) has {} + {} + {}: the multipliers count", who, z.size(),
            n, b.size(), h.size());
    check_vector(who, "the guess z", z);
}

BoxVi kkt(const Qp& problem) {
    const Index n = problem.size(), equalities = problem.b.size(), inequalities = problem.h.size();
    const Index total = problem.unknowns();
    BoxVi result{assemble(total, total, problem.is_sparse() ? Storage::sparse : Storage::dense,
                          {{0, 0, problem.H},
                           {0, n, problem.A, -1.0, true},
                           {0, n + equalities, problem.G, -1.0, true},
                           {n, 0, problem.A},
                           {n + equalities, 0, problem.G}}),
                 Eigen::VectorXd(total), Eigen::VectorXd(total), Eigen::VectorXd::Constant(total, infinity)};
    result.q << problem.c, -problem.b, -problem.h;
    result.lower << Eigen::VectorXd::Constant(n + equalities, -infinity), Eigen::VectorXd::Zero(inequalities);
    if (problem.lower.size() > 0) result.lower.head(n) = problem.lower;
    if (problem.upper.size() > 0) result.upper.head(n) = problem.upper;
    return result;
}

double residual(const Qp& problem, const Eigen::VectorXd& z) {
    const Eigen::VectorXd w = kkt_slack(problem, z);
    if (!z.allFinite() || !w.allFinite()) return infinity;
    const Index n = problem.size(), free_end = n + problem.b.size();
    double worst = 0.0, scale = 1.0;
    for (Index i = 0; i < z.size(); ++i) {
        const Interval interval = i < n ? problem.bounds(i) : Interval{i < free_end ? -infinity : 0.0, infinity};
        worst = std::max(worst, std::abs(natural_map(interval, z[i], w[i]).value));
    }
    for (const Eigen::VectorXd* q : {&problem.c, &problem.b, &problem.h})
        if (q->size() > 0) scale = std::max(scale, q->lpNorm<Eigen::Infinity>());
    return worst / scale;
}

SolveReport conclude(const Qp& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history) {
    report.residual = residual(problem, z);
    history.add(report.residual);
    return confirmed(std::move(report), tolerance);
}

bool proves_infeasible(const Qp& problem, const Eigen::VectorXd& v) {
    constexpr double rounding = 1e-11;
    const Index n = problem.size(), equalities = problem.b.size();
    if (v.size() != equalities + problem.h.size() || !v.allFinite()) return false;
    const Eigen::VectorXd y = v.head(equalities), lambda = v.tail(problem.h.size());
    if ((lambda.array() < 0.0).any()) return false;
    Eigen::VectorXd mu = Eigen::VectorXd::Zero(n);
    transpose_multiply_add(problem.A, -y, mu);
    transpose_multiply_add(problem.G, -lambda, mu);
    const Eigen::VectorXd size =
        absolute_transpose_product(problem.A, y, n) + absolute_transpose_product(problem.G, lambda, n);
    double total = problem.b.dot(y) + problem.h.dot(lambda);
    double terms = problem.b.cwiseAbs().dot(y.cwiseAbs()) + problem.h.cwiseAbs().dot(lambda);
    for (Index i = 0; i < n; ++i) {
        if (std::abs(mu[i]) <= rounding * size[i]) continue;
        const double term = mu[i] * (mu[i] > 0.0 ? problem.bounds(i).lower : problem.bounds(i).upper);
        total += term;
        terms += std::abs(term);
    }
    return total > rounding * terms;  // false for the -inf of a missing bound
}

}  // namespace saltus
