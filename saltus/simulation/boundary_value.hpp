#pragma once

#include "saltus/core/report.hpp"
#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/model/model.hpp"
#include "saltus/simulation/trajectory.hpp"

namespace saltus {

// A linear differential variational inequality with boundary values in place of an initial state (003, (77)-(79)):
//     the equations and laws of a linear model,   E0 x(t0) + E1 x(t_end) = c.                      docs/theory.md (144)
// All steps of the scheme together are one sparse problem of the states, free, and the multipliers in their boxes. It
// is solved by the interior point method, whose work is proportional to the number of steps, and where that fails (the
// problem need not be monotone) by active sets.
struct BoundaryValue {
    Matrix E0{}, E1{};  // as many rows as states; an empty one is zero
    Eigen::VectorXd c{};
    double t_end = 0.0;
    Index steps = 0;
    EulerMoreau scheme{};      // without measures
    double tolerance = 1e-10;  // on the residual of the problem

    // The samples at all t_k, and what the solver said: where it did not converge, the samples are its last iterate.
    struct Solution {
        Trajectory trajectory;
        SolveReport report;
    };
    // The x0 of the model gives only the number of states. Throws InvalidInput if the options or the model make no
    // sense.
    Solution solve(const Model& model) const;
};

}  // namespace saltus
