#pragma once

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// Maps that show a long motion with few points. Each runs the model, keeps what happens from time `from` on, and says
// how the run ended; `goes_on` is as in Observer.
struct MapRun {
    double from = 0.0;
    std::function<bool(double t, long steps)> goes_on{};
};

struct MapPoints {
    Trajectory points{};  // samples, or impacts
    RunReport report{};
};

// The state once per period, at t0 + k period. The steps are made a little shorter if the period is not a whole number
// of them.
MapPoints stroboscopic_map(const Model& model, TimeStepping options, double period, const MapRun& run = {});
MapPoints stroboscopic_map(const LagrangianModel& model, TimeStepping options, double period, const MapRun& run = {});

// The state whenever a channel passes a value upwards between two steps; time and state are interpolated linearly.
struct Section {
    std::string channel{};
    double value = 0.0;
};
MapPoints poincare_map(const Model& model, const TimeStepping& options, const Section& section, const MapRun& run = {});
MapPoints poincare_map(const LagrangianModel& model, const TimeStepping& options, const Section& section,
                       const MapRun& run = {});

// The impacts: their times, velocities before and after, percussions.
MapPoints impact_map(const LagrangianModel& model, TimeStepping options, const MapRun& run = {});

}  // namespace saltus
