#include "saltus/complementarity/affine/affine_box.hpp"

#include <cmath>

#include "saltus/complementarity/c_functions.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// Rows of w = M z + q are computed some at a time, on the stack.
constexpr Index chunk = 64;
using RowChunk = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, chunk, 1>;

void check_finite(std::string_view kind, std::string_view name, const Eigen::VectorXd& v) {
    for (Index i = 0; i < v.size(); ++i)
        require(std::isfinite(v[i]), "{}: {}[{}] is {}; every entry must be a finite number", kind, name, i, v[i]);
}

}  // namespace

void AffineBox::check(std::string_view who, const Eigen::VectorXd& z) const {
    const Index n = q.size();
    require(M.rows() == n && M.cols() == n, "{}: M is {} x {} but q has {} entries; M must be {} x {}", kind_, M.rows(),
            M.cols(), n, n, n);
    require(!free_ || std::ssize(*free_) == n, "{}: free has {} entries but q has {}", kind_,
            free_ ? std::ssize(*free_) : 0, n);
    require(!lower_ || (lower_->size() == n && upper_->size() == n),
            "{}: lower has {} and upper {} entries but q has {}", kind_, lower_ ? lower_->size() : 0,
            upper_ ? upper_->size() : 0, n);
    require(z.size() == n, "{}: the guess z has {} entries but the {} has {}", who, z.size(), kind_, n);
    check_finite(kind_, "q", q);
    check_finite(who, "the guess z", z);
    if (const auto bad = M.find_non_finite())
        require(false, "{}: M({}, {}) is {}; every entry must be a finite number", kind_, bad->first, bad->second,
                M(bad->first, bad->second));
    if (lower_)
        for (Index i = 0; i < n; ++i)  // also false for NaN
            require(interval(i).is_proper(),
                    "{}: the interval [lower, upper] of variable {} is [{}, {}]; it must not be empty", kind_, i,
                    lower(i), upper(i));
}

double residual(const AffineBox& problem, const Eigen::VectorXd& z) {
    const Index n = problem.size();
    double worst = 0.0;
    bool finite = true;
    const auto judge = [&](Index i, double w) {
        finite = finite && std::isfinite(w) && std::isfinite(z[i]);
        worst = std::max(worst, std::abs(natural_map(problem.interval(i), z[i], w).value));
    };
    if (problem.M.is_sparse()) {
        const Eigen::VectorXd w = slack(problem, z);
        for (Index i = 0; i < n; ++i) judge(i, w[i]);
    } else {
        RowChunk w;
        for (Index first = 0; first < n; first += chunk) {
            const Index count = std::min(chunk, n - first);
            w = problem.q.segment(first, count);
            w.noalias() += problem.M.dense().middleRows(first, count) * z;
            for (Index i = 0; i < count; ++i) judge(first + i, w[i]);
        }
    }
    if (!finite) return std::numeric_limits<double>::infinity();
    return n == 0 ? 0.0 : worst / std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
}

Eigen::VectorXd slack(const AffineBox& problem, const Eigen::VectorXd& z) {
    Eigen::VectorXd w = problem.q;
    problem.M.multiply_add(z, w);
    return w;
}

namespace {

double worst_of(const Interval& interval, double z, double w, double uncertainty) {
    return std::max(std::abs(natural_map(interval, z, w - uncertainty).value),
                    std::abs(natural_map(interval, z, w + uncertainty).value));
}

// Row i of M z + q in extended precision.
long double extended_slack(const AffineBox& problem, const Eigen::VectorXd& z, Index i) {
    long double sum = problem.q[i];
    for (Index j = 0; j < z.size(); ++j)
        if (z[j] != 0.0) sum += static_cast<long double>(problem.M(i, j)) * z[j];
    return sum;
}

}  // namespace

double certified_residual(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance) {
    const Index n = problem.size();
    if (n == 0) return 0.0;
    const double scale = std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
    double worst = 0.0;
    const auto judge = [&](Index i, double w, double terms) {
        constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
        constexpr double extended_rounding = 4.0 * std::numeric_limits<long double>::epsilon();
        double possible = worst_of(problem.interval(i), z[i], w, rounding * terms);
        if (possible > tolerance * scale)
            possible = worst_of(problem.interval(i), z[i], static_cast<double>(extended_slack(problem, z, i)),
                                extended_rounding * terms);
        worst = std::max(worst, possible);
    };
    if (problem.M.is_sparse()) {
        const Eigen::VectorXd w = slack(problem, z);
        const Eigen::VectorXd terms = problem.q.cwiseAbs() + problem.M.sparse().cwiseAbs() * z.cwiseAbs();
        for (Index i = 0; i < n; ++i) judge(i, w[i], terms[i]);
    } else {
        RowChunk w, terms;
        for (Index first = 0; first < n; first += chunk) {
            const Index count = std::min(chunk, n - first);
            w = problem.q.segment(first, count);
            terms = w.cwiseAbs();
            for (Index j = 0; j < n; ++j) {
                if (z[j] == 0.0) continue;
                const auto column = problem.M.dense().col(j).segment(first, count);
                w += z[j] * column;
                terms += std::abs(z[j]) * column.cwiseAbs();
            }
            for (Index i = 0; i < count; ++i) judge(first + i, w[i], terms[i]);
        }
    }
    return worst / scale;
}

const Eigen::MatrixXd* dense_matrix(const AffineBox& problem, Eigen::MatrixXd& copy, SolveReport& report) {
    constexpr Index largest_copy = 10000;
    if (!problem.M.is_sparse()) return &problem.M.dense();
    if (problem.size() > largest_copy) {
        report.status = SolveStatus::unsuitable_problem;
        report.message =
            fmt::format("this solver needs a dense M, too large with {} rows; pdas and interior-point keep M sparse",
                        problem.size());
        return nullptr;
    }
    copy = problem.M.to_dense();
    return &copy;
}

bool is_solution(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance) {
    return residual(problem, z) <= tolerance && certified_residual(problem, z, tolerance) <= tolerance;
}

SolveReport conclude(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history) {
    report.residual = residual(problem, z);
    history.add(report.residual);
    if (report.residual <= tolerance)
        if (const double certified = certified_residual(problem, z, tolerance); !(certified <= tolerance)) {
            report.status = SolveStatus::stalled;
            report.message = fmt::format(
                "rounding hides M z + q at a z of size {:.1e}: the residual may be {:.1e}, above the tolerance {:.1e}",
                z.lpNorm<Eigen::Infinity>(), certified, tolerance);
            return report;
        }
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus
