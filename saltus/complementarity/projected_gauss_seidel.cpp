#include "saltus/complementarity/projected_gauss_seidel.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

SolveReport ProjectedGaussSeidel::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(name, z);
    require(0.0 < relaxation && relaxation < 2.0, "{}: relaxation is {}; it must lie strictly between 0 and 2", name,
            relaxation);
    SolveReport report{.solver = name};
    const Eigen::VectorXd diagonal = problem.M.diagonal();
    for (Index i = 0; i < z.size(); ++i) {
        if (diagonal[i] > 0.0) continue;
        report.status = SolveStatus::unsuitable_problem;
        report.message = fmt::format("M({0}, {0}) is {1}; Gauss-Seidel needs a positive diagonal", i, diagonal[i]);
        return conclude(problem, z, tolerance, std::move(report));
    }
    // Rows of M are columns of M': contiguous in both storages.
    const Matrix rows = problem.M.transpose();
    const auto row_times_z = [&](Index i) {
        if (!rows.is_sparse()) return rows.dense().col(i).dot(z);
        return rows.sparse().col(i).dot(z);
    };
    report.residual = residual(problem, z);
    while (report.residual > tolerance && report.iterations < max_iterations) {
        for (Index i = 0; i < z.size(); ++i) {
            const double w = row_times_z(i) + problem.q[i];
            z[i] = problem.interval(i).project(z[i] - relaxation * w / diagonal[i]);
        }
        ++report.iterations;
        report.residual = residual(problem, z);
    }
    return conclude(problem, z, tolerance, std::move(report));
}

}  // namespace saltus
