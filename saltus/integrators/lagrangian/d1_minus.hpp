#pragma once

#include <string_view>

namespace saltus {

// The half-explicit scheme D1- of the time-discontinuous Galerkin method (Schindler and Acary 2014), its contact forces
// found at the level of velocities (Schindler, Rezaei, Kursawe and Acary 2015), M, F and J at the points of Heun's
// rule:
//     v1 = v + h M_k^-1 F(t_k, q, v) + M_k^-1 J_k' P_1,                  law of u1 = J(t_k+1, q + h v) v1 and P_1,
//     q+ = q + h (v + v1) / 2,
//     v- = (v + v1) / 2 + h/2 M_k+1^-1 F(t_k+1, q+, v1) + M_k+1^-1 J_k+1' P_2,   law of u- = J_k+1 v- and P_2,
//     v+ = v- + M_k+1^-1 J_k+1' P_3,                                     law of u_N+ + e u_N- and P_3,
// P = P_1 / 2 + P_2 + P_3. The first two laws, without restitution, are for joints and for contacts with y <= 0 at t_k.
// The last is that of impacts: where a contact with y+ <= 0 still approaches, for joints and all contacts with y+ <= 0.
// The laws are at the level of velocities, because that of accelerations needs second derivatives of y and lets joints
// drift with t^2; here their velocities are exact, and the drift of positions is of order h^2. The scheme is the
// half-explicit Runge-Kutta method of order 2 for constraints of index 2. Friction acts against the sliding at the end
// of each stage: order 2 where its direction stays, 1 where it turns. A contact sticks with u_T = 0 exactly.
// Explicit: with a stiffness, h is limited by 2 over the largest frequency.
struct D1Minus {
    static constexpr std::string_view name = "d1-minus";
    static constexpr int order = 2;         // of the positions on smooth motion
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in the L1 norm

    // Throws InvalidInput if an option makes no sense.
    void check() const {}
};

}  // namespace saltus
