#pragma once

#include "saltus/integrators/lagrangian/delassus.hpp"
#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/percussion_solver.hpp"

namespace saltus {

// Moves positions to a point where contacts do not penetrate and joints hold, by steps to the nearest such point of the
// linearised constraints in the metric of W, the matrix of the step:                              docs/theory.md (156)
//     q <- q + W^-1 G' tau,   0 <= g + G W^-1 G' tau  _|_  tau >= 0  (contacts),   g + G W^-1 G' tau = 0  (joints).
class PositionProjection {
public:
    static constexpr double tolerance = 1e-8;  // on gaps and constraints
    static constexpr int most_steps = 30;

    PositionProjection(const std::vector<StepBlock>& blocks, IndexList system_starts);

    // The blocks whose contacts were pushed apart are listed in pushed(). If it does not converge, the report says so.
    const SolveReport& project(double t, const std::vector<FreeMotion>& motions, Eigen::VectorXd& q);
    const IndexList& pushed() const { return pushed_; }
    // The largest violation of the constraints before the last projection.
    double violation() const { return violation_; }

private:
    double collect(double t, const Eigen::VectorXd& q);

    IndexList system_starts_;
    std::vector<StepBlock> blocks_;
    std::vector<char> is_taken_;
    IndexList taken_, pushed_;
    Delassus delassus_;
    PercussionSolver solver_;
    double violation_ = 0.0;
    Eigen::VectorXd gaps_, tau_;
    SolveReport report_;
};

}  // namespace saltus
