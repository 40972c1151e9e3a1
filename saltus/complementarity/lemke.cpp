#include "saltus/complementarity/lemke.hpp"

#include "saltus/complementarity/infeasibility.hpp"
#include "saltus/complementarity/lemke_path.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/factorization.hpp"

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
        report.message = "no z satisfies even the inequalities: the certificate v has M'v <= 0 and q.v < 0";
    } else {
        report.status = SolveStatus::ray_termination;
        report.message = "the path ends in a ray; there may be no solution, or one that this path does not reach";
    }
}

}  // namespace

SolveReport Lemke::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(name, z);
    require(refresh_interval > 0, "{}: refresh_interval is {}; it must be positive", name, refresh_interval);
    SolveReport report{.solver = name};
    if (residual(problem, z) <= tolerance) return conclude(problem, z, tolerance, std::move(report));

    const Eigen::MatrixXd copy = problem.M.is_sparse() ? problem.M.to_dense() : Eigen::MatrixXd();
    LemkePath path(problem, problem.M.is_sparse() ? copy : problem.M.dense());
    if (!path.start(z)) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = "no regular basis holds every free variable: the equality rows of M are dependent";
        return conclude(problem, z, tolerance, std::move(report));
    }
    while (report.iterations < max_iterations) {
        const LemkePath::Step step = path.advance();
        if (step == LemkePath::Step::solved) {
            report.status = SolveStatus::converged;
            break;
        }
        if (step == LemkePath::Step::ray) {
            describe_ray(problem, path.ray(), report);
            break;
        }
        ++report.iterations;
        if (report.iterations % refresh_interval == 0 && !path.refresh()) {
            report.status = SolveStatus::stalled;
            report.message = "the basis became singular to working precision";
            break;
        }
    }
    z = path.z();
    if (report.status == SolveStatus::converged && residual(problem, z) > 0.01 * tolerance)
        polish(problem, path.basic_variables(), z);
    return conclude(problem, z, tolerance, std::move(report));
}

}  // namespace saltus
