#include "saltus/integrators/step_equations.hpp"

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

void StepEquations::bounds(const Placement& placement, Eigen::VectorXd& least, Eigen::VectorXd& most) const {
    least = Eigen::VectorXd::Constant(2 * rows(), -infinity);
    most = Eigen::VectorXd::Constant(2 * rows(), infinity);
    for (Index i = 0; i < rows(); ++i) {
        const Place place = placement[static_cast<std::size_t>(i)];
        if (place == Place::basic) {
            least[i] = lower[i];
            most[i] = upper[i];
        } else {
            if (slack_sign(law(i), place) > 0.0) least[rows() + i] = 0.0;
            if (slack_sign(law(i), place) < 0.0) most[rows() + i] = 0.0;
        }
    }
}

Eigen::VectorXd StepEquations::load(const double* past) const {
    const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(past, states());
    Eigen::VectorXd result = P * x;
    if (p != 0.0) {
        const Eigen::VectorXd mu = p * Eigen::Map<const Eigen::VectorXd>(past + states(), rows());
        B.multiply_add(mu, result);
    }
    const double* b = past + inputs_start();
    for (const Index row : input_rows) result[row] += h * *b++;
    return result;
}

Eigen::VectorXd StepEquations::offset(const double* past) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(rows());
    const double* e = past + offsets_start();
    for (const Index row : offset_rows) result[row] += *e++;
    return result;
}

SolveReport solve_laws(const BoxVi& laws, Eigen::VectorXd& lambda) {
    const Eigen::VectorXd nearest_zero = Eigen::VectorXd::Zero(laws.q.size()).cwiseMax(laws.lower).cwiseMin(laws.upper);
    lambda = nearest_zero;
    SolveReport report = Auto{}.solve(laws, lambda);
    if (!report.converged()) lambda = nearest_zero;
    return report;
}

Index worst_row(const BoxVi& problem, const Eigen::VectorXd& z) {
    if (z.size() == 0 || z.size() != problem.q.size() || !z.allFinite()) return -1;
    const Eigen::VectorXd w = problem.M * z + problem.q;
    if (!w.allFinite()) return -1;
    Index row = 0;
    (z - (z - w).cwiseMax(problem.lower).cwiseMin(problem.upper)).cwiseAbs().maxCoeff(&row);
    return row;
}

}  // namespace saltus
