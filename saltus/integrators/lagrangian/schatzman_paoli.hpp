#pragma once

#include <string_view>

namespace saltus {

// Schatzman and Paoli's scheme (Paoli and Schatzman 2002), with positions only and percussions P over a node:
//     M(q_k) (q_k+1 - 2 q_k + q_k-1) / h = h F(t_k, (q_k+1 + 2 q_k + q_k-1) / 4, (q_k+1 - q_k-1) / (2 h)) + J' P,
//     0 <= y(q^)  _|_  P >= 0,   q^ = (q_k+1 + e q_k-1) / (1 + e),   J = dy/dq at q^;
// joints y(q_k+1) = 0, J at q_k (SHAKE). A moving surface is met at the time t^, the same mean of times. The first step
// has q_-1 = q_1 - 2 h v_0 in place of the position before it, and a contact that is closed sees q_0 - h v_0.
// The velocity recorded at t_k+1 is the backward difference (q_k+1 - q_k) / h, of order 1.
// For frictionless contacts with Newton's restitution, and joints. The gap is open for q^, not for q_k+1: for e > 0 a
// ball goes as far as e h |u| below the ground and comes back. Open contacts cost work too: all gaps are evaluated.
struct SchatzmanPaoli {
    static constexpr std::string_view name = "schatzman-paoli";
    static constexpr int order = 2;         // of the positions on smooth motion; 1 for the velocities
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in the L1 norm

    double tolerance = 1e-9;  // of Newton's method, relative to the velocities of a system
    int max_iterations = 50;

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
