#pragma once

#include <memory>

#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/impact_map.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/moreau_jean.hpp"
#include "saltus/integrators/lagrangian/position_projection.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

// The theta step also serves the schemes that differ only in the rows of contacts and joints.
class MoreauJeanStepper : public LagrangianStepperBase {
public:
    MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h)
        : MoreauJeanStepper(model, scheme, h, Closing::predicted) {}

    StepOutcome step();
    bool accept_unsolved();
    // Without the percussions of impacts, which do not enter the laws of the step.
    double law_residual() const {
        if (!has_impact_) return LagrangianStepperBase::law_residual();
        return LagrangianStepperBase::law_residual(v_, P_ - P_impact_);
    }
    // What the projection of the last step had to correct.
    double violation() const { return projection_ ? projection_->violation() : 0.0; }

protected:
    // When a contact takes part in a step (y and u are at its beginning), and the level of its law.
    enum class Closing {
        predicted,  // y + h u / 2 <= 0; velocities
        closed,     // y <= 0; velocities
        positions,  // y+ < 0 without it; y+ / h, linearised, for joints too
    };
    MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h, Closing closing);

private:
    // Finds the interactions that take part.
    void activate();
    bool was_closed(const StepBlock& block) const {
        return placement_[static_cast<std::size_t>(block.start)] == Place::basic;
    }
    bool is_closed(StepBlock& block) const;
    double reach(const StepBlock& block) const;
    // For Closing::positions: contacts that the step would close take part too; true if there are any.
    bool activate_violated();
    void begin_motions();
    // Impacts at the beginning of the step: changes v_. False if one is not solved.
    bool apply_impacts();
    // Swaps v_ with the velocities before the impacts, and back.
    void exchange_impacts();
    StepOutcome end_step();
    // The velocities at the end of the step, v_next_, and the percussions; false if they cannot be found (the report
    // says why).
    bool find_velocities();
    bool find_free_velocities();
    void linearise_interactions();
    void linearise(StepBlock& block);
    void linearise_contact(StepBlock& block, const double* u);
    void linearise_joint(StepBlock& block);
    void evaluate_at_theta(StepBlock& block);
    void choose_spring_points();
    Eigen::MatrixXd gathered_X(const StepBlock& block) const;
    bool find_percussions();
    bool has_converged() const;
    // q_next_ from v_next_.
    void move();
    // Projects q_next_; contacts that it closes may enter the step.
    bool project_positions();

    MoreauJean scheme_;
    Closing closing_;
    bool is_linear_;
    std::vector<FreeMotion> motions_;
    StepOperator operator_;
    std::optional<PositionProjection> projection_;
    Eigen::VectorXd v_free_, v_next_, v_last_, q_next_, q_theta_, P_next_;
    std::unique_ptr<ImpactMap> impacts_;              // if the model needs it
    bool has_impact_ = false;                         // in this step
    Eigen::VectorXd v_impact_, u_impact_, P_impact_;  // before the impacts, and their percussions
};

}  // namespace saltus
