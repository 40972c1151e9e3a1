#include "saltus/complementarity/affine/enumeration.hpp"

#include <functional>
#include <optional>

#include "saltus/complementarity/affine/lemke.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

// A least residual above the tolerance but below this proves nothing: rounding may have made it.
constexpr double proof_residual = 1e-9;

double count_placements(const AffineBox& problem) {
    double count = 1.0;
    for (Index i = 0; i < problem.size(); ++i) count *= static_cast<double>(places_in(problem.interval(i)).size());
    return count;
}

enum class Feasibility { empty, found, undecided };

// Whether { x in box : E x = b, G x >= h } is empty, and a point of it. The feasibility problem is the box problem
//     0 in N_box(x) - E'y+ + E'y- - G'v,   0 <= y+ _|_ E x - b,   0 <= y- _|_ b - E x,   0 <= v _|_ G x - h,
// whose matrix is skew, with free variables written as differences of two that are not negative: Lemke decides it.
Feasibility feasible_point(const Eigen::MatrixXd& E, const Eigen::VectorXd& b, const Eigen::MatrixXd& G,
                           const Eigen::VectorXd& h, const std::vector<Interval>& intervals, Eigen::VectorXd& x) {
    IndexList free;
    for (std::size_t k = 0; k < intervals.size(); ++k)
        if (intervals[k].is_free()) free.push_back(static_cast<Index>(k));
    const Index given = std::ssize(intervals), n = given + std::ssize(free), m = 2 * E.rows() + G.rows();
    Eigen::MatrixXd A(m, n);
    A.leftCols(given) << E, -E, G;
    A.rightCols(n - given) = -Eigen::MatrixXd(A.leftCols(given)(Eigen::all, free));
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n + m, n + m);
    M.topRightCorner(n, m) = -A.transpose();
    M.bottomLeftCorner(m, n) = A;
    Eigen::VectorXd q(n + m), l(n + m), u(n + m);
    q << Eigen::VectorXd::Zero(n), -b, b, -h;
    l.setZero();
    u.setConstant(std::numeric_limits<double>::infinity());
    for (Index k = 0; k < given; ++k) {
        if (intervals[k].is_free()) continue;
        l[k] = intervals[k].lower;
        u[k] = intervals[k].upper;
    }
    Eigen::VectorXd point = Eigen::VectorXd::Zero(n + m);
    const SolveReport report = Lemke{.tolerance = 1e-12}.solve(BoxVi{std::move(M), q, l, u}, point);
    if (report.status == SolveStatus::no_solution) return Feasibility::empty;
    if (!report.converged()) return Feasibility::undecided;
    x = point.head(given);
    x(free) -= point.segment(given, n - given);
    return Feasibility::found;
}

// residual(problem, z), or where it is small what rounding may make of it.
double uncertain_residual(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance) {
    const double computed = residual(problem, z);
    return computed <= tolerance ? certified_residual(problem, z, tolerance) : computed;
}

class PlacementSolver {
public:
    PlacementSolver(const AffineBox& problem, double tolerance)
        : problem_(problem), tolerance_(tolerance), M_(problem.M.to_dense()) {}

    // A point with the variables at those places: the solution if there is one, else a near miss or nothing.
    std::optional<Eigen::VectorXd> operator()(const Placement& placement) {
        IndexList basic, bounded;
        Eigen::VectorXd z = Eigen::VectorXd::Zero(problem_.size());
        for (Index i = 0; i < problem_.size(); ++i) {
            (placement[i] == Place::basic ? basic : bounded).push_back(i);
            if (placement[i] != Place::basic) z[i] = bound_at(problem_.interval(i), placement[i]);
        }
        const Eigen::VectorXd w = M_ * z + problem_.q;
        if (!basic.empty()) {
            const PivotedQr qr(M_(basic, basic));
            if (qr.rank() < std::ssize(basic)) return singular(qr, basic, bounded, placement, z, w);
            z(basic) = -qr.solve(Eigen::VectorXd(w(basic)));
        }
        return z;
    }

    // True if rounding kept the inequalities of some singular placement from being decided: then nothing is proven.
    bool undecided() const { return undecided_; }

private:
    // M_AA = Q R P' is singular: E x = b are its independent rows, after the dependent ones were found consistent.
    std::optional<Eigen::VectorXd> singular(const PivotedQr& qr, const IndexList& basic, const IndexList& bounded,
                                            const Placement& placement, Eigen::VectorXd z, const Eigen::VectorXd& w) {
        const Index k = std::ssize(basic), rank = qr.rank();
        const Eigen::VectorXd rhs = qr.rotated(-w(basic));
        const double scale = std::max(1.0, problem_.q.lpNorm<Eigen::Infinity>());
        if (rhs.tail(k - rank).lpNorm<Eigen::Infinity>() > tolerance_ * scale) return std::nullopt;
        const Eigen::MatrixXd E = qr.independent_rows();

        Eigen::MatrixXd G(std::ssize(bounded), k);  // sign (w + M_NA x) >= 0
        Eigen::VectorXd h(std::ssize(bounded));
        for (Index r = 0; r < G.rows(); ++r) {
            const Index i = bounded[r];
            const double sign = slack_sign(problem_.interval(i), placement[i]);
            G.row(r) = sign * M_(i, basic);
            h[r] = -sign * w[i];
        }
        std::vector<Interval> intervals;
        for (const Index i : basic) intervals.push_back(problem_.interval(i));
        Eigen::VectorXd x;
        const Feasibility answer = feasible_point(E, rhs.head(rank), G, h, intervals, x);
        undecided_ = undecided_ || answer == Feasibility::undecided;
        if (answer != Feasibility::found) return std::nullopt;
        z(basic) = x;
        return z;
    }

    const AffineBox& problem_;
    double tolerance_;
    Eigen::MatrixXd M_;
    bool undecided_ = false;
};

// Calls visit(placement) for every placement until it answers false.
void for_each_placement(const AffineBox& problem, const std::function<bool(const Placement&)>& visit) {
    std::vector<std::vector<Place>> wheels;
    Placement placement;
    for (Index i = 0; i < problem.size(); ++i) {
        wheels.push_back(places_in(problem.interval(i)));
        placement.push_back(wheels.back().front());
    }
    std::vector<std::size_t> digit(wheels.size(), 0);
    while (visit(placement)) {
        check_interruption();
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
    problem.check(*this, z);
    SolveReport report{.solver = name};
    if (const double count = count_placements(problem); count > max_iterations) {
        report.status = SolveStatus::iteration_limit;
        report.message = fmt::format("{:.3g} placements to try, more than max_iterations = {}", count, max_iterations);
        return conclude(problem, z, tolerance, std::move(report), history);
    }
    if (is_solution(problem, z, tolerance)) return conclude(problem, z, tolerance, std::move(report), history);
    history.add([&] { return residual(problem, z); });
    PlacementSolver solve_placement(problem, tolerance);
    double least = std::numeric_limits<double>::infinity();
    const auto attempt = [&](const Placement& placement) {  // true: continue
        ++report.iterations;
        const auto point = solve_placement(placement);
        const double reached = point ? uncertain_residual(problem, *point, tolerance) : least;
        if (reached < least) z = *point, least = reached;
        return least > tolerance;
    };
    Placement guess;
    for (Index i = 0; i < z.size(); ++i) guess.push_back(place_of(problem.interval(i), z[i]));
    if (attempt(guess)) for_each_placement(problem, attempt);
    const bool proven = least > proof_residual && !solve_placement.undecided();
    report.status = proven ? SolveStatus::no_solution : SolveStatus::stalled;
    report = conclude(problem, z, tolerance, std::move(report), history);
    if (report.status == SolveStatus::no_solution)
        report.message = fmt::format("no placement of the variables has a solution; {} were tried", report.iterations);
    if (report.status == SolveStatus::stalled)
        report.message =
            fmt::format("the best of {} placements leaves a residual of {:.1e}, and rounding forbids to say more",
                        report.iterations, report.residual);
    return report;
}

std::vector<Eigen::VectorXd> Enumeration::solve_all(const AffineBox& problem) const {
    problem.check(name, Eigen::VectorXd::Zero(problem.size()));
    const double count = count_placements(problem);
    require(count <= max_iterations, "{}: {:.3g} placements to try, more than max_iterations = {}", name, count,
            max_iterations);
    PlacementSolver solve_placement(problem, tolerance);
    std::vector<Eigen::VectorXd> solutions;
    for_each_placement(problem, [&](const Placement& placement) {
        const auto found = solve_placement(placement);
        if (!found || !is_solution(problem, *found, tolerance)) return true;
        const auto same = [&](const Eigen::VectorXd& known) {
            return (known - *found).lpNorm<Eigen::Infinity>() <= 1e-8 * std::max(1.0, known.lpNorm<Eigen::Infinity>());
        };
        if (std::none_of(solutions.begin(), solutions.end(), same)) solutions.push_back(*found);
        return true;
    });
    return solutions;
}

}  // namespace saltus
