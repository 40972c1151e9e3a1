#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/nonlinear/ncp.hpp"
#include "saltus/core/factorization.hpp"

namespace saltus {

// -F(z) in N_[l, u](z), affine or not, as the Newton methods see it. A view: it must not outlive the problem.
struct BoxEquation {
    explicit BoxEquation(const AffineBox& problem);
    explicit BoxEquation(const McpView& problem);

    std::vector<Interval> intervals;
    std::function<void(const Eigen::VectorXd& z, Eigen::VectorXd& w)> evaluate;  // w <- F(z)
    std::function<const Matrix&(const Eigen::VectorXd& z)> jacobian;             // valid until the next call
    // The C-functions see weight_i w_i, so that their two arguments are of similar size: 1 / |M_i.|_inf when affine.
    Eigen::VectorXd weight;
    double residual_scale = 1.0;  // residual(problem, z) = |natural map|_inf / residual_scale
};

// An iterate of a Newton method for Phi(z) = 0, Phi_i the Fischer-Burmeister function (32) of interval i at
// (z_i, weight_i w_i); the merit |Phi|^2 / 2 is continuously differentiable.             docs/theory.md (36)
class NewtonIterate {
public:
    NewtonIterate(const BoxEquation& equation, Eigen::VectorXd z);

    const Eigen::VectorXd& z() const { return z_; }
    const Eigen::VectorXd& w() const { return w_; }
    double merit() const { return merit_; }  // infinite where F is not finite
    double residual() const;                 // residual(problem, z)

    // Each computes a direction from the Jacobian J at z; false where the linear system is singular.
    // Newton on the natural map (30): d_i = bound - z_i where z - weight w passes a bound, J_AA d_A = -w_A - J_AN d_N
    // elsewhere: a primal-dual active set step.                                           docs/theory.md (37)
    bool natural_direction(const Matrix& J, Eigen::VectorXd& d);
    // Newton on Phi: V d = -Phi, V = diag(by_z) + diag(by_w) J.                           docs/theory.md (38)
    bool fischer_burmeister_direction(const Matrix& J, Eigen::VectorXd& d);
    // Levenberg-Marquardt: (V'V + nu I) d = -V' Phi. A descent direction of the merit even where V is singular. (39)
    bool levenberg_marquardt_direction(const Matrix& J, Eigen::VectorXd& d);
    // J + nu I, nu a thousandth of the size of its row: the Jacobian of F(z) + nu (z - z_k), a step of the proximal
    // point method. For J positive semidefinite both Newton systems are then regular.
    Matrix proximal_jacobian(const Matrix& J) const;
    // V' Phi, the gradient of the merit.
    Eigen::VectorXd gradient(const Matrix& J) const;
    // -gradient, with the length that minimises |Phi + V d| along it.
    Eigen::VectorXd cauchy_direction(const Matrix& J) const;

    // Moves to the first of z + t d, t = 1, 1/2, 1/4, ... > shortest, projected onto the box if `projected`, that meets
    //     merit(new) <= reference + 1e-4 gradient.(new - z)                               docs/theory.md (40)
    // If there is none, returns false and the iterate stays.
    struct Search {
        double reference = 0.0;
        double shortest = 1e-12;
        bool projected = false;
    };
    bool advance(const Eigen::VectorXd& d, const Eigen::VectorXd& gradient, const Search& search);

private:
    void update(Eigen::VectorXd z);
    Matrix newton_matrix(const Matrix& J) const;

    const BoxEquation* equation_;
    Eigen::VectorXd z_, w_, phi_, by_z_, by_w_;
    double merit_ = 0.0;
    Factorization natural_factors_, newton_factors_;
};

// The largest of the last merits: the reference of a non-monotone line search (Grippo, Lampariello, Lucidi 1986),
// which lets the merit rise for a while where Newton's full steps lead through a narrow valley.
class MeritWindow {
public:
    explicit MeritWindow(int length) : length_(static_cast<std::size_t>(length)) {}
    void push(double merit);
    double reference() const;

private:
    std::size_t length_;
    std::deque<double> merits_;
};

}  // namespace saltus
