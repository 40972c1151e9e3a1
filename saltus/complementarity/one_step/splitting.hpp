#pragma once

#include "saltus/complementarity/one_step/equilibrated.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus::one_step {

// The part of a matrix that is factored, and the part that goes to the right-hand side, one iteration late. The latter
// is a small skew part of a sparse matrix, so that Cholesky can factor the rest. Small or nearly full matrices are
// stored dense.
struct FactoredPart {
    Matrix matrix;
    Matrix::Sparse skew;  // no rows where everything is factored

    explicit FactoredPart(const Matrix::Sparse& full);
    // y -= skew x.
    void subtract_skew(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
};

// The Douglas-Rachford map, the iteration of ADMM written with one unknown t, for -(W r + c) in N_C(r), C convex:
//     y = P_C(t),   z = rho (y - t),
//     (W_s + rho I) x = rho y + z - c - W_k y,   t <- t + x - y.                                   docs/theory.md (100)
// At a fixed point y = x solves the problem, and z = W y + c. W = W_s + W_k as in FactoredPart.
class Splitting {
public:
    explicit Splitting(const BlockMatrix& W);

    // Factors W + rho I; false if it is singular.
    bool set_step(double rho);
    double step() const { return rho_; }
    // The start sqrt(L m) (L / m)^p of Carpentier et al. 2024, L = |W_s|_2 by the power method and m = 1e-6 L.
    double spectral_step() const;

    // t <- t + x - y, where y = P_C(t). Allocates nothing.
    void advance(const Eigen::VectorXd& c, const Eigen::VectorXd& y, Eigen::VectorXd& t);
    const Eigen::VectorXd& x() const { return x_; }  // of the last advance()

private:
    FactoredPart split_;
    Factorization factors_;
    double rho_ = 1.0;
    Eigen::VectorXd x_;
};

}  // namespace saltus::one_step
