#include "saltus/complementarity/nonlinear/projection_methods.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

constexpr double shrink = 2.0 / 3.0, grow = 3.0 / 2.0;
constexpr double smallest_step = 1e-15, largest_step = 1e15;

struct Iterate {
    Eigen::VectorXd z, F;
    double rho;
};

// Why a method cannot continue; empty if it can.
using Obstacle = std::string_view;
constexpr Obstacle no_obstacle{};
constexpr Obstacle no_short_step = "no step is short enough; F may be discontinuous or not finite near this point";
constexpr Obstacle not_finite = "F is not finite at the next point; the iterates may run to infinity";

// The loop of all three; `step` moves the iterate.
template <class Method, class Step>
SolveReport run(const Method& method, const Vi& problem, Eigen::VectorXd& z, Step step) {
    check_options(method.name, method.tolerance, method.max_iterations);
    problem.check(method.name, z);
    require(smallest_step < method.first_step && method.first_step < largest_step,
            "{}: first_step is {}; it must be positive and finite", method.name, method.first_step);
    z = problem.projected(z);
    Iterate at{z, problem.value(z), method.first_step};
    SolveReport report{.solver = method.name};
    double reached = residual(problem, at.z, at.F);
    while (reached > method.tolerance && report.iterations < method.max_iterations) {
        check_interruption();
        if (const Obstacle obstacle = step(at); obstacle != no_obstacle) {
            report.status = SolveStatus::stalled;
            report.message = obstacle;
            break;
        }
        ++report.iterations;
        method.history.add(std::exchange(reached, residual(problem, at.z, at.F)));
    }
    z = at.z;
    return conclude(problem, z, method.tolerance, std::move(report), method.history);
}

// y = P_X(z - rho F(z)) and F(y), with rho shortened as (44) asks; false where none is short enough.
struct Prediction {
    Eigen::VectorXd y, F;
    double ratio;  // rho |F(z) - F(y)| / |z - y|
};
bool predict(const Vi& problem, Iterate& at, Prediction& prediction) {
    for (; at.rho > smallest_step; at.rho *= shrink) {
        prediction.y = problem.projected(at.z - at.rho * at.F);
        prediction.F = problem.value(prediction.y);
        const double distance = (at.z - prediction.y).norm();
        prediction.ratio = distance == 0.0 ? 0.0 : at.rho * (at.F - prediction.F).norm() / distance;
        if (prediction.ratio <= 0.9) return true;  // false for NaN
    }
    return false;
}

void lengthen(Iterate& at, const Prediction& prediction) {
    if (prediction.ratio < 0.3) at.rho = std::min(at.rho * grow, largest_step);
}

// x and F(x) of (47); false where rounding hides the half-space.
struct Separation {
    Eigen::VectorXd x, F;
    bool shortened = false;  // m > 0
};
bool separate(const Vi& problem, const Iterate& at, Separation& found) {
    constexpr double sufficient = 0.3;
    const Eigen::VectorXd towards = problem.projected(at.z - at.rho * at.F) - at.z;
    const double enough = sufficient / at.rho * towards.squaredNorm();
    for (double length = 1.0; length > smallest_step; length *= shrink) {
        found.x = at.z + length * towards;
        found.F = problem.value(found.x);
        if (-found.F.dot(towards) >= enough) return found.F.dot(at.z - found.x) > 0.0;  // false for NaN
        found.shortened = true;
    }
    return false;
}

// P_X(z - s F(x)) with s of (47); false where X does not come near H.
bool project_on_both(const Vi& problem, const Separation& half_space, Eigen::VectorXd& z) {
    constexpr double remaining = 0.1;
    const Eigen::VectorXd& F = half_space.F;
    const auto height = [&](const Eigen::VectorXd& v) { return F.dot(v - half_space.x); };
    const double start = height(z);
    double low = 0.0, high = largest_step;
    for (double s = start / F.squaredNorm(); s < largest_step; s = high < largest_step ? 0.5 * (low + high) : 2.0 * s) {
        const Eigen::VectorXd point = problem.projected(z - s * F);
        const double above = height(point);
        if (0.0 <= above && above <= remaining * start) {
            z = point;
            return true;
        }
        if (high - low <= 1e-15 * high) return false;
        (above > 0.0 ? low : high) = s;
    }
    return false;
}

Obstacle hyperplane_step(const Vi& problem, Iterate& at) {
    Separation half_space;
    if (!separate(problem, at, half_space)) return "rounding hides the separating hyperplane; ask for less accuracy";
    if (!project_on_both(problem, half_space, at.z))
        return "the half-space that holds all solutions is not reached: rounding, or there is none";
    at.F = problem.value(at.z);
    at.rho =
        half_space.shortened ? std::max(at.rho * shrink, 2.0 * smallest_step) : std::min(at.rho * 1.2, largest_step);
    return at.F.allFinite() ? no_obstacle : not_finite;
}

}  // namespace

SolveReport FixedPointProjection::solve(const Vi& problem, Eigen::VectorXd& z) const {
    return run(*this, problem, z, [&](Iterate& at) {
        Prediction prediction;
        if (!predict(problem, at, prediction)) return no_short_step;
        at.z = prediction.y;
        at.F = prediction.F;
        lengthen(at, prediction);
        return no_obstacle;
    });
}

SolveReport ExtraGradient::solve(const Vi& problem, Eigen::VectorXd& z) const {
    return run(*this, problem, z, [&](Iterate& at) {
        Prediction prediction;
        if (!predict(problem, at, prediction)) return no_short_step;
        at.z = problem.projected(at.z - at.rho * prediction.F);
        at.F = problem.value(at.z);
        lengthen(at, prediction);
        return at.F.allFinite() ? no_obstacle : not_finite;
    });
}

SolveReport HyperplaneProjection::solve(const Vi& problem, Eigen::VectorXd& z) const {
    return run(*this, problem, z, [&](Iterate& at) { return hyperplane_step(problem, at); });
}

}  // namespace saltus
