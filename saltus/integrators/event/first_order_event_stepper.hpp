#pragma once

#include "saltus/complementarity/auto.hpp"
#include "saltus/integrators/event/accumulation.hpp"
#include "saltus/integrators/event/event.hpp"
#include "saltus/integrators/event/first_order_mode.hpp"
#include "saltus/integrators/event/first_order_selection.hpp"
#include "saltus/integrators/event/smooth_motion.hpp"
#include "saltus/integrators/step_outcome.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// The event-driven motion of a first-order model, h being the time between two samples: Filippov's systems by Stewart's
// method, linear and nonlinear complementarity systems with the jumps of their states. It has the functions of
// StepperBase.                                                                                    docs/theory.md (164)
class FirstOrderEventStepper {
public:
    using AnyState = State;

    FirstOrderEventStepper(const Model& model, const EventDriven& scheme, double h);
    FirstOrderEventStepper(const FirstOrderEventStepper&) = delete;  // its parts refer to the mode
    FirstOrderEventStepper& operator=(const FirstOrderEventStepper&) = delete;

    // To the next sample, or part of the way where that is long: see is_between().
    StepOutcome step();
    // The sample is not reached yet.
    bool is_between() const { return is_begun_ && t_ < t_end_; }
    // Nothing was left: the motion has no continuation.
    bool accept_unsolved() { return false; }

    double t() const { return t_; }
    double h() const { return h_; }
    long steps() const { return steps_; }
    const Placement& placement() const { return mode_.placement(); }
    const BoxVi& problem() const { return selection_.problem(); }
    const SolveReport& report() const { return report_; }
    Index worst_row() const { return worst_row_; }

    // Of the elements of the last step, see FirstOrderMode.
    double element_residual() const { return element_residual_; }

    // visit(Event), of the last step.
    template <class Visit>
    void for_each_event(Visit visit) const {
        for (const Event& event : events_) visit(event);
    }
    void read(State& state) const;

private:
    using Motion = SmoothMotion<FirstOrderMode>;

    bool begin();
    bool advance();
    bool handle_event();
    bool choose_mode(const FirstOrderMode::End* turned);
    // Steps of backward Euler over a time in which events accumulate.
    bool pass(double last);
    void record(double t, Event::Kind kind, Index row, const Eigen::VectorXd& before);
    bool fail(std::string message);
    void check_degrees() const;

    Model model_;
    EventDriven scheme_;
    double t0_, h_, t_, t_end_ = 0.0;
    long steps_ = 0;
    FirstOrderMode mode_;
    FirstOrderSelection selection_;
    Motion motion_;
    bool is_begun_ = false;
    Eigen::VectorXd x_;                          // at t_
    std::vector<std::pair<Index, Index>> rows_;  // interaction and row of each
    std::vector<EventHistory> histories_;        // of the rows
    EventGuard guard_;
    int passes_ = 0;  // without an event between them that gets on
    std::vector<Event> events_;
    Placement last_placement_;  // before the last step
    SolveReport report_;
    Index worst_row_ = -1;
    double element_residual_ = 0.0;
};

}  // namespace saltus
