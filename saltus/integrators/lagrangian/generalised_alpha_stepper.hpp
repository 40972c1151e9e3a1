#pragma once

#include "saltus/integrators/lagrangian/generalised_alpha.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/model/system_functions.hpp"

namespace saltus {

class GeneralisedAlphaStepper : public LagrangianStepperBase {
public:
    GeneralisedAlphaStepper(const LagrangianModel& model, const GeneralisedAlpha& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    // The last change of the velocities in Newton's method, relative to them.
    double law_residual() const { return report_.residual; }
    // Continues from a state at the end of the step that was computed otherwise, with new averages.
    void resume(const LagrangianState& state);

private:
    // The conditions of a row of an interaction. Vectors of all rows at all levels are multipliers (k^, P, l), or the
    // conditions (y, u + e u_0, u').
    enum Level : Index { position, velocity, acceleration, levels };
    Index at(Level level, Index row) const { return level * P_.size() + row; }

    // L and k of the multipliers z.
    Eigen::VectorXd impulses(const Eigen::VectorXd& z) const;
    Eigen::VectorXd shifts(const Eigen::VectorXd& z) const;

    bool start();
    bool start_averages();
    void begin_step();
    bool find_end();
    bool iterate();
    // v_1 and q_1 from a_1, U and Q.
    void move();
    // The conditions at the iterate, and what a_1 and the conditions become when the multipliers are z:
    // a_offset_ + a_slopes_ z and offset_ + slopes_ z. False where the model is not finite.
    bool linearise();
    bool linearise_systems();
    void evaluate_conditions();
    // A_ z = b_: the conditions of the sets in which the iterate is.
    void choose_conditions();
    void choose_contact(const StepBlock& block);
    void choose_friction(const StepBlock& block, bool is_loaded, bool is_pressed);
    void close(Index condition);
    void release(Index condition);
    void slide(Index normal, Index count, double mu, const Eigen::VectorXd& trial, double weight);
    void slide_along_velocity(const StepBlock& block, const Eigen::VectorXd& sliding);
    bool solve_conditions(Eigen::VectorXd& z);
    // Takes the multipliers z; returns how much the velocities change, in units of their size.
    double accept(const Eigen::VectorXd& z);
    StepOutcome end_step();

    GeneralisedAlpha scheme_;
    double alpha_m_, alpha_f_, gamma_, beta_;
    double share_;                   // (1 - alpha_f) / (1 - alpha_m)
    double beta_step_, gamma_step_;  // what a_1 adds to q_1 and v_1: h^2 beta share, h gamma share
    bool is_started_ = false;
    std::vector<SystemFunctions> systems_;
    Eigen::VectorXd has_position_;  // of each row: 1 where k^ is its multiplier, 0 where k = h L / 2

    Eigen::VectorXd a_, a_mean_, l_, l_mean_;            // at the beginning of the step
    Eigen::VectorXd v_base_, q_base_, k_base_, P_base_;  // v_1, q_1, k^ and P of the averages of the beginning
    Eigen::VectorXd a_next_, U_, Q_, v_next_, q_next_;   // the iterate
    Eigen::VectorXd z_, conditions_;

    double free_change_ = 0.0;                   // h |M^-1 F|
    Eigen::MatrixXd J_, X_, W_J_, W_Fv_, W_Fq_;  // J, M^-1 J', W^-1 J', W^-1 dF/dv M^-1 J', W^-1 dF/dq M^-1 J'
    Eigen::VectorXd drift_;                      // u' = J a + drift
    Eigen::VectorXd a_offset_, offset_, weights_;
    Eigen::MatrixXd a_slopes_, slopes_, A_;
    Eigen::VectorXd b_;
    double weight_scale_ = 1.0;  // of the weights of velocities in the choice of the sets
    bool keeps_closed_ = false;  // contacts that were closed in one iteration, of any block, are so in the next
    std::vector<char> was_closed_;
};

}  // namespace saltus
