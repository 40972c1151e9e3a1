#include "support/friction_law.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::testing {

double law_violation(const FrictionProblem& problem, const Eigen::VectorXd& r) {
    const Eigen::VectorXd u = problem.W * r + problem.q;
    const int d = problem.dimension(), disk = d == 2 ? 1 : 2;
    double worst = 0.0;
    const auto expect_at_most_zero = [&](double value) { worst = std::max(worst, value); };
    for (Index i = 0; i < problem.contacts(); ++i) {
        const double r_N = r[i * d], u_N = u[i * d];
        for (const double value : {-r_N, -u_N, std::abs(r_N * u_N)}) expect_at_most_zero(value);
        for (int k = 0; 1 + k * disk < d; ++k) {
            const auto force = r.segment(i * d + 1 + k * disk, disk), slip = u.segment(i * d + 1 + k * disk, disk);
            const double bound = (k == 0 ? problem.mu[i] : problem.rolling[i]) * r_N;
            expect_at_most_zero(force.norm() - bound);
            expect_at_most_zero((bound - force.norm()) * slip.norm());          // sliding: at the bound
            expect_at_most_zero(force.dot(slip) + force.norm() * slip.norm());  // and opposite to the slip
        }
    }
    return worst;
}

}  // namespace saltus::testing
