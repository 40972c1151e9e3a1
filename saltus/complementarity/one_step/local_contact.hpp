#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "saltus/complementarity/one_step/local_solver.hpp"
#include "saltus/laws/friction.hpp"

namespace saltus::one_step {

// One contact with friction: u = W r + q and the law between u and r. W need not be symmetric.
template <class Law>
struct LocalContact {
    typename Law::Square W;
    Law law;
};

// The state of a contact. `none` means that the law has no solution here (Painleve: the coefficient of friction is
// too large for the coupling of W), or that none was found; r is then not changed.
enum class ContactState { separated, stuck, sliding, none };

// Exact, in the plane: separation, sticking, then sliding in either direction.                      docs/theory.md (80)
ContactState solve_exactly(const LocalContact<Coulomb2D>& contact, const Coulomb2D::Vector& q, Coulomb2D::Vector& r);

// Exact, in space, by the root of one scalar function. With the normal eliminated,
//     S = W_TT - W_TN W_NT / W_NN,  b = q_T - W_TN q_N / W_NN,  r_N = -(q_N + W_NT r_T) / W_NN,
// sliding is (S + alpha I) r_T = -b with alpha > 0, |r_T| = mu r_N: then u_T = -alpha r_T.      docs/theory.md (81)
// Newton's method on 1 / |r_T| - 1 / (mu r_N), nearly linear in alpha, inside a bracket. `alpha` is the guess, and the
// value found: 0 where the contact sticks or is open.
class SpatialContact {
public:
    SpatialContact() = default;
    explicit SpatialContact(const LocalContact<Coulomb3D>& contact);
    ContactState solve(const Eigen::Vector3d& q, Eigen::Vector3d& r, double& alpha) const;

private:
    struct Point {  // r(alpha), and the derivatives with respect to alpha
        Eigen::Vector2d tangent, tangent_rate;
        double normal = 0.0, length = 0.0;
    };
    struct Reduced {
        Eigen::Vector2d b;
        double normal;  // of r at r_T = 0: -q_N / W_NN
    };
    Point at(const Reduced& reduced, double alpha) const;
    bool in_cone(const Point& point) const { return point.length <= mu_ * point.normal; }
    bool find_root(const Reduced& reduced, double& alpha, Point& point) const;

    Eigen::Matrix2d S_;
    Eigen::RowVector2d normal_row_;  // W_NT / W_NN
    Eigen::Vector2d normal_column_;  // W_TN / W_NN
    double mu_ = 0.0, W_NN_ = 0.0, trace_ = 0.0, determinant_ = 0.0;
    double least_alpha_ = 0.0;  // below, S + alpha I is singular to working precision
};

// Exact, with rolling: as in space, with one alpha per disk, found by nested bracketing.            docs/theory.md (82)
ContactState solve_exactly(const LocalContact<RollingFriction>& contact, const RollingFriction::Vector& q,
                           RollingFriction::Vector& r);

// F and its generalised derivative F' = A du/dr + B, for any number of disks.
template <class Law>
struct ContactEquation {
    typename Law::Vector F;
    typename Law::Square A, B;
};

// rho_N = 1 / W_NN, rho_k = 1 / (largest eigenvalue of the symmetric part of W_kk): the steps of (83); `otherwise` if
// W gives none.
template <class Law>
struct ContactSteps {
    double normal = 1.0;
    std::array<double, Law::disks> disk{};
    ContactSteps() = default;
    ContactSteps(const typename Law::Square& W, double otherwise);
};

template <class Law>
void evaluate(const Law& law, Formulation formulation, const ContactSteps<Law>& steps, const typename Law::Vector& r,
              const typename Law::Vector& u, ContactEquation<Law>& equation);

// Newton's method with backtracking on one contact, from r. False if it does not reach |F| of about 1e-14 |r| in 50
// steps; r is then the best point.
template <class Law>
bool solve_by_newton(const LocalContact<Law>& contact, Formulation formulation, const ContactSteps<Law>& steps,
                     const typename Law::Vector& q, typename Law::Vector& r);

// One step of r <- P_K(r - rho dual(W r + q)), rho = dimension / trace W.
template <class Law>
void project_once(const LocalContact<Law>& contact, double rho, const typename Law::Vector& q,
                  typename Law::Vector& r) {
    r = contact.law.project(r - rho * contact.law.dual(contact.W * r + q));
}

}  // namespace saltus::one_step
