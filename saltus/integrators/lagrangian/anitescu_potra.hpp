#pragma once

#include <string_view>

namespace saltus {

// Anitescu and Potra's scheme (1997), with percussions P over the step:
//     M (v+ - v) = h F+ + J' P,   q+ = q + h v+,
//     0 <= u_N+ + e u_N  _|_  P_N >= 0 where y <= 0,   Coulomb's law for u_T+ and P,   u+ = 0 for joints.
// Impacts of Poisson's law, a compression and an expansion, and cascades come first (see ImpactMap), where y <= 0; the
// contacts of the step then see e = 0.
// Where `facets` is 3 or more, the friction disk is a polygon and Lemke's method solves the linear complementarity
// problem of the step, which has a solution whatever the coefficients of friction are.
// Velocities do not correct the gap: a contact overlaps by up to h |u_N| when it closes, and stays so.
struct AnitescuPotra {
    static constexpr std::string_view name = "anitescu-potra";
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
