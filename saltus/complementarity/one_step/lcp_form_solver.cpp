#include "saltus/complementarity/one_step/lcp_form_solver.hpp"

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/one_step/complementarity_form.hpp"
#include "saltus/complementarity/one_step/equilibrated.hpp"

namespace saltus::one_step {

namespace {

// The unknowns of the form that belong to the guess r: the left inverse of r = B z, and u_T^-.
Eigen::VectorXd unknowns_of(const OneStepView& problem, const Eigen::VectorXd& r, Index count, double force,
                            double speed) {
    const Eigen::VectorXd w = velocity(problem, r);
    Eigen::VectorXd z(count);
    Index next = 0;
    for (Index i = 0; i < problem.blocks(); ++i) {
        const Index start = problem.W.start(i);
        if (const auto* law = std::get_if<Coulomb2D>(&problem.law(i))) {
            z[next++] = r[start] / force;
            z[next++] = (r[start + 1] + law->mu[0] * r[start]) / force;
            z[next++] = std::max(0.0, -w[start + 1]) / speed;
        } else {
            for (int c = 0; c < problem.W.size(i); ++c) z[next++] = r[start + c] / force;
        }
    }
    return z;
}

}  // namespace

SolveReport LcpForm::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    leave_escape(problem, tolerance, r);
    SolveReport report{.residual = residual(problem, r), .solver = name};
    if (report.residual <= tolerance) return conclude(problem, r, tolerance, std::move(report), history);
    // Units in which q is of size one and W too: the tolerances of the affine solvers are absolute.
    const double largest = problem.q.lpNorm<Eigen::Infinity>(), speed = largest > 0.0 ? largest : 1.0;
    const double force = speed * problem.rho();
    ComplementarityForm form;
    for (Index i = 0; i < problem.blocks(); ++i)
        if (!add_block(form, problem.law(i), problem.W.start(i), force)) {
            report.status = SolveStatus::unsuitable_problem;
            report.message = fmt::format(
                "block {} is spatial or rolling friction, which no linear complementarity problem describes exactly",
                i);
            return conclude(problem, r, tolerance, std::move(report), history);
        }
    ComplementarityRows rows(form, problem.W, problem.q, force, speed);
    const BoxVi box{std::move(rows.M), std::move(rows.q), form.lower(), form.upper()};
    Eigen::VectorXd z = unknowns_of(problem, r, form.unknowns(), force, speed);
    for (const double accuracy : {1e-2 * tolerance, 1e-5 * tolerance}) {
        history.add(report.residual);
        const SolveReport solved =
            saltus::Auto{.tolerance = std::max(accuracy, 1e-15), .max_iterations = max_iterations}.solve(box, z);
        report.iterations += solved.iterations;
        report.status = solved.status;
        report.message = solved.message;
        const Eigen::VectorXd found = rows.B * z, w = velocity(problem, found);
        const double error = residual(problem, found, w);
        if (error < report.residual && !is_escape(error, speed_error(problem, error, found, w), tolerance)) {
            report.residual = error;
            r = found;
        }
        if (report.residual <= tolerance) break;
    }
    return conclude(problem, r, tolerance, std::move(report), history);
}

}  // namespace saltus::one_step
