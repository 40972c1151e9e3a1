#pragma once

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/report.hpp"
#include "saltus/integrators/step_outcome.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// What every stepper has. Each adds
//     StepOutcome step();
//     void read(State& state) const;      copies the state
// and, for what follows a step that failed,
//     bool accept_unsolved();             takes what the solver left, which does not satisfy the laws; false if that is
//                                         not finite
//     void resume(const State& state);    continues from a state at the end of the step that was computed otherwise
//     Index worst_row() const;            the row whose law is most violated; -1 if that is not known
class StepperBase {
public:
    using AnyState = State;

    double t() const { return time_of(steps_); }
    double h() const { return h_; }
    long steps() const { return steps_; }
    const Placement& placement() const { return placement_; }
    // The problem that was solved last, and what the solver said. After a failed step the report names the solver only
    // if this very problem was not solved: a step that ended otherwise leaves no problem that could be solved again.
    const BoxVi& problem() const { return problem_; }
    const SolveReport& report() const { return report_; }
    // Called before a step: a step without a solver call then has none.
    void clear_iterations() { report_.iterations = 0; }

protected:
    StepperBase(double t0, double h) : t0_(t0), h_(h) {}
    double time_of(long step) const { return t0_ + static_cast<double>(step) * h_; }

    double t0_, h_;
    long steps_ = 0;
    Placement placement_;
    BoxVi problem_;
    SolveReport report_;
    Auto::Workspace workspace_;
};

}  // namespace saltus
