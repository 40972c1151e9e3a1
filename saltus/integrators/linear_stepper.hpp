#pragma once

#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/step_factors.hpp"
#include "saltus/integrators/step_maps.hpp"
#include "saltus/integrators/stepper_base.hpp"

namespace saltus {

// Steps of constant length of a linear model (functions of time included). The placement of the last step is tried
// first, then those to which the violated rows lead, then the solvers. Equations, which solves (114), is StepMaps for
// small models and StepFactors for large ones.
template <class Equations>
class PlacementStepper : public StepperBase {
public:
    // Starts at the initial state of the model, with the lambda(t0) that solves the law there. Throws InvalidInput if
    // there is none and the scheme needs it, or if M - h theta A is singular.
    PlacementStepper(const Model& model, const EulerMoreau& scheme, double h);

    StepOutcome step();
    bool accept_unsolved();
    void resume(const State& state);
    void read(State& state) const;
    Index worst_row() const;

private:
    const StepEquations& equations() const { return solved_.equations(); }
    void start(const Model& model);
    void start_multipliers(const Model& model);
    void read_signals(double t);
    bool holds() const;
    // Moves the rows that do not hold; true if rounding may be all that is wrong with them.
    bool move_violated();
    // Looks for a placement that holds; false if there is none on the way.
    bool search();
    bool solve();
    void place();
    // False if the step being tried has overflowed; the report then says so.
    bool trial_is_finite();
    void accept();

    double theta_;
    Equations solved_;
    Signals signals_;
    bool is_regular_ = true;       // the equations of placement_
    Eigen::VectorXd past_;         // of StepEquations
    Eigen::VectorXd end_, trial_;  // (x, mu, y): the last accepted, that of the step being tried
    Eigen::VectorXd b_, b_next_;   // the inputs at both ends of the step
    Eigen::VectorXd z_;            // the unknowns of problem_
};

extern template class PlacementStepper<StepMaps>;
extern template class PlacementStepper<StepFactors>;

using LinearStepper = PlacementStepper<StepMaps>;           // up to Stacked::dense_limit states and rows
using SparseLinearStepper = PlacementStepper<StepFactors>;  // beyond

}  // namespace saltus
