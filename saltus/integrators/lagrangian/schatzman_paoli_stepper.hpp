#pragma once

#include "saltus/integrators/lagrangian/central_motion.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/schatzman_paoli.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

class SchatzmanPaoliStepper : public LagrangianStepperBase {
public:
    SchatzmanPaoliStepper(const LagrangianModel& model, const SchatzmanPaoli& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    double law_residual() const { return LagrangianStepperBase::law_residual(x_, P_); }
    // Continues from a state at the end of the step that was computed otherwise, as in a first step.
    void resume(const LagrangianState& state);

private:
    bool find_change();
    bool find_free_change();
    void linearise(StepBlock& block);
    // q^ and t^ of x_; returns t^.
    double reflect(const StepBlock& block);
    bool find_percussions();
    bool has_converged() const;
    bool activate_violated();
    // q_next_ from x_.
    void move();
    StepOutcome end_step();

    SchatzmanPaoli scheme_;
    bool is_linear_;
    bool is_started_ = false;  // there is a position before the last
    std::vector<CentralMotion> motions_;
    StepOperator operator_;
    std::vector<Eigen::MatrixXd> directions_;  // of joints: J' at q_k
    Eigen::VectorXd mean_;                     // s
    Eigen::VectorXd x_, x_free_, x_last_, q_next_, q_mirror_, P_next_;
};

}  // namespace saltus
