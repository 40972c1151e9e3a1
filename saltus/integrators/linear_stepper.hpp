#pragma once

#include "saltus/complementarity/auto.hpp"
#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/step_factors.hpp"
#include "saltus/integrators/step_maps.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// Steps of constant length of a linear model (functions of time included). The placement of the last step is tried
// first, then those which the violated rows lead to, then the solvers. Equations is StepMaps for small models and
// StepFactors for large ones: what they know of the solved equations (114).
template <class Equations>
class PlacementStepper {
public:
    // Starts at the initial state of the model; lambda(t0) solves the law there, if the scheme needs it. Throws
    // InvalidInput where that problem has no solution, or M - h theta A is singular.
    PlacementStepper(const Model& model, const EulerMoreau& scheme, double h);

    StepOutcome step();
    // After a step that failed: takes what the solver left, which does not satisfy the laws; false if that is not
    // finite.
    bool accept_unsolved();
    // After a step that failed: goes on from a state at its end which was computed otherwise.
    void resume(const State& state);
    double t() const { return t0_ + static_cast<double>(steps_) * h(); }
    double h() const { return solved_.equations().h; }
    long steps() const { return steps_; }
    const Placement& placement() const { return placement_; }
    // Copies the state.
    void read(State& state) const;
    // What was solved where the placements led nowhere: the last time, and what it said.
    const BoxVi& problem() const { return problem_; }
    const SolveReport& report() const { return report_; }
    // After a step that failed: the row whose law is worst off; -1 if that is not known.
    Index worst_row() const;

private:
    const StepEquations& equations() const { return solved_.equations(); }
    void start(const Model& model);
    void start_multipliers(const Model& model);
    void read_signals(double t);
    bool holds() const;
    // Moves the rows which do not hold; true if rounding may be all that is wrong with them.
    bool move_violated();
    // Looks for a placement that holds; false if there is none on the way.
    bool search();
    bool solve();
    void place();
    // False, and the report says why, where the step being tried has overflowed.
    bool trial_is_finite();
    void accept();

    double theta_;
    Equations solved_;
    Signals signals_;
    double t0_;
    long steps_ = 0;
    Placement placement_;
    bool is_regular_ = true;       // the equations of placement_
    Eigen::VectorXd past_;         // of StepEquations
    Eigen::VectorXd end_, trial_;  // (x, mu, y): the last accepted, that of the step being tried
    Eigen::VectorXd b_, b_next_;   // the inputs at both ends of the step
    BoxVi problem_;
    Eigen::VectorXd z_;  // its unknowns
    SolveReport report_;
    Auto::Workspace workspace_;
};

extern template class PlacementStepper<StepMaps>;
extern template class PlacementStepper<StepFactors>;

using LinearStepper = PlacementStepper<StepMaps>;           // up to Stacked::dense_limit states and rows
using SparseLinearStepper = PlacementStepper<StepFactors>;  // beyond

}  // namespace saltus
