#pragma once

#include <string_view>

namespace saltus {

// Motion from event to event: between two of them it is smooth and integrated to the tolerance; each event is located,
// its law applied, and the next mode chosen. Where impacts accumulate, MoreauJean's steps pass.    docs/theory.md (160)
struct EventDriven {
    static constexpr std::string_view name = "event-driven";

    double tolerance = 1e-10;    // on the error of a step, relative, and absolute below 1
    double accumulation = 1e-6;  // impacts which accumulate within this time are passed

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
