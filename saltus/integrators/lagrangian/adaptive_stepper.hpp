#pragma once

#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"

namespace saltus {

// Moreau and Jean's scheme with steps of the lengths h, h/2, h/4, ..., as long as their error allows. A step is taken
// once whole and once as two halves, and the halves are kept if                                   docs/theory.md (159)
//     |dq_i| <= tolerance max(1, |q_i|),   |dv_i|, |W^-1 B dP|_i <= tolerance max(1, |v_i|),
// dq, dv and dP the differences of the two ends and of the percussions. In steps with impacts, velocities count in the
// norm of L1, times the length of the step: where they jump, they may differ by the whole jump in the sup norm, however
// short the step. Where both ends make the same error, the gaps of contacts show it: a gap that was jumped over ends
// negative, and one that was not yet closed is the error of position of an impact; both must be within the tolerance.
// So a step over an impact is halved until its error of position is no more than that, which finds the impact's time
// too. After ten thousand consecutive steps of the shortest length that do not meet the tolerance, a step fails.
// The lengths are powers of two times h: each is factored once, and the steps meet the times t0 + k h.
class AdaptiveStepper {
public:
    using AnyState = LagrangianState;

    // `scheme.control` is given; h is the longest step.
    AdaptiveStepper(const LagrangianModel& model, const MoreauJean& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();

    double t() const { return start_.t; }
    // The length of the last step, which was made as two halves.
    double h() const { return last_length_; }
    // Multiples of the longest step that are past; steps that were made; steps that the tolerance refused; steps of the
    // shortest length that were taken nevertheless.
    long steps() const { return steps_; }
    long made() const { return made_; }
    long refused() const { return refused_; }
    long forced() const { return forced_; }
    double shortest() const { return shortest_; }
    // Whether t is not one of t0 + k h.
    bool is_between() const { return ticks_ != 0; }

    const Placement& placement() const { return start_.placement; }
    // After the first half of the last step.
    double middle() const { return middle_t_; }
    const Placement& middle_placement() const { return middle_placement_; }
    StepProblem problem() const { return last().problem(); }
    const SolveReport& report() const { return gives_up() ? report_ : last().report(); }
    // Called before a step: a step without a solver call then has none.
    void clear_iterations() {
        for (const auto& stepper : ladder_)
            if (stepper) stepper->clear_iterations();
    }
    Index worst_row() const { return last().worst_row(); }
    // The residual of the laws in the second half of the last step.
    double law_residual() const { return last().law_residual(); }
    double work() const { return start_.work; }
    template <class Visit>
    void for_each_impact(Visit visit) const {
        for (const Impact& impact : impacts_) visit(impact);
    }
    // P is that of both halves of the last step.
    void read(LagrangianState& state) const { state = halves_; }

private:
    // Whether the tolerance is below what the solvers can do, or the motion has no steps that meet it.
    bool gives_up() const { return forced_in_turn_ >= most_forced; }
    long ticks_of(int level) const { return 1L << (finest_ - level); }
    MoreauJeanStepper& stepper(int level);
    const MoreauJeanStepper& last() const { return *ladder_[static_cast<std::size_t>(last_level_)]; }
    bool make_whole();
    // The halves of a step of this level, from start_; false if one cannot be solved. `takes_unsolved`: false if what
    // the solver leaves is not finite.
    bool make_halves(bool takes_unsolved = false);
    // The errors of the halves, over the tolerance: those of the ends, and of the contacts.
    double error() { return std::max(end_error(), contact_error()) / scheme_.control->tolerance; }
    double end_error();
    double contact_error() const;
    StepOutcome accept();
    StepOutcome give_up();

    LagrangianModel model_;
    MoreauJean scheme_;
    double h_;
    int finest_;                                              // level of the shortest step; its halves are of the next
    std::vector<std::unique_ptr<MoreauJeanStepper>> ladder_;  // steps of length h / 2^level; made when needed
    int level_ = 0;                                           // of the next step
    int last_level_ = 0;                                      // of the stepper that was used last
    long steps_ = 0, ticks_ = 0;                              // of h; after the last of them, of the shortest length
    long made_ = 0, refused_ = 0, forced_ = 0;
    static constexpr int most_forced = 10000;
    int forced_in_turn_ = 0;
    SolveReport report_;
    double shortest_, last_length_;
    StepperMemory start_;  // between two steps
    LagrangianState whole_, halves_;
    Eigen::VectorXd P_;  // of the first half; then what the whole step and the halves differ by
    std::vector<Impact> impacts_;
    bool jumps_ = false;  // there are impacts in the whole step or in its halves
    double middle_t_ = 0.0, violation_ = 0.0;
    Placement middle_placement_;
    Eigen::VectorXd dv_;
    IndexList contacts_;  // the rows of their gaps
};

}  // namespace saltus
