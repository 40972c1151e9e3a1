#pragma once

#include "saltus/integrators/lagrangian/impact.hpp"
#include "saltus/integrators/lagrangian/percussion_solver.hpp"
#include "saltus/integrators/lagrangian/step_block.hpp"
#include "saltus/integrators/step_outcome.hpp"

namespace saltus {

// What a stepper knows between two steps, so that steps of another length can continue from there.
struct StepperMemory {
    double t = 0.0, h = 0.0;
    Eigen::VectorXd q{}, v{}, y{}, P{};
    Placement placement{};
    std::vector<char> is_intact{};  // of the interactions: their cohesion
    std::vector<double> reaches{};  // and what they reach while closed
    double work = 0.0;
};

// What every stepper of a Lagrangian model has: the state, the interactions, the solver. Each adds
//     StepOutcome step();
// and, for what follows a step that failed,
//     bool accept_unsolved();     takes what the solver left, which does not satisfy the laws; false if that is not
//                                 finite
class LagrangianStepperBase {
public:
    using AnyState = LagrangianState;

    double t() const { return time_of(steps_); }
    double h() const { return h_; }
    long steps() const { return steps_; }
    // The places of the rows of all interactions. Contact: the first row at_lower (open) or basic (closed); the others
    // at_lower (open), basic (sticks) or at_upper (slides). Joint: basic. Others: where the force is in its interval.
    const Placement& placement() const { return placement_; }
    // The problem that was solved last, and what the solver said.
    StepProblem problem() const { return solver_.problem(); }
    const SolveReport& report() const { return report_; }
    // Called before a step: a step without a solver call then has none.
    void clear_iterations() { report_.iterations = 0; }
    // The row whose law is most violated after a failed step; -1 if that is not known because several take part.
    Index worst_row() const;

    // How far the laws of the step are from holding, without units: zero where they hold.
    double law_residual() const { return law_residual(v_, P_); }
    // The work of all interactions up to now, sum P'(u_k + u_k+1) / 2, without relays, whose u is not known.
    double work() const { return work_; }

    // visit(Impact) for the contacts that approached and were closed by the last step.
    template <class Visit>
    void for_each_impact(Visit visit) const;

    void read(LagrangianState& state) const;
    // Continues from a state at the end of the step that was computed otherwise.
    void resume(const LagrangianState& state);

    // Between two steps of steppers of the same model; t - t0 is a whole number of steps of the one that recalls.
    void remember(StepperMemory& memory) const;
    void recall(const StepperMemory& memory);
    // v += the velocities that percussions cause, along the directions of the last step.
    void add_velocities(const Eigen::VectorXd& percussions, Eigen::VectorXd& v) const;

protected:
    LagrangianStepperBase(const LagrangianModel& model, double h, double theta);
    double time_of(long step) const { return t0_ + static_cast<double>(step) * h_; }

    // What rounding may leave of the gap between two touching bodies: it counts as closed.
    static constexpr double rounding = 1e-12;

    // y_ and u_ at (t, q_, v_).
    void evaluate_rows(double t);
    // The same for these velocities and percussions of the active blocks.
    double law_residual(const Eigen::VectorXd& v, const Eigen::VectorXd& percussions) const;
    // Ends a step: rows, placement, cohesion. Returns kept or switched.
    StepOutcome finish_step();
    // Returns false; the report says why.
    bool fail(std::string message);

    double t0_, h_, theta_;
    long steps_ = 0;
    IndexList system_starts_;
    std::vector<StepBlock> blocks_;
    Eigen::VectorXd q_, v_, y_, u_, P_;
    Eigen::VectorXd last_y_, last_u_;  // before the last step
    double work_ = 0.0;                // of the percussions
    Placement placement_, last_placement_;
    PercussionSolver solver_;
    SolveReport report_;
    IndexList active_;  // blocks, in the order of the rows of the problem

private:
    void evaluate(StepBlock& block, double t);
    void place(const StepBlock& block);
    void place_at_start(const StepBlock& block);

    Eigen::VectorXd forces_;
};

template <class Visit>
void LagrangianStepperBase::for_each_impact(Visit visit) const {
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        const Index row = blocks_[k].start;
        const auto at = static_cast<std::size_t>(row);
        if (blocks_[k].contact() && last_placement_[at] == Place::at_lower && placement_[at] == Place::basic &&
            last_u_[row] < 0.0)
            visit(Impact{t(), static_cast<Index>(k), last_u_[row], u_[row], P_[row], last_y_[row]});
    }
}

}  // namespace saltus
