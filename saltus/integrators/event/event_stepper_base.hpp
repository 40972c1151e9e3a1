#pragma once

#include "saltus/complementarity/place.hpp"
#include "saltus/core/report.hpp"
#include "saltus/integrators/event/accumulation.hpp"
#include "saltus/integrators/event/event.hpp"
#include "saltus/integrators/event/event_driven.hpp"
#include "saltus/integrators/step_outcome.hpp"
#include "saltus/integrators/step_problem.hpp"

namespace saltus {

// What the event-driven steppers of both kinds of models share; h is the time between two samples. Each adds
//     StepOutcome step();     to the next sample, or part of the way where that is long: see is_between()
class EventStepperBase {
public:
    EventStepperBase(const EventStepperBase&) = delete;  // the parts of a stepper refer to its mode
    EventStepperBase& operator=(const EventStepperBase&) = delete;

    double t() const { return t_; }
    double h() const { return h_; }
    long steps() const { return steps_; }
    // Whether the next sample has not been reached yet.
    bool is_between() const { return is_begun_ && t_ < t_end_; }
    // Always false: the motion has no continuation.
    bool accept_unsolved() { return false; }
    const SolveReport& report() const { return report_; }
    // Called before a step: a step without a solver call then has none.
    void clear_iterations() { report_.iterations = 0; }
    Index worst_row() const { return worst_row_; }

    // visit(Event), of the last step.
    template <class Visit>
    void for_each_event(Visit visit) const {
        for (const Event& event : events_) visit(event);
    }

protected:
    // Throws InvalidInput if the scheme or h makes no sense.
    EventStepperBase(double t0, const EventDriven& scheme, double h);

    // The most moves in one call of step(), so that a run can be interrupted.
    static constexpr int most_moves = 100;

    static constexpr int most_events = 100000;  // between two samples
    static constexpr long most_steps = 200000;  // of the smooth motion, likewise

    // Returns false; the report says why.
    bool fail(std::string message);
    // False if there are too many since the last sample, so that a motion that chatters, or whose tolerance is out of
    // reach, does not hang.
    bool count_event();
    bool count_step();
    void begin_count() { events_since_sample_ = 0, steps_since_sample_ = 0; }

    EventDriven scheme_;
    double t0_, h_, t_, t_end_ = 0.0;
    long steps_ = 0;
    bool is_begun_ = false;
    Eigen::VectorXd x_{};  // at t_
    std::vector<Event> events_{};
    int events_since_sample_ = 0;
    long steps_since_sample_ = 0;
    EventGuard guard_;
    Placement last_placement_{};  // before the last step
    SolveReport report_{};
    std::optional<StepProblem> passing_{};  // the last one of the steps that passed events, where it was not solved
    Index worst_row_ = -1;
};

}  // namespace saltus
