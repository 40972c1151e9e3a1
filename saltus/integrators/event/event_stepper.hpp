#pragma once

#include "saltus/core/infinity.hpp"
#include "saltus/integrators/event/bounces.hpp"
#include "saltus/integrators/event/event_stepper_base.hpp"
#include "saltus/integrators/event/mode_selection.hpp"
#include "saltus/integrators/event/smooth_motion.hpp"
#include "saltus/integrators/lagrangian/impact_map.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"

namespace saltus {

// The event-driven motion of a Lagrangian model, h being the time between two samples. It has the functions of
// LagrangianStepperBase; P sums the percussions of the impacts since the last sample, forces are those at the sample.
class EventStepper : public EventStepperBase {
public:
    using AnyState = LagrangianState;

    EventStepper(const LagrangianModel& model, const EventDriven& scheme, double h);

    StepOutcome step();
    const Placement& placement() const { return placement_; }
    StepProblem problem() const { return passing_ ? *passing_ : selection_.problem(); }
    // How far the laws of forces are from holding at t.
    double law_residual() const;
    double work() const { return x_[2 * mode_.coordinates()]; }

    // visit(Impact), of the last step.
    template <class Visit>
    void for_each_impact(Visit visit) const {
        for (const Impact& impact : impacts_) visit(impact);
    }
    void read(LagrangianState& state) const;

private:
    using Motion = SmoothMotion<LagrangianMode>;

    bool begin();
    bool advance();
    bool handle_event();
    bool is_closed(Index k) const;
    bool rests(Index k) const;
    // Interactions that take part in an impact; contacts among them, `located` at least, are in resting_.
    IndexList find_closed(Index located);
    // Impacts at x_, if contacts approach; those which rest afterwards are in resting_.
    bool close_contacts(const Eigen::VectorXd& before, Index located);
    bool apply_impacts(const IndexList& closed);
    bool hold_resting(bool positions_alone, const ModeEnd* turned);
    bool choose_mode(const ModeEnd* turned);
    // The next mode, after a jump if there is none.
    bool continue_motion(const ModeEnd* turned);
    bool jump();
    bool is_consistent();
    bool pass_accumulation(Index interaction, const Accumulation& accumulation);
    IndexList settle_bounces(Index interaction, double since, const Eigen::VectorXd& percussions, double duration);
    void take_state();
    void update_scale();
    void update_placement();
    // Records what the interactions do now and did not do before; `known` events are older.
    void record_changes(const std::vector<InteractionMode>& last, std::size_t known, const Eigen::VectorXd& before);
    void record(double t, Event::Kind kind, Index interaction, const Eigen::VectorXd& before);
    void check_springs() const;

    LagrangianModel model_;
    LagrangianMode mode_;
    MotionScale scale_;
    ModeSelection selection_;
    ImpactMap impact_map_;
    Motion motion_;
    double shared_at_ = -infinity;  // when redundant contacts last redistributed their load
    Eigen::VectorXd error_scale_;
    Eigen::VectorXd y_, u_, u_before_;
    Eigen::VectorXd v_, q_, P_, percussions_;
    std::vector<char> resting_;
    Bounces bounces_;
    std::vector<Impact> impacts_;
    Placement placement_;
};

}  // namespace saltus
