#pragma once

#include <string_view>

namespace saltus {

// The nonsmooth generalised-alpha scheme (Bruls, Acary and Cardona 2014) with friction (Capobianco, Harsch, Eugster and
// Leine 2021). The index 1 is that of the end of the step, 0 of its beginning, x~ the averages of the scheme:
//     (1 - alpha_m) a~_1 + alpha_m a~_0 = (1 - alpha_f) a_1 + alpha_f a_0,   l~ of the forces l in the same way,
//     v_1 = v_0 + h ((1 - gamma) a~_0 + gamma a~_1) + U,
//     q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) a~_0 + beta a~_1) + Q,
//     M a_1 = F + J' l,   M U = J' L,   M Q = J' k   (k = h L / 2 for friction),   all at (t_1, q_1, v_1),
// whose multipliers are those of positions, velocities and accelerations,
//     k^ = k + h^2 ((1/2 - beta) l~_0 + beta l~_1),   P = L + h ((1 - gamma) l~_0 + gamma l~_1),   l:
//     joints      y = 0,  u = 0,  u' = 0,
//     contacts    0 <= y _|_ k^ >= 0;   0 <= u_N + e u_N0 _|_ P_N >= 0 where the first is closed;   0 <= u_N' _|_ l_N
//                 >= 0 where the second is;   Coulomb's law for u_T + e_T u_T0 and P; for l the direction of sliding is
//                 that of u_T where P slides, that of u_T' where it sticks.
// A semismooth Newton method solves for all of them together; each iteration puts the contacts into sets, one inside
// the other, and solves a linear system. Positions and velocities satisfy the constraints, with no drift.
// Friction opposes the sliding at the end of the step: order 2 where its direction stays, 1 where it turns.
// u' needs the derivatives of J along the motion: central differences over h / 1000.
// The averages start with the forces l of a trial of the first step.
// alpha_m = (2 rho - 1) / (rho + 1), alpha_f = rho / (rho + 1), gamma = 1/2 + alpha_f - alpha_m, beta = (1/2 + gamma)^2
// / 4. rho is the spectral radius for infinite frequencies: 1 conserves, 0 damps them in one step.
struct GeneralisedAlpha {
    static constexpr std::string_view name = "generalised-alpha";
    static constexpr int order = 2;         // of the positions on smooth motion
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in the L1 norm

    double spectral_radius = 0.8;  // rho, in [0, 1]
    double tolerance = 1e-9;       // of Newton's method, relative to the velocities
    int max_iterations = 50;

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
