#pragma once

#include "saltus/integrators/lagrangian/central_motion.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

// Schatzman and Paoli's scheme (Paoli and Schatzman 2002), which knows positions alone, with percussions P over a node:
//     M(q_k) (q_k+1 - 2 q_k + q_k-1) / h = h F(t_k, (q_k+1 + 2 q_k + q_k-1) / 4, (q_k+1 - q_k-1) / (2 h)) + J' P,
//     0 <= y(q^)  _|_  P >= 0,   q^ = (q_k+1 + e q_k-1) / (1 + e),   J = dy/dq at q^;
// joints y(q_k+1) = 0, J at q_k (SHAKE). A moving surface is met at the time t^, the same mean of times. The first step
// has q_-1 = q_1 - 2 h v_0 in the place of the position before it, and a contact that is closed sees q_0 - h v_0.
// The velocity recorded at t_k+1 is the backward difference (q_k+1 - q_k) / h, of order 1.
// Frictionless contacts with Newton's restitution, and joints. The gap is open for q^, not for q_k+1: for e > 0 a ball
// goes as far as e h |u| below the ground and comes back. Not only closed contacts cost work: all gaps are evaluated.
struct SchatzmanPaoli {
    static constexpr std::string_view name = "schatzman-paoli";
    static constexpr int order = 2;         // of the positions on smooth motion; 1 for the velocities
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in that of L1

    double tolerance = 1e-9;  // of Newton's method, relative to the velocities of a system
    int max_iterations = 50;

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

class SchatzmanPaoliStepper : public LagrangianStepperBase {
public:
    SchatzmanPaoliStepper(const LagrangianModel& model, const SchatzmanPaoli& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    double law_residual() const { return LagrangianStepperBase::law_residual(x_, P_); }
    // Goes on from a state at the end of the step that was computed otherwise, as in a first step.
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
    // q_next_ of x_.
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
