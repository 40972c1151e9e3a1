#pragma once

#include "saltus/integrators/lagrangian/delassus.hpp"
#include "saltus/integrators/lagrangian/percussion_solver.hpp"

namespace saltus {

// The percussions of the active interactions, and how they change the velocities:               docs/theory.md (154)
//     w = J v + D P + offset,   v = v_free + W^-1 B P,   -dual(w) in N_K(P) for each block.
// Where J, B, D and W are the same in all steps, X = W^-1 B is computed once, and the operator once for each change of
// the active interactions.
class StepOperator {
public:
    StepOperator(const IndexList& system_starts, std::size_t blocks, bool is_constant)
        : is_constant_(is_constant), system_starts_(system_starts), delassus_(system_starts), has_X_(blocks, 0) {}

    // X and rho of the active blocks, and Delassus' operator, for the solver. `solve(s, x)` does x <- W^-1 x for
    // system s.
    template <class Solve>
    void update(std::vector<StepBlock>& blocks, const IndexList& active, PercussionSolver& solver, Solve solve) {
        if (is_constant_ && operator_of_ == active && delassus_.rows() > 0) return;
        for (const Index i : active) {
            if (has_X_[static_cast<std::size_t>(i)]) continue;
            find_X(blocks[static_cast<std::size_t>(i)], system_starts_, solve);
            has_X_[static_cast<std::size_t>(i)] = is_constant_ ? 1 : 0;
        }
        assemble(blocks, active, solver);
    }

    // v: v_free on entry, the velocities on return. P, of all rows of the model: the guess on entry, on return the
    // solution in the active rows. False if the solver does not find it.
    bool solve(const std::vector<StepBlock>& blocks, const IndexList& active, PercussionSolver& solver,
               Eigen::VectorXd& v, Eigen::VectorXd& P);

private:
    void assemble(std::vector<StepBlock>& blocks, const IndexList& active, PercussionSolver& solver);
    void shift_tension(const std::vector<StepBlock>& blocks, const IndexList& active, const Matrix& W);

    bool is_constant_;
    IndexList system_starts_;
    Delassus delassus_;
    std::vector<char> has_X_;                     // X need not be recomputed
    IndexList operator_of_;                       // the active interactions for which the operator was made
    Eigen::VectorXd load_, percussions_, shift_;  // of the active rows
};

}  // namespace saltus
