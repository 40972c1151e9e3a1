#pragma once

#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

// The half-explicit scheme D1- of the time-discontinuous Galerkin method (Schindler and Acary 2014), its contact forces
// found at the level of velocities (Schindler, Rezaei, Kursawe and Acary 2015), M, F and J at the points of Heun's
// rule:
//     v1 = v + h M_k^-1 F(t_k, q, v) + M_k^-1 J_k' P_1,                  law of u1 = J(t_k+1, q + h v) v1 and P_1,
//     q+ = q + h (v + v1) / 2,
//     v- = (v + v1) / 2 + h/2 M_k+1^-1 F(t_k+1, q+, v1) + M_k+1^-1 J_k+1' P_2,   law of u- = J_k+1 v- and P_2,
//     v+ = v- + M_k+1^-1 J_k+1' P_3,                                     law of u_N+ + e u_N- and P_3,
// the first two laws, without restitution, for joints and for contacts with y <= 0 at t_k, the last, of impacts, where
// a contact with y+ <= 0 still approaches, for joints and all contacts with y+ <= 0. P = P_1 / 2 + P_2 + P_3.
// The level of velocities, because that of accelerations needs second derivatives of y and lets joints drift with t^2;
// here their velocities are exact, and the drift of positions is of order h^2. It is the half-explicit Runge-Kutta
// method of order 2 for constraints of index 2. Friction acts against the sliding at the end of each stage: order 2
// where its direction stays, 1 where it turns; and a contact sticks with u_T = 0 exactly.
// Explicit: with a stiffness, h is limited by 2 over the largest frequency.
struct D1Minus {
    static constexpr std::string_view name = "d1-minus";
    static constexpr int order = 2;         // of the positions on smooth motion
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in that of L1

    // Throws InvalidInput if an option makes no sense.
    void check() const {}
};

class D1MinusStepper : public LagrangianStepperBase {
public:
    D1MinusStepper(const LagrangianModel& model, const D1Minus& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    // Of the last law of the step.
    double law_residual() const { return LagrangianStepperBase::law_residual(v_, has_impact_ ? P_impact_ : P_end_); }
    // Goes on from a state at the end of the step that was computed otherwise.
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
