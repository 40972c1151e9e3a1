#pragma once

#include "saltus/integrators/event/event_stepper_base.hpp"
#include "saltus/integrators/event/first_order_mode.hpp"
#include "saltus/integrators/event/first_order_selection.hpp"
#include "saltus/integrators/event/smooth_motion.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// The event-driven motion of a first-order model, h being the time between two samples: Filippov systems by Stewart's
// method, and linear and nonlinear complementarity systems with the jumps of their states. It has the functions of
// StepperBase.                                                                                    docs/theory.md (164)
class FirstOrderEventStepper : public EventStepperBase {
public:
    using AnyState = State;

    FirstOrderEventStepper(const Model& model, const EventDriven& scheme, double h);

    StepOutcome step();
    const Placement& placement() const { return mode_.placement(); }
    StepProblem problem() const { return passing_ ? *passing_ : selection_.problem(); }

    // The element residual of the last step, see FirstOrderMode.
    double element_residual() const { return element_residual_; }

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
    void check_degrees() const;

    Model model_;
    FirstOrderMode mode_;
    FirstOrderSelection selection_;
    Motion motion_;
    std::vector<std::pair<Index, Index>> rows_;  // interaction and row of each
    std::vector<EventHistory> histories_;        // of the rows
    int passes_ = 0;                             // without an event between them that advances in time
    double element_residual_ = 0.0;
};

}  // namespace saltus
