#pragma once

#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/step_equations.hpp"
#include "saltus/integrators/stepper_base.hpp"
#include "saltus/model/linearisation.hpp"

namespace saltus {

// Steps of constant length of a model with functions of x and lambda. Each iteration of Newton's method linearises
// (113) and the relations around (x^a, lambda^a), and solves for both at once (002, ch. 8):
//     J = M - h theta (A + f_x) - h gamma g_x,   W = D + h_lambda + h gamma (C + h_x) J^-1 (B + g_lambda),
//     y = y^a - (C + h_x) J^-1 R^a + W (lambda - lambda^a),   -y in N(lambda),                     docs/theory.md (117)
//     x = x^a + J^-1 (h gamma (B + g_lambda) (lambda - lambda^a) - R^a),
// where R^a is the residual of (113). The sign before R is minus: 002 prints a plus in (8.19), and a minus in (8.41).
class NewtonStepper : public StepperBase {
public:
    struct Options {
        double tolerance = 1e-10;  // of the residual of the step, see residual()
        int max_iterations = 50;
    };

    // Starts at the initial state of the model, as LinearStepper does.
    NewtonStepper(const Model& model, const EulerMoreau& scheme, double h) : NewtonStepper(model, scheme, h, {}) {}
    NewtonStepper(const Model& model, const EulerMoreau& scheme, double h, const Options& options);

    StepOutcome step();
    bool accept_unsolved();
    void resume(const State& state);
    void read(State& state) const;
    Index worst_row() const;
    // The residuals of the iterations of the last step: | R |, relative to its largest term, and the residual of the
    // law, whichever is larger.
    const std::vector<double>& residuals() const { return residuals_; }

private:
    // A tolerance below that of Newton's method: otherwise the solver might accept a guess that is not good enough.
    Auto inner_solver() const { return {.tolerance = 1e-2 * options_.tolerance}; }
    void start(const Model& model);
    void update_placement();
    double residual() const;
    bool iterate();
    StepOutcome fail(SolveStatus status, std::string message);
    bool improve(double t);
    StepOutcome accept();
    // The multiplier of the scheme over that of Newton's method: with measures it is sigma = h lambda.
    double measure_unit() const { return scheme_.measures ? h_ : 1.0; }

    EulerMoreau scheme_;
    Options options_;
    Lineariser functions_;
    Linearisation last_, next_;
    Eigen::VectorXd R_;
    double R_scale_ = 1.0;
    Eigen::VectorXd lambda_;  // the unknowns of problem_
    std::vector<double> residuals_;
};

}  // namespace saltus
