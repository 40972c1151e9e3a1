#pragma once

#include "saltus/integrators/lagrangian/d1_minus.hpp"
#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

class D1MinusStepper : public LagrangianStepperBase {
public:
    D1MinusStepper(const LagrangianModel& model, const D1Minus& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    // The residual of the last law of the step.
    double law_residual() const { return LagrangianStepperBase::law_residual(v_, has_impact_ ? P_impact_ : P_end_); }
    // Continues from a state at the end of the step that was computed otherwise.
    void resume(const LagrangianState& state);

private:
    // v_free_ <- v + h M^-1 F, at (t, q, v), where M is factored.
    bool accelerate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
    // The percussions P of the active interactions, which change v.
    bool constrain(Eigen::VectorXd& v, Eigen::VectorXd& P);
    bool find_first_stage();
    bool find_second_stage();
    // Newton's law at (t, q) where a contact approaches.
    bool collide(double t, const Eigen::VectorXd& q);
    void activate_closed();
    bool is_stopped(const StepBlock& block) const;
    bool start();
    bool find_step();
    StepOutcome end_step();

    std::vector<FreeMotion> motions_;  // theta = 0: their W is M
    StepOperator operator_;
    bool has_impact_ = false;  // at the end of the step
    bool is_first_ = true;     // contacts may approach at the beginning of the step
    Eigen::VectorXd v_free_, v_start_, v_stage_, v_next_, q_next_, before_;
    Eigen::VectorXd P_start_, P_stage_, P_end_, P_impact_;
};

}  // namespace saltus
