#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"

#include "saltus/complementarity/affine/projected_sweep.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

using Order = ProjectedSweep::Order;
using Outcome = ProjectedSweep::Outcome;

// Beyond this growth of the residual the iteration will not come back.
constexpr double growth_of_divergence = 1e20;

std::string why_unsuitable(const AffineBox& problem, bool needs_symmetry) {
    if (const auto i = ProjectedSweep::undefined_row(problem))
        return fmt::format("M({0}, {0}) is {1}; Gauss-Seidel needs a positive diagonal{2}", *i, problem.M(*i, *i),
                           problem.is_free(*i) ? ": eliminate the free variables or use a pivoting method" : "");
    if (needs_symmetry && !problem.M.is_symmetric(symmetry_rounding))
        return "M is not symmetric, which the line search of the symmetric variant needs; set symmetric = false";
    return {};
}

// The symmetric pass with line search, docs/theory.md (11).
class SymmetricPass {
public:
    SymmetricPass(const AffineBox& problem, ProjectedSweep& sweep) : q_(problem.q), sweep_(sweep) {}

    Outcome operator()(Eigen::VectorXd& z, double relaxation) {
        from_ = z;
        w_from_ = sweep_.w();
        Outcome outcome = sweep_.pass(z, relaxation, Order::forward);
        const Outcome backward = sweep_.pass(z, relaxation, Order::backward);
        outcome.moved = outcome.moved || backward.moved;
        if (outcome.moved) extrapolate(z);
        return outcome;
    }

private:
    // f(z) = z.(w + q) / 2, as w = M z + q.
    double energy(const Eigen::VectorXd& z) const { return 0.5 * (z.dot(sweep_.w()) + z.dot(q_)); }

    void extrapolate(Eigen::VectorXd& z) {
        direction_ = z - from_;
        const double curvature = direction_.dot(sweep_.w()) - direction_.dot(w_from_);  // d.M d
        if (!(curvature > 0.0)) return;
        const double step = -direction_.dot(w_from_) / curvature;
        const double reached = energy(z);
        trial_ = (from_ + step * direction_).cwiseMax(sweep_.lower()).cwiseMin(sweep_.upper());
        sweep_.jump(trial_);
        if (energy(trial_) < reached)
            z.swap(trial_);
        else
            sweep_.jump(z);
    }

    const Eigen::VectorXd& q_;
    ProjectedSweep& sweep_;
    Eigen::VectorXd from_, w_from_, direction_, trial_;
};

}  // namespace

SolveReport ProjectedGaussSeidel::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(*this, z);
    require(0.0 < relaxation && relaxation < 2.0, "{}: relaxation is {}; it must lie strictly between 0 and 2", name,
            relaxation);
    SolveReport report{.solver = name};
    if (is_solution(problem, z, tolerance)) return conclude(problem, z, tolerance, std::move(report), history);
    report.message = why_unsuitable(problem, symmetric);
    if (!report.message.empty()) {
        report.status = SolveStatus::unsuitable_problem;
        return conclude(problem, z, tolerance, std::move(report), history);
    }

    ProjectedSweep sweep;
    sweep.start(problem, z);
    SymmetricPass symmetric_pass(problem, sweep);
    const double scale = std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
    double first_residual = 0.0;
    while (report.iterations < max_iterations) {
        check_interruption();
        history.add([&] { return residual(problem, z); });
        const Outcome pass = symmetric ? symmetric_pass(z, relaxation) : sweep.pass(z, relaxation);
        if (report.iterations++ == 0) first_residual = pass.residual;
        if (pass.residual <= tolerance * scale) {
            if (residual(problem, z) <= tolerance) break;
            sweep.jump(z);  // removes the rounding that w has gathered
        }
        if (!pass.moved) {
            report.status = SolveStatus::stalled;
            report.message = "no variable moves any more: rounding limits the residual";
            break;
        }
        if (!(pass.residual <= growth_of_divergence * std::max(first_residual, scale))) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = "the sweeps diverge: M is not symmetric positive definite; use another solver";
            break;
        }
    }
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
