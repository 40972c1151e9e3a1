#pragma once

#include <deque>

#include "saltus/integrators/event/event.hpp"
#include "saltus/integrators/event/event_driven.hpp"
#include "saltus/integrators/event/explicit_runge_kutta.hpp"
#include "saltus/integrators/event/mode_selection.hpp"
#include "saltus/integrators/lagrangian/impact_map.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"

namespace saltus {

// Impacts of one contact at shorter and shorter intervals, d_k+1 = r d_k, end at
//     t + d (r + r^2 + ...) = t + d r / (1 - r).                                                  docs/theory.md (163)
class ImpactHistory {
public:
    void add(double t);
    // When they end, if the last three intervals say so.
    std::optional<double> accumulation() const;
    void clear() { times_.clear(); }

private:
    std::deque<double> times_;  // the last four
};

// The event-driven motion of a Lagrangian model, h being the time between two samples. It has the functions of
// LagrangianStepperBase; P is the sum of the percussions of the impacts since the last sample, forces are those at it.
class EventStepper {
public:
    using AnyState = LagrangianState;

    EventStepper(const LagrangianModel& model, const EventDriven& scheme, double h);
    EventStepper(const EventStepper&) = delete;  // the selection refers to the mode
    EventStepper& operator=(const EventStepper&) = delete;

    // To the next sample.
    StepOutcome step();
    // Nothing was left: the motion has no continuation.
    bool accept_unsolved() { return false; }

    double t() const { return t_; }
    double h() const { return h_; }
    long steps() const { return steps_; }
    const Placement& placement() const { return placement_; }
    StepProblem problem() const { return selection_.problem(); }
    const SolveReport& report() const { return report_; }
    Index worst_row() const { return worst_row_; }
    // How far the laws of forces are from holding at t.
    double law_residual() const;
    double work() const { return x_[2 * mode_.coordinates()]; }

    // visit(Impact) and visit(Event), of the last step.
    template <class Visit>
    void for_each_impact(Visit visit) const {
        for (const Impact& impact : impacts_) visit(impact);
    }
    template <class Visit>
    void for_each_event(Visit visit) const {
        for (const Event& event : events_) visit(event);
    }
    void read(LagrangianState& state) const;

private:
    bool advance(double t_end);
    // One step of the smooth motion, or to the event that ends it.
    bool move(double t_end);
    bool evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope, Eigen::VectorXd& values);
    double error_of(const Eigen::VectorXd& end) const;
    // The length s <= h of the step after which a function of the mode is below zero; x_next_ is there.
    bool locate(double h);
    bool evaluate_after(double s);
    // Where in (0, h) a gap that is open at both ends is closed; 0 if there is none, and x_next_ is that of h.
    double find_dip(double h);
    double dip_of(std::size_t end, double h);
    Index first_crossed() const;
    bool settle(double t);
    bool handle_event();
    bool close_contacts(const Eigen::VectorXd& before);
    bool hold_resting(bool positions_alone);
    bool choose_mode(const ModeEnd* turned);
    bool is_consistent();
    bool pass_accumulation(Index interaction, double end);
    bool begin();
    void update_placement();
    void record(double t, Event::Kind kind, Index interaction, const Eigen::VectorXd& before);
    bool fail(std::string message);
    void check_springs() const;
    double noise(const ModeEnd& end) const;

    LagrangianModel model_;
    EventDriven scheme_;
    double t0_, h_, t_, t_end_ = 0.0;
    long steps_ = 0;
    SmoothMode mode_;
    ModeSelection selection_;
    ImpactMap impact_map_;
    ExplicitRungeKutta method_;
    bool is_begun_ = false;
    double next_length_;  // of a step of the smooth motion
    Eigen::VectorXd x_, slope_, x_next_, slope_next_;
    Eigen::VectorXd values_, values_next_;  // of the ends of the mode
    Eigen::VectorXd y_, u_, y_next_, u_next_;
    Eigen::VectorXd v_, q_, P_, percussions_;
    double located_ = 0.0;  // what locate() found
    std::vector<char> resting_;
    std::vector<ImpactHistory> histories_;
    std::vector<Impact> impacts_;
    std::vector<Event> events_;
    double last_event_;
    int events_at_once_ = 0;
    Placement placement_;
    SolveReport report_;
    Index worst_row_ = -1;
};

}  // namespace saltus
