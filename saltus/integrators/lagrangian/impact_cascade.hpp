#pragma once

#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/core/report.hpp"

namespace saltus {

// Contacts that strike together, without friction, as springs in the limit of infinite stiffness (Liu, Zhao and
// Brogliato 2008, Proc. R. Soc. A 464, 3193): force_j = k_j s_j^eta_j of an indentation s_j, while the positions stay
// what they are. With percussions P, velocities u = u- + W P and stored energies E_j = k_j s_j^(eta_j+1) / (eta_j+1),
//     dP_j / dP_i = (k_j / k_i)^(1 / (eta+1)) (E_j / E_i)^(eta / (eta+1)),
//     dE_j = -u_j dP_j  while u_j < 0 (compression),   dE_j = -(u_j / e_j^2) dP_j  while u_j > 0 (expansion):
// a contact gives back e_j^2 of the work that it took; its force is the same function of E_j both ways. It ends where
// E_j = 0, and begins again where the others drive u_j below 0. The impact is over when all have ended or, for a body
// that is jammed between contacts, when nothing moves any longer. With e = 1 such a body never comes to rest.
//
// T + sum E_j, T the kinetic energy, falls by (1 / e_j^2 - 1) u_j dP_j in expansion: T never grows for e in [0, 1].
// Where all eta are equal only the ratios of the stiffnesses count; else the stiffnesses themselves.
struct CascadeContact {
    double restitution = 0.0, stiffness = 1.0, exponent = 1.0;
};

struct CascadeProblem {
    Matrix W;  // symmetric, positive semidefinite
    Eigen::VectorXd u;
    std::vector<CascadeContact> contacts;
};

// In the variables s and a time that is a mere parameter,
//     P_j' = k_j s_j^eta_j,   s_j' = -u_j or -u_j / e_j^2,
// which is regular where all E are zero, as at the beginning. The equations are integrated by the leapfrog method,
// extrapolated to order 12, up to each event: a contact begins, ends, or passes from compression to expansion or back.
//
// e = 0 is the limit of e -> 0: at the end of its compression a contact drops to the other end of an oscillation about
// the force with which the others press on it, instantly and without percussion, or ends.
struct ImpactCascade {
    static constexpr std::string_view name = "cascade";

    double tolerance = 1e-13;  // of a step and of an event, relative to the closing velocity and what it causes
    int max_steps = 200000;    // stiffnesses far apart take many: several per oscillation of the stiffest contact
    static constexpr double least_restitution = 1e-4;  // smaller ones count as zero

    // P is output only; report.residual is the closing velocity left, relative to that at the beginning.
    SolveReport solve(const CascadeProblem& problem, Eigen::VectorXd& P) const;
};

}  // namespace saltus
