#pragma once

#include <string_view>

namespace saltus {

// Stewart and Trinkle's scheme (1996), with percussions P over the step:
//     M (v+ - v) = h F+ + J' P,   q+ = q + h v+,
//     0 <= y+ / h  _|_  P_N >= 0,   Coulomb's law for u_T+ and P,   y+ = y(t_k+1, q+);
// joints y+ = 0. Where y is linear, y+ / h = y / h + J v+: their problem. Elsewhere Newton's method solves a sequence
// of such problems. Whether a contact closes within the step is found by the law itself: gaps stay open, and joints
// closed, up to the tolerance of Newton's method. Impacts are plastic: there is no restitution.
// A joint or contact that is violated by y at the beginning is closed in one step, at the speed y / h.
// Where `facets` is 3 or more, the friction disk is a polygon and Lemke's method solves the linear complementarity
// problem, which has a solution whatever the coefficients of friction are.
struct StewartTrinkle {
    static constexpr std::string_view name = "stewart-trinkle";
    static constexpr int order = 1;         // of the positions on smooth motion
    static constexpr int joint_order = 1;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in the L1 norm

    int facets = 0;           // 0: the disk
    double tolerance = 1e-9;  // of Newton's method, relative to the velocities of a system
    int max_iterations = 50;

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
