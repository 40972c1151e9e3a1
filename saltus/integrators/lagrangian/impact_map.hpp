#pragma once

#include "saltus/integrators/lagrangian/delassus.hpp"
#include "saltus/integrators/lagrangian/free_motion.hpp"
#include "saltus/integrators/lagrangian/impact_cascade.hpp"
#include "saltus/integrators/lagrangian/percussion_solver.hpp"

namespace saltus {

// An impact: velocities v- become v+ at a fixed position q, M (v+ - v-) = J' P, u = J v + rate, u+ = u- + W P.
// Joints keep u = 0. All contacts of an island, which bodies and joints connect, have the same kind of impact:
//
// newton   -dual(u_N+ + e u_N-, u_T+ + e_T u_T-) in N_K(P).
//     Without friction the kinetic energy T falls if all e are equal, or no closed contact opens before the impact
//     (u_N- <= 0):  T+ - T- = P.(u+ + u-) / 2 = sum (1 - e_i) P_i u_i- / 2. With friction it falls if e_T = e, the same
//     for all (Fremond): (1 + e)(T+ - T-) = P.(u+ + e u-) - (1 - e) P.W P / 2 <= 0. With e_T = 0 it may grow: Kane's
//     double pendulum.
//
// poisson  compression, -dual(u_c) in N_K(P_c) with u_c = u- + W P_c, then expansion (Glocker and Pfeiffer 1995):
//         0 <= u_N+  _|_  P_Ne - e P_Nc >= 0,   |P_Te| <= friction P_Ne, opposite to u_T+ where that slides,
//     with u+ = u_c + W P_e, P = P_c + P_e. Without friction T falls for any e in [0, 1]: P_c >= e P_c is a trial in
//     the second condition, from which T+ - T- <= -(P_c - P_e).W (P_c - P_e) / 2. With friction it falls if all e are
//     equal: e P_c is a trial, from which T+ - T- <= (1 + e) P_c.u_c - (1 - e^2) P_c.W P_c / 2 <= 0. With friction and
//     different e it may grow.
//
// cascade  see ImpactCascade; T falls.
//
// Springs, relays and other forces that stay finite have no percussion.
class ImpactMap {
public:
    explicit ImpactMap(const LagrangianModel& model);

    // Whether some contact has an impact other than Newton's, which Moreau's step includes.
    static bool is_needed(const LagrangianModel& model);

    // The interactions of a step that take part in an impact which is not Newton's. Empty if no active contact closes
    // faster than rounding would make it. Contacts that are closed up to a millionth of the way of this step take part
    // too: what rounding leaves of the gaps between touching balls must not matter.
    // change: the velocities that forces cause in a step.
    const IndexList& find_struck(const std::vector<StepBlock>& blocks, const Eigen::VectorXd& y,
                                 const Eigen::VectorXd& u, const Eigen::VectorXd& v, double h, double change);

    // v <- v+ and P, of all rows of the model; closed: interactions, among which the contacts take part.
    // Islands without a contact with u_N < 0 stay as they are.
    SolveReport apply(double t, const Eigen::VectorXd& q, const IndexList& closed, Eigen::VectorXd& v,
                      Eigen::VectorXd& P);

private:
    void join(const LagrangianInteraction& interaction);
    Index root(Index system) const;
    bool evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
    bool evaluate_masses(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
    void find_loads(const Eigen::VectorXd& v);
    SolveReport solve_newton();
    SolveReport solve_poisson();
    SolveReport solve_expansion(const Matrix& W, const Eigen::VectorXd& P_c);
    SolveReport solve_cascade();
    StepBlock& member(std::size_t k) { return blocks_[static_cast<std::size_t>(members_[k])]; }

    IndexList system_starts_;
    std::vector<StepBlock> blocks_;
    std::vector<FreeMotion> motions_;  // with W = M
    Delassus delassus_;
    Index rows_ = 0;
    IndexList parents_;          // of the systems, in the forest of islands
    IndexList members_;          // of an island: contacts, then joints
    std::size_t contacts_ = 0;   // of the members
    Eigen::VectorXd load_, P_;   // of the rows of the members: J v- + offset, percussions
    Eigen::VectorXd v_scratch_;  // of a free motion that is not used
    PercussionSolver solver_;
    IndexList struck_;
};

}  // namespace saltus
