#pragma once

#include <optional>

#include "saltus/core/report.hpp"
#include "saltus/integrators/step_problem.hpp"
#include "saltus/model/lagrangian_model.hpp"

namespace saltus {

// Steps of Moreau and Jean's scheme in place of too many events, or of a mode that does not exist.
//                                                                                           docs/theory.md (171), (172)
struct TimeSteppedPassage {
    LagrangianState end{};
    Eigen::VectorXd percussions{};  // of all steps
    double work = 0.0;
    SolveReport report{};
    std::optional<StepProblem> problem{};  // that could not be solved

    // From (q, v) at t to `last`.
    TimeSteppedPassage(const LagrangianModel& model, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                       double last, int steps);
};

}  // namespace saltus
