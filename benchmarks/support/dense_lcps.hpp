#pragma once

#include <cmath>

#include "saltus/complementarity/affine/lcp.hpp"
#include "tests/support/random_problems.hpp"

// The dense LCPs of the benchmarks, each a pure function of its size: the same problem in every run and every program.
namespace saltus::benchmarks {

// With the entries of A, S uniform in [-1, 1]:
enum class DenseClass {
    well_conditioned,  // M = A A' + n I: condition number below 3, solved by a few sweeps of Gauss-Seidel
    harder,            // M = A A' / n + I / 100: condition number up to about 130
    unsymmetric,       // the harder one + (S - S') / sqrt(n), a skew part about as large as the symmetric one
};
inline constexpr DenseClass all_dense_classes[] = {DenseClass::well_conditioned, DenseClass::harder,
                                                   DenseClass::unsymmetric};

inline const char* to_string(DenseClass kind) {
    switch (kind) {
        case DenseClass::well_conditioned:
            return "well-conditioned";
        case DenseClass::harder:
            return "harder";
        case DenseClass::unsymmetric:
            return "unsymmetric";
    }
    return "";
}

inline Eigen::MatrixXd dense_matrix(DenseClass kind, Index n, testing::Random& random) {
    const double size = static_cast<double>(n);
    const Eigen::MatrixXd A = random.matrix(n, n), I = Eigen::MatrixXd::Identity(n, n);
    if (kind == DenseClass::well_conditioned) return A * A.transpose() + size * I;
    const Eigen::MatrixXd M = A * A.transpose() / size + 0.01 * I;
    if (kind == DenseClass::harder) return M;
    const Eigen::MatrixXd S = random.matrix(n, n);
    return M + (S - S.transpose()) / std::sqrt(size);
}

// q uniform in [-1, 1].
inline Lcp dense_lcp(DenseClass kind, Index n) {
    testing::Random random(1);
    Eigen::MatrixXd M = dense_matrix(kind, n, random);
    return {std::move(M), random.vector(n)};
}

// The next problem of a simulation: every positive z_i and w_i of the solution z of `problem` moves by up to one per
// cent, q = w - M z, so that the active set stays exactly the same.
inline Lcp moved_a_little(const Lcp& problem, const Eigen::VectorXd& z) {
    testing::Random random(2);
    Eigen::VectorXd w = problem.M.dense() * z + problem.q;
    w = (z.array() > 0.0).select(0.0, w).cwiseMax(0.0);
    const Eigen::VectorXd moved_z = z.cwiseProduct(random.vector(z.size(), 0.99, 1.01));
    const Eigen::VectorXd moved_w = w.cwiseProduct(random.vector(z.size(), 0.99, 1.01));
    return {problem.M, moved_w - problem.M.dense() * moved_z};
}

}  // namespace saltus::benchmarks
