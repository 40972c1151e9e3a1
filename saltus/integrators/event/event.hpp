#pragma once

#include <Eigen/Core>
#include <string_view>

#include "saltus/core/matrix.hpp"

namespace saltus {

// What ends a mode of event-driven motion, with the state (q, v), or x, before and after.          docs/theory.md (160)
struct Event {
    enum class Kind {
        impact,        // a contact closes with a velocity: v jumps
        closing,       // a contact closes without one
        opening,       // the force of a closed contact ends
        sliding,       // a sticking contact slides
        sticking,      // a sliding contact sticks, or turns
        switching,     // a spring, a relay or a row of a law changes its place
        jump,          // a state that does not satisfy the laws jumps
        accumulation,  // infinitely many events end
    };
    double t = 0.0;
    Kind kind{};
    Index interaction = 0;
    Eigen::VectorXd before{}, after{};
    Index row = 0;  // of the interaction
};

// The words used in messages and files.
constexpr std::string_view to_string(Event::Kind kind) {
    constexpr std::string_view words[] = {"impact",   "closing",   "opening", "sliding",
                                          "sticking", "switching", "jump",    "accumulation"};
    return words[static_cast<int>(kind)];
}

}  // namespace saltus
