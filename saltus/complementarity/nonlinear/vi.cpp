#include "saltus/complementarity/nonlinear/vi.hpp"

#include <cmath>
#include <limits>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {}  // namespace

Eigen::VectorXd Vi::value(const Eigen::VectorXd& z) const {
    Eigen::VectorXd w = Eigen::VectorXd::Constant(size, std::numeric_limits<double>::quiet_NaN());
    F(z, w);
    require(w.size() == size, "Vi: F returned {} values, the problem has {} unknowns", w.size(), size);
    return w;
}

Eigen::VectorXd Vi::projected(Eigen::VectorXd z) const {
    project(z);
    require(z.size() == size, "Vi: project returned {} values, the problem has {} unknowns", z.size(), size);
    return z;
}

void Vi::check(std::string_view who, const Eigen::VectorXd& z) const {
    require(static_cast<bool>(F), "Vi: F is empty; give a callable");
    require(static_cast<bool>(project), "Vi: project is empty; give a callable");
    require(size >= 0, "Vi: size is {}; it must not be negative", size);
    require(z.size() == size, "{}: the guess z has {} entries but the Vi has {}", who, z.size(), size);
    const Eigen::VectorXd start = projected(z), w = value(start);
    for (Index i = 0; i < size; ++i) {
        require(std::isfinite(z[i]), "{}: the guess z[{}] is {}; every entry must be a finite number", who, i, z[i]);
        require(std::isfinite(start[i]), "{}: project gives {} for entry {} of the guess", who, start[i], i);
        require(std::isfinite(w[i]), "{}: F[{}] is {} at the guess; start where F is defined", who, i, w[i]);
    }
}

double residual(const Vi& problem, const Eigen::VectorXd& z) {
    return z.allFinite() ? residual(problem, z, problem.value(z)) : infinity;
}

double residual(const Vi& problem, const Eigen::VectorXd& z, const Eigen::VectorXd& w) {
    if (!z.allFinite() || !w.allFinite()) return infinity;
    const Eigen::VectorXd trial = z - w, nearest = problem.projected(trial);
    if (!nearest.allFinite()) return infinity;
    double worst = 0.0;
    for (Index i = 0; i < z.size(); ++i)
        worst = std::max(worst, trial[i] == z[i] ? std::abs(w[i]) : std::abs(z[i] - nearest[i]));
    return worst;
}

SolveReport conclude(const Vi& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history) {
    report.residual = residual(problem, z);
    history.add(report.residual);
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus
