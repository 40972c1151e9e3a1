#pragma once

#include <Eigen/LU>
#include <string_view>

#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/stepper_base.hpp"
#include "saltus/model/linearisation.hpp"

namespace saltus {

// Explicit Euler, or the classical Runge-Kutta scheme of order 4, on the right-hand side that the laws switch:
//     M x' = F(x, t) + r(x, lambda(x, t), t).                                                     docs/theory.md (119)
// Here to show what goes wrong (000, figs 1.4 and 1.12 to 1.16): without a band they chatter about a sliding mode, with
// one they stay beside it, and a switch inside a step costs the order. lambda(x, t) exists where y depends on lambda
// (the law is solved for it) and where the law is bounded: lambda is then at the bound which the sign of y names, or,
// where |y| <= band, that of Filippov's sliding mode, which makes y' = 0.
struct ExplicitSwitched {
    static constexpr std::string_view name = "explicit";

    int stages = 1;  // 1 Euler, 4 Runge-Kutta
    double band = 0.0;

    // Throws InvalidInput for another number of stages, or a band that is negative.
    void check() const;
};

// Its steps.
class ExplicitStepper : public StepperBase {
public:
    // Throws InvalidInput where a row has no lambda(x, t): an unbounded law whose y does not depend on lambda.
    ExplicitStepper(const Model& model, const ExplicitSwitched& scheme, double h);

    StepOutcome step();
    // There is nothing to go on with: the right-hand side is not known.
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
    Eigen::PartialPivLU<Eigen::MatrixXd> mass_;
    Linearisation last_, stage_;  // at the beginning of the step, inside it
    Eigen::VectorXd rate_, sum_;  // x' of a stage, the weighted sum of the stages
};

}  // namespace saltus
