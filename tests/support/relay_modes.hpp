#pragma once

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "saltus/complementarity/affine/box_vi.hpp"

namespace saltus::testing {

// All solutions of -(M z + q) in N_[l, u](z) with finite bounds, by trying the 3^n modes: each z_i at its lower bound
// with w_i >= 0, at its upper bound with w_i <= 0, or between with w_i = 0. Modes with a singular system are left out;
// a solution that two modes share comes once.
inline std::vector<Eigen::VectorXd> solutions_by_modes(const BoxVi& relay, double tolerance = 1e-9) {
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
        const Eigen::FullPivLU<Eigen::MatrixXd> factors(system);
        if (!factors.isInvertible()) continue;
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
