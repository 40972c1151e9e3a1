#pragma once

#include <memory>
#include <optional>

#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/impact_map.hpp"
#include "saltus/integrators/lagrangian/lagrangian_stepper_base.hpp"
#include "saltus/integrators/lagrangian/position_projection.hpp"
#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

// What is done against the drift of positions, of which the laws at the level of velocities know nothing.
enum class Projection {
    none,
    direct,   // after each step, the nearest positions which the constraints allow, in the metric of the step
    combined  // the same, and contacts which the projection closes take part in the step, until they stay the same
};

// Steps as long as their error allows: see AdaptiveStepper.
struct StepControl {
    double tolerance = 1e-6;  // on the error of a step: of each coordinate, in its unit, or relative where |q| > 1
    double min_step = 0.0;    // shorter ones are not tried; 0: a billionth of the longest

    // Throws InvalidInput if an option makes no sense for steps up to `longest`.
    void check(double longest) const;
};

// Moreau and Jean's theta scheme (Jean 1999; Moreau 1988), with percussions P over the step:      docs/theory.md (153)
//     M (v+ - v) = h theta F+ + h (1 - theta) F + B P,   q+ = q + h (theta v+ + (1 - theta) v),
//     the law of each interaction at the end of the step; a contact takes part where y + h u / 2 <= 0,
//     one that was closed up to a distance of order h^2.
// B is J' at the end of the step; of joints, and of contacts without friction that were closed, at its theta point,
// which makes them of order 2 too.
// Where the impact of such a contact is not Newton's and u < 0, v is first made what the impact makes of it
// (ImpactMap), and P is the percussion of both; the step sees e = 0.
// theta = 1/2: order 2 between events, order 1 through them, conserves energy; theta = 1: order 1, dissipates.
struct MoreauJean {
    static constexpr std::string_view name = "moreau-jean";
    static constexpr int order = 2;         // of the positions on smooth motion, for theta = 1/2; else 1
    static constexpr int joint_order = 2;   // of the positions with joints that are not linear, for theta = 1/2; else 1
    static constexpr int impact_order = 1;  // through impacts: positions in the sup norm, velocities in that of L1

    double theta = 0.5;  // in [1/2, 1]
    Projection projection = Projection::none;
    double tolerance = 1e-9;  // of Newton's method, relative to the velocities of a system
    int max_iterations = 50;
    std::optional<StepControl> control{};  // the step of a run is then the longest

    // Throws InvalidInput if an option makes no sense.
    void check() const;
};

// The theta step also serves the schemes that differ only in the rows of contacts and joints.
class MoreauJeanStepper : public LagrangianStepperBase {
public:
    MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h)
        : MoreauJeanStepper(model, scheme, h, Closing::predicted) {}

    StepOutcome step();
    bool accept_unsolved();
    // Without the percussions of impacts, of which the laws of the step do not speak.
    double law_residual() const {
        if (!has_impact_) return LagrangianStepperBase::law_residual();
        return LagrangianStepperBase::law_residual(v_, P_ - P_impact_);
    }
    // What the projection of the last step had to correct.
    double violation() const { return projection_ ? projection_->violation() : 0.0; }

protected:
    // When a contact takes part in a step, y and u at its beginning, and what its law speaks of.
    enum class Closing {
        predicted,  // y + h u / 2 <= 0; velocities
        closed,     // y <= 0; velocities
        positions,  // the others leave y+ >= 0 or not; y+ / h, linearised, for joints too
    };
    MoreauJeanStepper(const LagrangianModel& model, const MoreauJean& scheme, double h, Closing closing);

private:
    // Which interactions take part.
    void activate();
    bool was_closed(const StepBlock& block) const {
        return placement_[static_cast<std::size_t>(block.start)] == Place::basic;
    }
    bool is_closed(StepBlock& block) const;
    double reach(const StepBlock& block) const;
    // Of Closing::positions: contacts which the step would close take part too; true if there are some.
    bool activate_violated();
    void begin_motions();
    // Impacts at the beginning of the step: changes v_. False if one is not solved.
    bool apply_impacts();
    // v_ is again that before the impacts; or the other way.
    void exchange_impacts();
    StepOutcome end_step();
    // The velocities at the end of the step, v_next_, and the percussions; false, and the report says why, if they
    // cannot be found.
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
    // q_next_ of v_next_.
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
