#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/core/infinity.hpp"

// Random problems of known classes. Every function is a pure function of its arguments: same seed, same problem.
namespace saltus::testing {

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double uniform(double low = -1.0, double high = 1.0) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Index integer(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }
    bool coin(double probability = 0.5) { return uniform(0.0, 1.0) < probability; }
    Eigen::VectorXd vector(Index n, double low = -1.0, double high = 1.0);
    Eigen::MatrixXd matrix(Index rows, Index cols, double low = -1.0, double high = 1.0);

private:
    std::mt19937_64 engine_;
};

enum class MatrixClass {
    symmetric_positive_definite,
    positive_definite,  // not symmetric: x'Mx > 0
    semidefinite,       // symmetric, of any rank from 0 to n - 1
    p_matrix,           // principal minors positive, x'Mx of any sign
    m_matrix,           // Z-matrix with positive principal minors
    z_matrix,           // nothing positive off the diagonal, principal minors of any sign
    copositive,         // strictly: x'Mx > 0 for x >= 0, x != 0, but indefinite and not symmetric
    copositive_plus,    // semidefinite + skew: bimatrix-like
    arbitrary,          // no class at all
};
inline constexpr MatrixClass all_matrix_classes[] = {
    MatrixClass::symmetric_positive_definite,
    MatrixClass::positive_definite,
    MatrixClass::semidefinite,
    MatrixClass::p_matrix,
    MatrixClass::m_matrix,
    MatrixClass::z_matrix,
    MatrixClass::copositive,
    MatrixClass::copositive_plus,
    MatrixClass::arbitrary,
};

Eigen::MatrixXd random_matrix(MatrixClass kind, Index n, Random& random);

// An LCP with the solution z, w: q = w - M z. With probability `degeneracy` a pair is z_i = w_i = 0.
Lcp lcp_with_solution(const Eigen::MatrixXd& M, Random& random, double degeneracy = 0.0);

// -(M z + q) in N_[lower, upper](z) with bounds of every kind: two, one, none, equal.
BoxVi random_box(const Matrix& M, Random& random);

}  // namespace saltus::testing
