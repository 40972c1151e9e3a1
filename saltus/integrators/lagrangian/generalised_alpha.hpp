#pragma once

#include <Eigen/LU>

#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/model/system_functions.hpp"

namespace saltus {

// The nonsmooth generalised-alpha scheme (Bruls, Acary and Cardona 2014) with friction (Capobianco, Harsch, Eugster and
// Leine 2021). The index 1 is that of the end of the step, 0 of its beginning, x~ the averages of the scheme:
//     (1 - alpha_m) a~_1 + alpha_m a~_0 = (1 - alpha_f) a_1 + alpha_f a_0,   l~ of the forces l in the same way,
//     v_1 = v_0 + h ((1 - gamma) a~_0 + gamma a~_1) + U,
//     q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) a~_0 + beta a~_1) + Q,
//     M a_1 = F + J' l,   M U = J' L,   M Q = J' k   (k = h L / 2 for friction),   all at (t_1, q_1, v_1),
// whose multipliers are those of positions, velocities and accelerations,
//     k^ = k + h^2 ((1/2 - beta) l~_0 + beta l~_1),   P = L + h ((1 - gamma) l~_0 + gamma l~_1),   l:
//     joints      y = 0,  u = 0,  u' = 0,
//     contacts    0 <= y _|_ k^ >= 0;   0 <= u_N + e u_N0 _|_ P_N >= 0 where the first is closed;   0 <= u_N' _|_ l_N
//                 >= 0 where the second is;   Coulomb's law for u_T + e_T u_T0 and P; for l the direction of sliding is
//                 that of u_T where P slides, that of u_T' where it sticks.
// A semismooth Newton method solves for all of them together; each iteration knows the sets, one inside the other, in
// which the contacts are, and solves a linear system. Positions and velocities satisfy the constraints, with no drift.
// Friction opposes the sliding at the end of the step: order 2 where its direction stays, 1 where it turns.
// u' needs the derivatives of J along the motion: central differences over h / 1000.
// The averages start with the forces l of a trial of the first step.
// alpha_m = (2 rho - 1) / (rho + 1), alpha_f = rho / (rho + 1), gamma = 1/2 + alpha_f - alpha_m, beta = (1/2 + gamma)^2
// / 4: rho is the spectral radius for infinite frequencies, 1 conserves, 0 damps them in one step.
struct GeneralisedAlpha {
    static constexpr std::string_view name = "generalised-alpha";
    static constexpr int order = 2;         // of the positions on smooth motion
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in that of L1

    double spectral_radius = 0.8;  // rho, in [0, 1]
    double tolerance = 1e-9;       // of Newton's method, relative to the velocities
    int max_iterations = 50;

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

class GeneralisedAlphaStepper : public LagrangianStepperBase {
public:
    GeneralisedAlphaStepper(const LagrangianModel& model, const GeneralisedAlpha& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    // The last change of the velocities in Newton's method, relative to them.
    double law_residual() const { return report_.residual; }
    // Goes on from a state at the end of the step that was computed otherwise: the averages start anew.
    void resume(const LagrangianState& state);

private:
    // What a row of an interaction asks for. Vectors of all rows at all levels are multipliers (k^, P, l), or the
    // conditions (y, u + e u_0, u').
    enum Level : Index { position, velocity, acceleration, levels };
    Index at(Level level, Index row) const { return level * P_.size() + row; }

    // (k, L) = those of the multipliers z.
    Eigen::VectorXd impulses(const Eigen::VectorXd& z) const;
    Eigen::VectorXd shifts(const Eigen::VectorXd& z) const;

    bool start();
    bool start_averages();
    void begin_step();
    bool find_end();
    bool iterate();
    // v_1 and q_1 of a_1, U and Q.
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
    // Takes the multipliers z; how much the velocities change, in units of their size.
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
