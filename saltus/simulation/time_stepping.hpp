#pragma once

#include <optional>

#include "saltus/integrators/scheme.hpp"
#include "saltus/model/lagrangian_model.hpp"
#include "saltus/model/model.hpp"
#include "saltus/simulation/event_counts.hpp"
#include "saltus/simulation/recorder.hpp"
#include "saltus/simulation/trajectory.hpp"

namespace saltus {

// What a run does with a step that cannot be solved.
enum class OnFailure {
    stop,  // ends
    take,  // continues from the last point of the solver, which does not satisfy the laws
    retry  // halves the step, up to ten times; ends if that does not help
};

// The action named stop, continue or retry; none for any other name.
std::optional<OnFailure> on_failure_of(std::string_view name);

// How a run ended.
struct RunReport {
    enum class End { reached, interrupted, failed };
    End end = End::reached;
    double t = 0.0;
    long steps = 0, switches = 0, impacts = 0;
    EventCounts events{};            // of event-driven motion
    long unsolved = 0, retried = 0;  // steps that were taken though not solved; that were halved
    long refused = 0, forced = 0;    // automatic length: steps refused as too long; shortest steps taken anyway
    double shortest = 0.0;           // the length of the shortest step
    double worst_residual = 0.0;     // of the laws, at the samples
    FailedStep failure{};            // if end is failed
};

// The words used in messages and files.
constexpr std::string_view to_string(RunReport::End end) {
    constexpr std::string_view words[] = {"reached", "interrupted", "failed"};
    return words[static_cast<int>(end)];
}

// Steps of constant length from t0 to t_end; if the interval is not a multiple of `step`, they are a little shorter. A
// scheme with StepControl halves them as often as their error requires.
struct TimeStepping {
    double step = 0.0, t_end = 0.0;
    std::optional<Scheme> scheme{};  // chosen by the structure of the model if not given: see choose_scheme()
    // Steps of length `step` between samples; with 1, the parts of divided steps are sampled too. The first and the
    // last state are always sampled.
    long record_every = 1;
    OnFailure on_failure = OnFailure::stop;

    // Throws InvalidInput if step, t_end or record_every make no sense for a model that begins at t0.
    void check(double t0) const;
    // The number of steps, the last of which ends at t_end.
    long step_count(double t0) const;
    // The scheme of a run of this model.
    Scheme scheme_for(const Model& model) const;
    Scheme scheme_for(const LagrangianModel& model) const;

    // Throws InvalidInput if the options or the model make no sense.
    RunReport run(const Model& model, const Observer& observer) const;
    RunReport run(const LagrangianModel& model, const Observer& observer) const;
};

// Runs the model and keeps everything in memory.
struct Simulation {
    Trajectory trajectory;
    RunReport report;
};
Simulation simulate(const Model& model, const TimeStepping& options);
Simulation simulate(const LagrangianModel& model, const TimeStepping& options);

}  // namespace saltus
