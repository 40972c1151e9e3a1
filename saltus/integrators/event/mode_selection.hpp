#pragma once

#include "saltus/integrators/event/lagrangian_mode.hpp"
#include "saltus/integrators/lagrangian/percussion_solver.hpp"

namespace saltus {

// The mode that follows an event, from the laws at the level of accelerations:                    docs/theory.md (162)
//     w = J v' + c = W lambda + load,   -dual(w) in N_K(lambda)
// for contacts that are closed and do not move apart, joints, and relays with y = 0. A contact that slides has one row,
// with its friction; one that does not has those of its cone.
class ModeSelection {
public:
    explicit ModeSelection(LagrangianMode& mode) : mode_(mode) {}

    // The state of a contact whose friction is at its bound though it does not accelerate: where loads are redundant
    // all such contacts slide together, or none.
    enum class AtBound { sticks, slides };

    // The contacts of `resting` are closed, and u_N = 0; `turned` slides or opens whatever its cone says. Sets the
    // mode; false, and the report says why, if there is none.
    bool select(double t, const Eigen::VectorXd& x, const std::vector<char>& resting, const ModeEnd* turned,
                AtBound at_bound = AtBound::sticks);
    const SolveReport& report() const { return solver_.report(); }
    StepProblem problem() const { return solver_.problem(); }

private:
    void gather(Index k, bool is_resting, const ModeEnd* turned);
    void gather_contact(Index k, const ModeEnd* turned);
    void gather_rows(Index k, const ModeEnd* turned);
    void place(double size, AtBound at_bound);
    void place_contact(Index i, double size, AtBound at_bound);
    void remember_forces();

    LagrangianMode& mode_;
    PercussionSolver solver_;
    std::vector<InteractionMode> modes_;
    std::vector<HeldRow> rows_;
    std::vector<Law> laws_;
    Eigen::VectorXd y_, u_, forces_, w_;
};

}  // namespace saltus
