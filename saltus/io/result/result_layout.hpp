#pragma once

#include "saltus/integrators/event/event.hpp"

// The names in a result file: see docs/result-files.md.
namespace saltus {

namespace layout {

inline constexpr const char *format_key = "format", *format = "saltus-result", *version_key = "version", *run = "run";
inline constexpr int version = 4, first_version = 2;  // the last, and the first that can be read
inline constexpr const char *channels = "channels", *t = "t", *values = "values", *residual = "residual",
                            *iterations = "iterations", *seconds = "seconds", *model = "model",
                            *interactions = "interactions", *switches = "switches", *initial = "initial",
                            *impacts = "impacts", *events = "events", *failures = "failures", *summary = "summary";
inline constexpr Event::Kind last_kind = Event::Kind::accumulation;
// Version 2 had no events, and used these names for switches.
inline constexpr const char *switches_of_2 = "events", *interactions_of_2 = "events/interactions";

}  // namespace layout

// Calls visit(key, member) for each member of a RunSummary.
template <class Summary, class Visit>
void visit_summary(Summary& summary, Visit visit) {
    visit("name", summary.name);
    visit("settings", summary.settings);
    visit("scheme", summary.scheme);
    visit("end", summary.end);
    visit("message", summary.message);
    visit("step", summary.step);
    visit("t_end", summary.t_end);
    visit("t", summary.t);
    visit("steps", summary.steps);
    visit("switches", summary.switches);
    visit("impacts", summary.impacts);
    visit("events", summary.events);
    visit("unsolved", summary.unsolved);
    visit("retried", summary.retried);
    visit("worst_residual", summary.worst_residual);
    visit("seconds", summary.seconds);
}

}  // namespace saltus
