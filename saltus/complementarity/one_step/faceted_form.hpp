#pragma once

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// One-step problems as linear complementarity problems (105), solved by Lemke's method. The disk of spatial friction
// becomes a polygon of `facets` corners on the circle; plane friction, intervals and equalities stay as they are. The
// form is copositive: Lemke's path ends in a solution if W is positive definite (Stewart and Trinkle 1996; Anitescu and
// Potra 1997). Rolling friction is unsuitable. The last solution is the first guess for the next.
class FacetedForm {
public:
    int facets = 8;            // 3 or more
    double tolerance = 1e-10;  // on the residual of the linear complementarity problem

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r);

    // The problem that was solved last, in units in which q is of size one.
    const BoxVi& problem() const { return box_; }

private:
    BoxVi box_;
    Eigen::VectorXd z_;
};

}  // namespace saltus::one_step
