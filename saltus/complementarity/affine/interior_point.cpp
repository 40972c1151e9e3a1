#include "saltus/complementarity/affine/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "saltus/complementarity/affine/infeasibility.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

using Eigen::ArrayXd;
using Eigen::VectorXd;
using Symmetry = Factorization::Symmetry;

// Added to the diagonal, relative to the largest entry of the row and column: M + D may be singular (free variables
// with a zero block, dependent rows); refinement removes its effect on the solution.
constexpr double relative_regularization = 1e-10;
constexpr int refinements = 3;
// The part of the way to the boundary that a step takes.
constexpr double fraction_to_boundary = 0.995;
// Steps shorter than this, one after the other, are a stall.
constexpr double tiny_step = 1e-6;
constexpr int tolerated_tiny_steps = 4;

struct Bound {
    Index variable;
    double sign;  // 1: lower, -1: upper
    double value;
};

std::vector<Bound> finite_bounds(const AffineBox& problem) {
    std::vector<Bound> bounds;
    for (Index i = 0; i < problem.size(); ++i) {
        if (std::isfinite(problem.lower(i))) bounds.push_back({i, 1.0, problem.lower(i)});
        if (std::isfinite(problem.upper(i))) bounds.push_back({i, -1.0, problem.upper(i)});
    }
    return bounds;
}

// max_j max(|M_ij|, |M_ji|), 1 for a row and column of zeros.
VectorXd row_scales(const Matrix& M) {
    VectorXd scale = VectorXd::Zero(M.rows());
    const auto visit = [&](Index i, Index j, double value) {
        scale[i] = std::max(scale[i], std::abs(value));
        scale[j] = std::max(scale[j], std::abs(value));
    };
    for (Index j = 0; j < M.cols(); ++j) {
        if (M.is_sparse())
            for (Matrix::Sparse::InnerIterator entry(M.sparse(), j); entry; ++entry)
                visit(entry.row(), j, entry.value());
        else
            for (Index i = 0; i < M.rows(); ++i) visit(i, j, M.dense()(i, j));
    }
    return (scale.array() > 0.0).select(scale, 1.0);
}

// Solves with M + diag(d): regularised factor, refinement with the matrix itself.
class ReducedSystem {
public:
    explicit ReducedSystem(const Matrix& M)
        : M_(M),
          scale_(row_scales(M)),
          symmetry_(M.is_symmetric(symmetry_rounding) ? Symmetry::symmetric : Symmetry::unsymmetric) {}

    const VectorXd& scale() const { return scale_; }

    bool factor(const VectorXd& d) {
        d_ = d;
        return factorization_.compute(M_.plus_diagonal(d + relative_regularization * scale_), symmetry_);
    }

    VectorXd solve(const VectorXd& right_side) {
        VectorXd x = right_side;
        factorization_.solve_in_place(x);
        VectorXd best = x;
        double best_error = std::numeric_limits<double>::infinity();
        for (int k = 0; k <= refinements; ++k) {
            VectorXd error = right_side - d_.cwiseProduct(x) - M_ * x;
            const double size = error.lpNorm<Eigen::Infinity>();
            if (!(size < 0.5 * best_error)) break;
            best = x;
            best_error = size;
            factorization_.solve_in_place(error);
            x += error;
        }
        return best;
    }

private:
    const Matrix& M_;
    VectorXd scale_, d_;
    Symmetry symmetry_;
    Factorization factorization_;
};

// The iterate, and a direction, of (20).
struct Point {
    VectorXd z;
    ArrayXd s, y;
};

// The largest step <= 1 that keeps s + step ds >= 0 and y + step dy >= 0.
double step_to_boundary(const Point& point, const Point& direction, double fraction) {
    double step = 1.0;
    const auto limit = [&](const ArrayXd& x, const ArrayXd& dx) {
        for (Index k = 0; k < x.size(); ++k)
            if (dx[k] < 0.0) step = std::min(step, -fraction * x[k] / dx[k]);
    };
    limit(point.s, direction.s);
    limit(point.y, direction.y);
    return step;
}

class InteriorPointIteration {
public:
    InteriorPointIteration(const InteriorPoint& options, const AffineBox& problem, VectorXd& z)
        : options_(options), problem_(problem), z_(z), bounds_(finite_bounds(problem)), system_(problem.M) {}

    SolveReport run() {
        SolveReport report{.solver = InteriorPoint::name};
        if (!start()) return end(report, SolveStatus::unsuitable_problem, singular);
        int tiny_steps = 0;
        double reached = options_.history ? residual(problem_, z_) : 0.0;
        while (report.iterations < options_.max_iterations) {
            check_interruption();
            ++report.iterations;
            options_.history.add(reached);
            const std::optional<double> step = advance();
            if (!step) return end(report, SolveStatus::unsuitable_problem, singular);
            if (!std::isfinite(*step)) return end(report, SolveStatus::stalled, "the iterates run to infinity");
            reached = judge(point_.z);
            if (is_solved() || polish()) {
                report.status = SolveStatus::converged;
                return report;
            }
            if (is_infeasible(report)) return report;
            tiny_steps = *step < tiny_step ? tiny_steps + 1 : 0;
            if (tiny_steps > tolerated_tiny_steps)
                return is_infeasible(report, true)
                           ? report
                           : end(report, SolveStatus::stalled,
                                 "steps have become tiny: the problem is infeasible or M is not monotone");
        }
        return report;
    }

private:
    // The residual of the candidate, projected. Keeps the best point so far in z.
    double judge(const VectorXd& candidate) {
        const VectorXd projected = candidate.cwiseMax(lower_).cwiseMin(upper_);
        const double reached = residual(problem_, projected);
        if (reached < best_) {
            best_ = reached;
            z_ = projected;
        }
        return reached;
    }
    bool is_solved() const { return best_ <= options_.tolerance; }

    // Positive semidefinite and regularised, M + diag is regular.
    static constexpr const char* singular = "M + diag is singular: M is not positive semidefinite";

    static SolveReport end(SolveReport report, SolveStatus status, const char* message) {
        report.status = status;
        report.message = message;
        return report;
    }

    Index bound_count() const { return std::ssize(bounds_); }
    const Bound& bound(Index k) const { return bounds_[static_cast<std::size_t>(k)]; }

    // sum_k sign_k x_k e_i(k).
    VectorXd scatter(const ArrayXd& x) const {
        VectorXd sum = VectorXd::Zero(problem_.size());
        for (Index k = 0; k < bound_count(); ++k) sum[bound(k).variable] += bound(k).sign * x[k];
        return sum;
    }
    // sign_k x_i(k).
    ArrayXd gather(const VectorXd& x) const {
        return ArrayXd::NullaryExpr(bound_count(), [&](Index k) { return bound(k).sign * x[bound(k).variable]; });
    }
    // sign_k (z_i(k) - bound_k).
    ArrayXd distances(const VectorXd& z) const {
        return ArrayXd::NullaryExpr(bound_count(),
                                    [&](Index k) { return bound(k).sign * (z[bound(k).variable] - bound(k).value); });
    }

    // Mehrotra's start (23): a regularised Newton step from the guess, then s and y shifted to be positive and similar.
    bool start() {
        const Index n = problem_.size();
        lower_ = VectorXd::NullaryExpr(n, [&](Index i) { return problem_.lower(i); });
        upper_ = VectorXd::NullaryExpr(n, [&](Index i) { return problem_.upper(i); });
        if (!system_.factor(system_.scale())) return false;
        point_.z = z_ - system_.solve(slack(problem_, z_));
        point_.s = distances(point_.z);
        point_.y = gather(slack(problem_, point_.z));
        if (bounds_.empty()) return true;
        const auto make_positive = [](ArrayXd& x) { x += std::max(-1.5 * x.minCoeff(), 1e-8); };
        make_positive(point_.s);
        make_positive(point_.y);
        const double product = (point_.s * point_.y).sum();
        const double shift_s = 0.5 * product / point_.y.sum(), shift_y = 0.5 * product / point_.s.sum();
        point_.s += shift_s;
        point_.y += shift_y;
        return true;
    }

    // One predictor and one corrector (22). Returns the step taken: NaN where a number is not finite, none where the
    // factorization fails.
    std::optional<double> advance() {
        const VectorXd dual_residual = slack(problem_, point_.z) - scatter(point_.y);
        const ArrayXd primal_residual = distances(point_.z) - point_.s;
        VectorXd d = VectorXd::Zero(problem_.size());
        for (Index k = 0; k < bound_count(); ++k) d[bound(k).variable] += point_.y[k] / point_.s[k];
        if (!d.allFinite()) return std::nan("");
        if (!system_.factor(d)) return std::nullopt;
        const auto direction_for = [&](const ArrayXd& target) {  // s dy + y ds = target
            Point direction;
            direction.z = system_.solve(scatter((target - point_.y * primal_residual) / point_.s) - dual_residual);
            direction.s = gather(direction.z) + primal_residual;
            direction.y = (target - point_.y * direction.s) / point_.s;
            return direction;
        };
        const ArrayXd products = point_.s * point_.y;
        Point direction = direction_for(-products);
        if (!bounds_.empty()) {
            const double mu = products.mean();
            const double step = step_to_boundary(point_, direction, 1.0);
            const double mu_affine = ((point_.s + step * direction.s) * (point_.y + step * direction.y)).mean();
            const double sigma = std::pow(mu_affine / mu, 3);
            direction = direction_for(sigma * mu - products - direction.s * direction.y);
        }
        const double step = step_to_boundary(point_, direction, fraction_to_boundary);
        point_.z += step * direction.z;
        last_step_ = std::move(direction.z);
        point_.s += step * direction.s;
        point_.y += step * direction.y;
        return step;
    }

    // Tries the active set that the iterate shows (a bound is active where s_k < y_k / M_ii), once it is settled.
    bool polish() {
        std::vector<bool> active(bounds_.size());
        for (Index k = 0; k < bound_count(); ++k)
            active[static_cast<std::size_t>(k)] = point_.s[k] * system_.scale()[bound(k).variable] < point_.y[k];
        const bool settled = active == last_active_;
        last_active_ = active;
        if (!settled || active == last_tried_) return false;
        last_tried_ = active;
        VectorXd candidate = point_.z.cwiseMax(lower_).cwiseMin(upper_);
        for (Index k = 0; k < bound_count(); ++k)
            if (active[static_cast<std::size_t>(k)]) candidate[bound(k).variable] = bound(k).value;
        const PrimalDualActiveSet last_step{.tolerance = options_.tolerance, .max_iterations = 3, .sweeps = 0};
        last_step.solve(problem_, candidate, polish_workspace_);
        judge(candidate);
        return is_solved();
    }

    // Iterates of an infeasible monotone problem diverge along a direction which proves it (9); the last step shows it
    // without the finite part of z.
    bool is_infeasible(SolveReport& report, bool sharpen = false) const {
        for (const VectorXd& direction : {last_step_, point_.z}) {
            VectorXd v = recession_part(problem_, direction);
            if (sharpen) v = sharpened(problem_, v);
            if (!proves_infeasibility(problem_, v)) continue;
            report.status = SolveStatus::no_solution;
            report.certificate = v;
            report.message = "infeasible: the certificate v has v.(M z + q) < 0 for every z within the bounds";
            return true;
        }
        return false;
    }

    const InteriorPoint& options_;
    const AffineBox& problem_;
    VectorXd& z_;
    std::vector<Bound> bounds_;
    ReducedSystem system_;
    VectorXd lower_, upper_, last_step_;
    Point point_;
    double best_ = std::numeric_limits<double>::infinity();
    std::vector<bool> last_active_, last_tried_;
    PrimalDualActiveSet::Workspace polish_workspace_;
};

// The problem for the variables with l < u, the others at their value.
struct WithoutFixed {
    IndexList kept;
    BoxVi problem;

    WithoutFixed(const AffineBox& full, VectorXd& z) {
        IndexList fixed;
        for (Index i = 0; i < full.size(); ++i) {
            const bool is_fixed = full.lower(i) == full.upper(i);
            (is_fixed ? fixed : kept).push_back(i);
            if (is_fixed) z[i] = full.lower(i);
        }
        const Index n = std::ssize(kept);
        problem.M = full.M.block(kept, kept);
        problem.q = full.q(kept) + full.M.block(kept, fixed) * z(fixed);
        problem.lower = VectorXd::NullaryExpr(n, [&](Index k) { return full.lower(kept[k]); });
        problem.upper = VectorXd::NullaryExpr(n, [&](Index k) { return full.upper(kept[k]); });
    }
};

bool has_fixed(const AffineBox& problem) {
    for (Index i = 0; i < problem.size(); ++i)
        if (problem.lower(i) == problem.upper(i)) return true;
    return false;
}

double residual_scale(const VectorXd& q) { return std::max(1.0, q.lpNorm<Eigen::Infinity>()); }

SolveReport solve_without_fixed(const InteriorPoint& options, const AffineBox& problem, VectorXd& z) {
    const WithoutFixed reduced(problem, z);
    if (reduced.kept.empty()) return {.solver = InteriorPoint::name};
    const double ratio = residual_scale(problem.q) / residual_scale(reduced.problem.q);
    InteriorPoint inner = options;  // the same absolute tolerance, though q differs
    inner.tolerance *= ratio;
    std::vector<double> residuals;
    if (options.history) inner.history = {&residuals};
    VectorXd kept = z(reduced.kept);
    SolveReport report = InteriorPointIteration(inner, reduced.problem, kept).run();
    z(reduced.kept) = kept;
    for (const double of_reduced : residuals) options.history.add(of_reduced / ratio);
    if (report.certificate.size() > 0) {
        const VectorXd certificate = std::exchange(report.certificate, VectorXd::Zero(z.size()));
        report.certificate(reduced.kept) = certificate;
    }
    return report;
}

}  // namespace

SolveReport InteriorPoint::solve(const AffineBox& problem, VectorXd& z) const {
    problem.check(*this, z);
    SolveReport report{.solver = name};
    if (is_solution(problem, z, tolerance)) return conclude(problem, z, tolerance, std::move(report), history);
    for (Index i = 0; i < problem.size(); ++i)
        if (problem.M(i, i) < 0.0 && problem.lower(i) < problem.upper(i)) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = fmt::format("M({0}, {0}) is {1}: M is not positive semidefinite", i, problem.M(i, i));
            return conclude(problem, z, tolerance, std::move(report), history);
        }
    report =
        has_fixed(problem) ? solve_without_fixed(*this, problem, z) : InteriorPointIteration(*this, problem, z).run();
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
