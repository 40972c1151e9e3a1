#pragma once

#include <functional>
#include <span>

#include "saltus/complementarity/place.hpp"
#include "saltus/core/report.hpp"
#include "saltus/integrators/event/event.hpp"
#include "saltus/integrators/lagrangian/impact.hpp"
#include "saltus/integrators/step_problem.hpp"

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

// A step that could not be made.
struct FailedStep {
    double t = 0.0;            // its end; in event-driven motion, where the motion ended
    std::string where{};       // the interaction and row most in violation
    StepProblem problem{};     // of the step, or of the iteration of Newton's method, that could not be solved; without
                               // rows if something else ended the step: solve.solver is then empty
    SolveReport solve{};       // what the solver said, or why the step could not be made
    bool is_taken = false;     // the run goes on, with the last point of the solver
    int halvings = 0;          // the run goes on, with a step halved this many times
    bool is_at_event = false;  // in event-driven motion: the motion up to t is done, and its events are reported

    // "the step to t = 1 cannot be solved: interaction 'diode', row 0: ...".
    std::string reason() const;
};

// The functions that a run calls when something happens. Empty ones are not called.
struct Observer {
    // The places of all rows at the beginning.
    std::function<void(const Placement&)> begins{};
    std::function<void(const Sample&)> sample{};
    std::function<void(const Switch&)> switched{};
    std::function<void(const Impact&)> impact{};
    // In event-driven motion, in order of time; also those of a failed step, up to where it failed.
    std::function<void(const Event&)> event{};
    std::function<void(const FailedStep&)> failed{};
    // Asked several times per second, also within a long step; false ends the run, which keeps what was computed up to
    // the last complete step.
    std::function<bool(double t, long steps)> goes_on{};
};

}  // namespace saltus
