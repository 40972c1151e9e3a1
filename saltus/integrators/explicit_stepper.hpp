#pragma once

#include "saltus/core/dense.hpp"
#include "saltus/integrators/explicit_switched.hpp"
#include "saltus/integrators/stepper_base.hpp"
#include "saltus/model/linearisation.hpp"

namespace saltus {

// The steps of ExplicitSwitched.
class ExplicitStepper : public StepperBase {
public:
    // Throws InvalidInput where a row has no lambda(x, t): an unbounded law whose y does not depend on lambda.
    ExplicitStepper(const Model& model, const ExplicitSwitched& scheme, double h);

    StepOutcome step();
    // Always false: the right-hand side is not known, so that the run cannot continue.
    bool accept_unsolved() { return false; }
    void resume(const State& state);
    void read(State& state) const;
    Index worst_row() const { return -1; }

private:
    void check_rows(const Model& model) const;
    bool evaluate(double t, Linearisation& point);
    bool solve_rows(double t, Linearisation& point, const IndexList& rows);
    StepOutcome accept();

    ExplicitSwitched scheme_;
    Lineariser functions_;
    DenseLu mass_;
    Linearisation last_, stage_;  // at the beginning of the step, inside it
    Eigen::VectorXd rate_, sum_;  // x' of a stage, the weighted sum of the stages
};

}  // namespace saltus
