#pragma once

#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "saltus/laws/interval.hpp"

namespace saltus {

// The laws of mechanical interactions. y is the position of an interaction, u its velocity, P its percussion: the
// integral of its force over a step, impacts included.                                             docs/theory.md (151)

// A one-sided contact: y[0] >= 0 is the gap, u = (u_N, u_T). While it is closed, with u- before and u+ after the step,
//     -dual(u_N+ + e u_N-, u_T+ + e_T u_T-) in N_K(P),   K = { |P_T| <= friction P_N }:            docs/theory.md (152)
// Newton's impact law in Moreau's form, with Coulomb's friction. Fremond's law is this with e_T = e.
struct ContactLaw {
    // How u+ follows from u-. `poisson` and `cascade` act on the velocities at the beginning of the step, before its
    // forces do; the step then sees e = 0.
    enum class Impact {
        newton,   // u_N+ = -e u_N-
        poisson,  // the percussion of the expansion is e times that of the compression, or more
        cascade,  // Liu, Zhao and Brogliato: contacts as springs in the limit of infinite stiffness
    };

    Impact impact = Impact::newton;
    double restitution = 0.0;             // e, in [0, 1]
    double friction = 0.0;                // Coulomb's coefficient
    double tangential_restitution = 0.0;  // e_T, in [-1, 1]
    double rolling = 0.0;                 // the rolling arm, of contacts with five rows (N, T1, T2, M1, M2)
    double cohesion = 0.0;                // a tension, in newtons, that an intact contact carries
    bool is_brittle = false;              // the cohesion is lost for good when the contact opens
    double stiffness = 1.0;               // of `cascade`: only ratios between contacts of equal exponent count
    double exponent = 1.0;                // of `cascade`: force = stiffness penetration^exponent (Hertz: 3/2)
};

// The words used in messages and files.
constexpr std::string_view to_string(ContactLaw::Impact impact) {
    switch (impact) {
        case ContactLaw::Impact::newton:
            return "newton";
        case ContactLaw::Impact::poisson:
            return "poisson";
        case ContactLaw::Impact::cascade:
            break;
    }
    return "cascade";
}

// y = 0, held through the velocities: joints, prescribed motion.
struct JointLaw {};

// A force lambda at the level of positions, -y in N_K(lambda), y = g(q, lambda, t) + lambda / k + (d / k) u, K an
// interval: one-sided springs, compliant relations. A spring whose force is a piecewise linear function of the
// penetration -g is a sum of such rows, one per piece: K = [0, most], the gap shifted by `start`.
struct SpringLaw {
    struct Piece {
        double start = 0.0;  // the penetration at which the piece begins to carry
        double stiffness = std::numeric_limits<double>::infinity();
        double most = std::numeric_limits<double>::infinity();  // the largest force it carries
    };
    std::vector<Piece> pieces{{}};
    double damping = 0.0;
};

// A force lambda in an interval with -y in N_K(lambda), y a function of positions and velocities: relays, motors, dry
// friction whose normal force is known.
struct RelayLaw {
    std::vector<Interval> bounds{{-1.0, 1.0}};  // one, or one per row
};

using MechanicalLaw = std::variant<ContactLaw, JointLaw, SpringLaw, RelayLaw>;

}  // namespace saltus
