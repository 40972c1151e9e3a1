#pragma once

#include <functional>
#include <optional>

#include "saltus/integrators/stepper.hpp"
#include "saltus/simulation/trajectory.hpp"

namespace saltus {

// Whom a run tells what happens. What is left empty is not told.
struct Observer {
    std::function<void(const State&)> sample{};
    std::function<void(const Switch&)> switched{};
    // Asked now and then; false ends the run, which keeps what was computed.
    std::function<bool(double t, long steps)> goes_on{};
};

// How a run ended.
struct RunReport {
    enum class End { reached, interrupted, failed };
    End end = End::reached;
    double t = 0.0;
    long steps = 0, switches = 0;
    double worst_residual = 0.0;  // of the laws, at the samples: see law_residual()

    // Of a step that failed: the problem which could not be solved, and what the solver said.
    BoxVi problem{};
    SolveReport solve{};
};

// Steps of constant length from t0 to t_end; where the interval is no multiple of `step` they are a little shorter.
struct TimeStepping {
    double step = 0.0, t_end = 0.0;
    EulerMoreau scheme{};
    long record_every = 1;  // steps between samples; the first and the last state are always sampled

    // Throws InvalidInput if the options or the model make no sense.
    RunReport run(const Model& model, const Observer& observer) const;
};

// | lambda - P_K(lambda - y) |, over the largest of 1, |lambda| and |y|: zero where every law holds.
double law_residual(const Model& model, const State& state, double step_of_measures);

// Runs and keeps everything in memory.
struct Simulation {
    Trajectory trajectory;
    RunReport report;
};
Simulation simulate(const Model& model, const TimeStepping& options);

}  // namespace saltus
