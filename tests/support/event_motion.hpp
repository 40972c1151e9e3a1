#pragma once

#include <gtest/gtest.h>

#include "saltus/integrators/event/event_stepper.hpp"
#include "saltus/integrators/event/first_order_event_stepper.hpp"

namespace saltus::testing {

// An event-driven motion and its events. One that ends early is a failure of the test, unless it may.
template <class AnyModel, class AnyStepper>
struct MotionOf {
    enum class Ending { reached, any };

    typename AnyStepper::AnyState end{};
    std::vector<Event> events{};
    double work = 0.0;
    bool has_failed = false;
    std::string message{};

    MotionOf(const AnyModel& model, double duration, long steps = 10, const EventDriven& scheme = {},
             Ending ending = Ending::reached) {
        AnyStepper stepper(model, scheme, duration / static_cast<double>(steps));
        while (stepper.steps() < steps && !has_failed) {
            has_failed = stepper.step() == StepOutcome::failed;
            stepper.for_each_event([&](const Event& event) { events.push_back(event); });
        }
        if (has_failed) message = stepper.report().message;
        if (has_failed && ending == Ending::reached) ADD_FAILURE() << "t = " << stepper.t() << ": " << message;
        stepper.read(end);
        if constexpr (requires { stepper.work(); }) work = stepper.work();
    }
    // The times of the events of a kind.
    std::vector<double> times(Event::Kind kind) const {
        std::vector<double> result;
        for (const Event& event : events)
            if (event.kind == kind) result.push_back(event.t);
        return result;
    }
    std::vector<double> times(Event::Kind kind, Index interaction) const {
        std::vector<double> result;
        for (const Event& event : events)
            if (event.kind == kind && event.interaction == interaction) result.push_back(event.t);
        return result;
    }
};

using EventMotion = MotionOf<LagrangianModel, EventStepper>;
using FirstOrderMotion = MotionOf<Model, FirstOrderEventStepper>;

}  // namespace saltus::testing
