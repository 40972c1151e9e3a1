#pragma once

#include <array>
#include <string_view>

namespace saltus {

// How the motion between two events is integrated.
enum class SmoothMethod {
    runge_kutta,  // explicit, of order 6, with steps of automatic length
    bdf,          // for stiff motion: CVODE's formulas, with steps of automatic length
    radau,        // Radau IIA of order 2 stages - 1, with steps as long as the time between two samples
    gauss,        // of order 2 stages, with the same steps
};
// The words used in model files.
constexpr std::array<std::string_view, 4> smooth_method_names{"runge-kutta", "bdf", "radau", "gauss"};

// Motion from event to event: between two of them it is smooth and integrated to the tolerance; each event is located,
// its law applied, and the next mode chosen. Where events accumulate, steps of MoreauJean or EulerMoreau pass them.
//                                                                                                 docs/theory.md (160)
struct EventDriven {
    static constexpr std::string_view name = "event-driven";

    // Largest error of a step, relative to the value. For small values it is relative to 1 in a first-order model, and
    // to a hundredth of the largest value so far in a Lagrangian one.
    double tolerance = 1e-10;
    double accumulation = 1e-6;  // events that accumulate within this time are passed
    SmoothMethod method = SmoothMethod::runge_kutta;
    int stages = 3;  // of radau and gauss

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

}  // namespace saltus
