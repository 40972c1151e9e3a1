#include "saltus/complementarity/affine_box.hpp"

#include <cmath>

#include "saltus/complementarity/c_functions.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// An uncertainty of w beside q at which a small residual is luck, not evidence.
constexpr double largest_rounding = 1e-6;

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

double rounding_of_residual(const AffineBox& problem, const Eigen::VectorXd& z) {
    const Index n = problem.size();
    if (n == 0) return 0.0;
    double largest = 0.0;  // of |M| |z|
    if (problem.M.is_sparse()) {
        const Eigen::VectorXd terms = problem.M.sparse().cwiseAbs() * z.cwiseAbs();
        largest = terms.maxCoeff();
    } else {
        RowChunk terms;
        for (Index first = 0; first < n; first += chunk) {
            const Index count = std::min(chunk, n - first);
            terms.setZero(count);
            for (Index j = 0; j < n; ++j)
                if (z[j] != 0.0) terms += std::abs(z[j]) * problem.M.dense().col(j).segment(first, count).cwiseAbs();
            largest = std::max(largest, terms.maxCoeff());
        }
    }
    const double q_size = problem.q.lpNorm<Eigen::Infinity>();
    return std::numeric_limits<double>::epsilon() * (largest + q_size) / std::max(1.0, q_size);
}

SolveReport conclude(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report) {
    report.residual = residual(problem, z);
    report = confirmed(std::move(report), tolerance);
    if (!report.converged()) return report;
    if (const double rounding = rounding_of_residual(problem, z); rounding > largest_rounding) {
        report.status = SolveStatus::stalled;
        report.message = fmt::format(
            "z reaches {:.1e}, so large that rounding leaves M z + q uncertain by {:.1e}: no solution is confirmed",
            z.lpNorm<Eigen::Infinity>(), rounding);
    }
    return report;
}

}  // namespace saltus
