#include "saltus/complementarity/enumeration.hpp"

#include <Eigen/QR>
#include <functional>
#include <optional>

#include "saltus/complementarity/lemke.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/check.hpp"

namespace saltus {

namespace {

using Placement = std::vector<Place>;

std::vector<Place> choices(const Interval& interval) {
    const bool has_lower = std::isfinite(interval.lower), has_upper = std::isfinite(interval.upper);
    if (interval.lower == interval.upper) return {Place::at_lower};
    std::vector<Place> result;
    if (has_lower) result.push_back(Place::at_lower);
    result.push_back(Place::basic);
    if (has_upper) result.push_back(Place::at_upper);
    return result;
}

double count_placements(const AffineBox& problem) {
    double count = 1.0;
    for (Index i = 0; i < problem.size(); ++i) count *= static_cast<double>(choices(problem.interval(i)).size());
    return count;
}

// A point of { x in box : E x = b, G x >= h }, or nothing if it is empty. The feasibility problem is the box problem
//     0 in N_box(x) - E'y+ + E'y- - G'v,   0 <= y+ _|_ E x - b,   0 <= y- _|_ b - E x,   0 <= v _|_ G x - h,
// whose matrix is skew: Lemke's method decides it.
std::optional<Eigen::VectorXd> feasible_point(const Eigen::MatrixXd& E, const Eigen::VectorXd& b,
                                              const Eigen::MatrixXd& G, const Eigen::VectorXd& h,
                                              const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
    const Index n = lower.size(), m = 2 * E.rows() + G.rows();
    Eigen::MatrixXd A(m, n);
    A << E, -E, G;
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n + m, n + m);
    M.topRightCorner(n, m) = -A.transpose();
    M.bottomLeftCorner(m, n) = A;
    Eigen::VectorXd q(n + m), l(n + m), u(n + m);
    q << Eigen::VectorXd::Zero(n), -b, b, -h;
    l << lower, Eigen::VectorXd::Zero(m);
    u << upper, Eigen::VectorXd::Constant(m, std::numeric_limits<double>::infinity());
    const BoxVi box{std::move(M), q, l, u};
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n + m);
    if (!Lemke{.tolerance = 1e-12}.solve(box, x).converged()) return std::nullopt;
    return x.head(n);
}

class PlacementSolver {
public:
    PlacementSolver(const AffineBox& problem, double tolerance)
        : problem_(problem), tolerance_(tolerance), M_(problem.M.to_dense()) {}

    // A solution with the variables at those places, if there is one.
    std::optional<Eigen::VectorXd> operator()(const Placement& placement) const {
        IndexList basic, bounded;
        Eigen::VectorXd z = Eigen::VectorXd::Zero(problem_.size());
        for (Index i = 0; i < problem_.size(); ++i) {
            (placement[i] == Place::basic ? basic : bounded).push_back(i);
            if (placement[i] != Place::basic) z[i] = bound_at(problem_.interval(i), placement[i]);
        }
        const Eigen::VectorXd w = M_ * z + problem_.q;
        if (!basic.empty()) {
            const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(M_(basic, basic));
            if (qr.rank() < std::ssize(basic)) return singular(qr, basic, bounded, placement, z, w);
            z(basic) = -qr.solve(Eigen::VectorXd(w(basic)));
        }
        return verified(z);
    }

private:
    std::optional<Eigen::VectorXd> verified(const Eigen::VectorXd& z) const {
        if (residual(problem_, z) <= tolerance_) return z;
        return std::nullopt;
    }

    // M_AA = Q R P' is singular: E x = b are its independent rows, after the dependent ones were found consistent.
    std::optional<Eigen::VectorXd> singular(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr,
                                            const IndexList& basic, const IndexList& bounded,
                                            const Placement& placement, Eigen::VectorXd z,
                                            const Eigen::VectorXd& w) const {
        const Index k = std::ssize(basic), rank = qr.rank();
        const Eigen::VectorXd rhs = qr.householderQ().adjoint() * Eigen::VectorXd(-w(basic));
        const double scale = std::max(1.0, problem_.q.lpNorm<Eigen::Infinity>());
        if (rhs.tail(k - rank).lpNorm<Eigen::Infinity>() > tolerance_ * scale) return std::nullopt;
        const Eigen::MatrixXd R = qr.matrixR().topRows(rank).template triangularView<Eigen::Upper>();
        const Eigen::MatrixXd E = R * qr.colsPermutation().transpose();

        Eigen::MatrixXd G(std::ssize(bounded), k);  // sign (w + M_NA x) >= 0
        Eigen::VectorXd h(std::ssize(bounded)), lower(k), upper(k);
        for (Index r = 0; r < G.rows(); ++r) {
            const Index i = bounded[r];
            const double sign = slack_sign(problem_.interval(i), placement[i]);
            G.row(r) = sign * M_(i, basic);
            h[r] = -sign * w[i];
        }
        for (Index c = 0; c < k; ++c) {
            lower[c] = problem_.lower(basic[c]);
            upper[c] = problem_.upper(basic[c]);
        }
        const auto x = feasible_point(E, rhs.head(rank), G, h, lower, upper);
        if (!x) return std::nullopt;
        z(basic) = *x;
        return verified(z);
    }

    const AffineBox& problem_;
    double tolerance_;
    Eigen::MatrixXd M_;
};

// Calls visit(placement) for every placement until it answers false.
void for_each_placement(const AffineBox& problem, const std::function<bool(const Placement&)>& visit) {
    std::vector<std::vector<Place>> wheels;
    Placement placement;
    for (Index i = 0; i < problem.size(); ++i) {
        wheels.push_back(choices(problem.interval(i)));
        placement.push_back(wheels.back().front());
    }
    std::vector<std::size_t> digit(wheels.size(), 0);
    while (visit(placement)) {
        std::size_t i = 0;
        for (; i < wheels.size(); ++i) {  // an odometer
            digit[i] = (digit[i] + 1) % wheels[i].size();
            placement[i] = wheels[i][digit[i]];
            if (digit[i] != 0) break;
        }
        if (i == wheels.size()) return;
    }
}

}  // namespace

SolveReport Enumeration::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(name, z);
    SolveReport report{.solver = name};
    if (const double count = count_placements(problem); count > max_iterations) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = fmt::format("{:.3g} placements to try, more than max_iterations = {}", count, max_iterations);
        return conclude(problem, z, tolerance, std::move(report));
    }
    if (residual(problem, z) <= tolerance) return conclude(problem, z, tolerance, std::move(report));
    const PlacementSolver solve_placement(problem, tolerance);
    const auto attempt = [&](const Placement& placement) {
        ++report.iterations;
        const auto found = solve_placement(placement);
        if (found) z = *found;
        return !found;
    };
    Placement guess;
    for (Index i = 0; i < z.size(); ++i) guess.push_back(place_of(problem.interval(i), z[i]));
    report.status = SolveStatus::no_solution;
    if (attempt(guess)) for_each_placement(problem, attempt);
    report = conclude(problem, z, tolerance, std::move(report));
    if (!report.converged())
        report.message =
            fmt::format("none of the {} placements of the variables has a solution", report.iterations - 1);
    return report;
}

std::vector<Eigen::VectorXd> Enumeration::solve_all(const AffineBox& problem) const {
    problem.check(name, Eigen::VectorXd::Zero(problem.size()));
    const double count = count_placements(problem);
    require(count <= max_iterations, "{}: {:.3g} placements to try, more than max_iterations = {}", name, count,
            max_iterations);
    const PlacementSolver solve_placement(problem, tolerance);
    std::vector<Eigen::VectorXd> solutions;
    for_each_placement(problem, [&](const Placement& placement) {
        const auto found = solve_placement(placement);
        const auto same = [&](const Eigen::VectorXd& known) {
            return (known - *found).lpNorm<Eigen::Infinity>() <= 1e-8 * std::max(1.0, known.lpNorm<Eigen::Infinity>());
        };
        if (found && std::none_of(solutions.begin(), solutions.end(), same)) solutions.push_back(*found);
        return true;
    });
    return solutions;
}

}  // namespace saltus
