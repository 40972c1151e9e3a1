#pragma once

#include <functional>
#include <span>

#include "saltus/complementarity/place.hpp"
#include "saltus/integrators/event/event.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"

namespace saltus {

// What a run records of a state: the values of its channels.
struct Sample {
    double t = 0.0;
    std::span<const double> values{};  // in the order of channel_names()
    double residual = 0.0;  // of the laws: zero where they hold, infinite where a state, a gap or an output is NaN
    int iterations = 0;     // of the solver, in the worst step since the last sample; 0 where none was called
};

// A row of an interaction changes its place: a diode opens, a relay switches, a sliding mode begins, a contact closes.
struct Switch {
    double t = 0.0;  // the end of the step in which it happened
    Index interaction = 0, row = 0;
    Place from = Place::basic, to = Place::basic;
};

// A step whose problem the solver did not solve.
struct FailedStep {
    double t = 0.0;            // at its end; of event-driven motion where that ends
    std::string where{};       // the interaction and row that is worst off
    StepProblem problem{};     // that of the step, or of the iteration of Newton's method, which could not be solved
    SolveReport solve{};       // what the solver said
    bool is_taken = false;     // the run goes on, with what the solver left
    int halvings = 0;          // the run goes on, with a step divided so many times by two
    bool is_at_event = false;  // of event-driven motion: the way up to t is made, and its events are told

    // "the step to t = 1 cannot be solved: interaction 'diode', row 0: ...".
    std::string reason() const;
};

// Whom a run tells what happens. What is left empty is not told.
struct Observer {
    // The places of all rows at the beginning.
    std::function<void(const Placement&)> begins{};
    std::function<void(const Sample&)> sample{};
    std::function<void(const Switch&)> switched{};
    std::function<void(const Impact&)> impact{};
    // Of event-driven motion, in the order of time; those of a step that failed too, up to where it did.
    std::function<void(const Event&)> event{};
    std::function<void(const FailedStep&)> failed{};
    // Asked some times a second; false ends the run, which keeps what was computed.
    std::function<bool(double t, long steps)> goes_on{};
};

}  // namespace saltus
