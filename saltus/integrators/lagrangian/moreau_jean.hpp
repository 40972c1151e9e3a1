#pragma once

#include <optional>
#include <string_view>

namespace saltus {

// The remedy for the drift of positions, which the laws at the level of velocities do not see.
enum class Projection {
    none,
    direct,   // after each step, the nearest positions that the constraints allow, in the metric of the step
    combined  // the same, and contacts that the projection closes take part in the step, until their set stays the same
};

// Steps as long as their error allows: see AdaptiveStepper.
struct StepControl {
    double tolerance = 1e-6;  // on the error of each coordinate in a step, in its unit, or relative where |q| > 1
    double min_step = 0.0;    // shorter steps are not tried; 0: a billionth of the longest

    // Throws InvalidInput if an option makes no sense for steps up to `longest`.
    void check(double longest) const;
};

// Moreau and Jean's theta scheme (Jean 1999; Moreau 1988), with percussions P over the step:      docs/theory.md (153)
//     M (v+ - v) = h theta F+ + h (1 - theta) F + B P,   q+ = q + h (theta v+ + (1 - theta) v),
//     the law of each interaction at the end of the step; a contact takes part where y + h u / 2 <= 0,
//     one that was closed also up to a distance of order h^2.
// B is J' at the end of the step; for joints, and for contacts without friction that were closed, at its theta point,
// which gives them order 2 too.
// Where the impact law of such a contact is not Newton's and u < 0, the impact is first applied to v (ImpactMap), and P
// is the percussion of both; the step sees e = 0.
// theta = 1/2: order 2 between events, order 1 through them, conserves energy; theta = 1: order 1, dissipates.
struct MoreauJean {
    static constexpr std::string_view name = "moreau-jean";
    static constexpr int order = 2;         // of the positions on smooth motion, for theta = 1/2; else 1
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear, for theta = 1/2; else 1
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in the L1 norm

    double theta = 0.5;  // in [1/2, 1]
    Projection projection = Projection::none;
    double tolerance = 1e-9;  // of Newton's method, relative to the velocities of a system
    int max_iterations = 50;
    std::optional<StepControl> control{};  // if given, the step of a run is the longest

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
