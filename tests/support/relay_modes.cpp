#include "support/relay_modes.hpp"

#include <cmath>

#include "saltus/core/dense.hpp"

namespace saltus::testing {

std::vector<Eigen::VectorXd> solutions_by_modes(const BoxVi& relay, double tolerance) {
    const Index n = relay.q.size();
    const Eigen::MatrixXd M = relay.M.to_dense();
    std::vector<Eigen::VectorXd> solutions;
    for (long mode = 0; mode < std::lround(std::pow(3.0, n)); ++mode) {
        Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n);
        Eigen::VectorXd right_side(n);
        long digits = mode;
        for (Index i = 0; i < n; ++i, digits /= 3) {
            if (digits % 3 == 2) system.row(i) = M.row(i);
            right_side[i] = digits % 3 == 0 ? relay.lower[i] : digits % 3 == 1 ? relay.upper[i] : -relay.q[i];
        }
        const FullPivotLu factors(system);
        if (!factors.is_invertible()) continue;
        const Eigen::VectorXd z = factors.solve(right_side), w = M * z + relay.q;
        bool solves = true, is_new = true;
        digits = mode;
        for (Index i = 0; i < n; ++i, digits /= 3) {
            if (digits % 3 == 0) solves = solves && w[i] >= -tolerance;
            if (digits % 3 == 1) solves = solves && w[i] <= tolerance;
            if (digits % 3 == 2)
                solves = solves && relay.lower[i] - tolerance <= z[i] && z[i] <= relay.upper[i] + tolerance;
        }
        for (const Eigen::VectorXd& other : solutions)
            is_new = is_new && (z - other).lpNorm<Eigen::Infinity>() > 1e3 * tolerance;
        if (solves && is_new) solutions.push_back(z);
    }
    return solutions;
}

}  // namespace saltus::testing
