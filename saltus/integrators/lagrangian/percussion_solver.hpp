#pragma once

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/one_step/faceted_form.hpp"
#include "saltus/complementarity/one_step/one_step_auto.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/factorization.hpp"
#include "saltus/integrators/step_problem.hpp"

namespace saltus {

// Solves the one-step problems of a run, w = W P + q, one law per block. The solution of the last one is tried first:
// if the rows at a bound are known, W P + q = 0 in the others is a linear system, factored when W or those rows
// change; most steps cost one solve with its factors. Where that is wrong, or the friction cone is curved, the general
// solvers follow, from the last solution.                                                         docs/theory.md (155)
class PercussionSolver {
public:
    double tolerance = 1e-10;  // on the residual of the problem
    int facets = 0;            // of the polygon that stands for the friction disk; 0: the disk

    // A new W; one law per block, in order.
    void set(const Matrix& W, std::vector<Law> laws);
    // P is the guess on entry and the solution on return. Allocates nothing if the guess holds and W is small.
    const SolveReport& solve(const Eigen::VectorXd& q, Eigen::VectorXd& P);

    const SolveReport& report() const { return report_; }
    StepProblem problem() const;
    const Matrix& W() const { return box_.M; }

private:
    bool solve_placed(const Eigen::VectorXd& q, Eigen::VectorXd& P);
    void place(const Eigen::VectorXd& q, const Eigen::VectorXd& P);
    bool holds(const Eigen::VectorXd& P) const;
    const SolveReport& solve_faceted(Eigen::VectorXd& P);

    bool is_box_ = true;  // all laws are intervals
    BoxVi box_;           // its M is W, whatever the laws
    OneStepProblem curved_;
    Placement placement_;
    IndexList basic_;
    bool is_placed_ = false;  // factors_ are those of basic_
    Factorization factors_;
    Eigen::VectorXd basic_values_, w_;
    Auto::Workspace workspace_;
    one_step::FacetedForm faceted_;
    SolveReport report_;
};

}  // namespace saltus
