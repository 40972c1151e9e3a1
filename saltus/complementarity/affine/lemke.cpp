#include "saltus/complementarity/affine/lemke.hpp"

#include "saltus/complementarity/affine/infeasibility.hpp"
#include "saltus/complementarity/affine/lemke_path.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

// Sets the basic variables A from M_AA z_A = -(q_A + M_AN z_N), by one Newton step from z with a fresh factorization.
void polish(const AffineBox& problem, const IndexList& basic, Eigen::VectorXd& z) {
    Factorization factorization;
    if (basic.empty() || !factorization.compute(problem.M.block(basic, basic))) return;
    Eigen::VectorXd correction = slack(problem, z)(basic);
    factorization.solve_in_place(correction);
    z(basic) -= correction;
    for (const Index i : basic) z[i] = problem.interval(i).project(z[i]);
}

void describe_ray(const AffineBox& problem, const Eigen::VectorXd& ray, SolveReport& report) {
    report.certificate = ray;
    if (proves_infeasibility(problem, ray)) {
        report.status = SolveStatus::no_solution;
        report.message =
            "no z gives M z + q the signs that the bounds ask for: the certificate proves it (docs/theory.md (9))";
    } else {
        report.status = SolveStatus::ray_termination;
        report.message = "the path ends in a ray; there may be no solution, or one that this path does not reach";
    }
}

// Follows the path to its end, which is returned; the report says which end it is.
Eigen::VectorXd follow(LemkePath& path, const AffineBox& problem, const Lemke& options, SolveReport& report) {
    report.status = SolveStatus::iteration_limit;
    report.message.clear();
    report.certificate.resize(0);
    const int last = report.iterations + options.max_iterations;
    while (report.iterations < last) {
        check_interruption();
        const LemkePath::Step step = path.advance();
        if (step == LemkePath::Step::solved) {
            report.status = SolveStatus::converged;
            Eigen::VectorXd z = path.z();
            if (residual(problem, z) > 0.01 * options.tolerance) polish(problem, path.basic_variables(), z);
            return z;
        }
        if (step == LemkePath::Step::ray) {
            describe_ray(problem, path.ray(), report);
            break;
        }
        ++report.iterations;
        if (report.iterations % options.refresh_interval == 0 && !path.refresh()) {
            report.status = SolveStatus::stalled;
            report.message = "the basis became singular to working precision";
            break;
        }
    }
    return path.z();
}

}  // namespace

SolveReport Lemke::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(*this, z);
    require(refresh_interval > 0, "{}: refresh_interval is {}; it must be positive", name, refresh_interval);
    SolveReport report{.solver = name};
    if (is_solution(problem, z, tolerance)) return conclude(problem, z, tolerance, std::move(report), history);

    Eigen::MatrixXd copy;
    const Eigen::MatrixXd* const M = dense_matrix(problem, copy, report);
    if (!M) return conclude(problem, z, tolerance, std::move(report), history);
    history.add([&] { return residual(problem, z); });
    if (LemkePath path(problem, *M); path.start(z)) {
        Eigen::VectorXd end = follow(path, problem, *this, report);
        report = conclude(problem, end, tolerance, std::move(report));
        if (report.converged() || report.status == SolveStatus::no_solution) {
            z = std::move(end);
            history.add(report.residual);
            return report;
        }
    }
    LemkePath path(problem, *M);
    if (!path.start_at_vertex()) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = "no regular basis holds every free variable: the equality rows of M are dependent";
        return conclude(problem, z, tolerance, std::move(report), history);
    }
    z = follow(path, problem, *this, report);
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
