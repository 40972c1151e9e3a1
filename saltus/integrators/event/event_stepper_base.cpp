#include "saltus/integrators/event/event_stepper_base.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/event/collocation.hpp"

namespace saltus {

void EventDriven::check() const {
    require(tolerance >= 1e-14 && tolerance <= 0.1, "{}: the tolerance is {}; it must be between 1e-14 and 0.1", name,
            tolerance);
    require(accumulation > 0.0 && std::isfinite(accumulation), "{}: accumulation is {}; it must be positive", name,
            accumulation);
    require(stages >= 1 && stages <= Collocation::most_stages, "{}: stages is {}; it must be between 1 and {}", name,
            stages, Collocation::most_stages);
}

EventStepperBase::EventStepperBase(double t0, const EventDriven& scheme, double h)
    : scheme_(scheme), t0_(t0), h_(h), t_(t0), guard_(t0, h) {
    scheme_.check();
    require(h > 0.0 && std::isfinite(h), "{}: the time between samples is {}; it must be positive", EventDriven::name,
            h);
}

bool EventStepperBase::fail(std::string message) {
    report_ = {.status = SolveStatus::stalled, .message = std::move(message)};
    return false;
}

bool EventStepperBase::count_event() {
    return ++events_since_sample_ <= most_events ||
           fail(fmt::format("events do not end: more than {} between two samples; take more samples, or time stepping",
                            most_events));
}

bool EventStepperBase::count_step() {
    return ++steps_since_sample_ <= most_steps ||
           fail(fmt::format(
               "the smooth motion takes more than {} steps between two samples: the tolerance {} may be out "
               "of reach; take a larger one, more samples, or method = \"bdf\" for stiff motion",
               most_steps, scheme_.tolerance));
}

}  // namespace saltus
