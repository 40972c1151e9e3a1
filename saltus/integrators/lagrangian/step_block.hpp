#pragma once

#include <span>

#include "saltus/laws/law.hpp"
#include "saltus/model/interaction_functions.hpp"

namespace saltus {

// One interaction in one step: its rows of the one-step problem                                   docs/theory.md (154)
//     w = J v + D P + offset,   -dual(w) in N_K(P),   p = B P,
// v the velocities at the end of the step.
struct StepBlock {
    InteractionFunctions functions;
    Index start = 0;           // of its rows among those of the model
    bool is_active = false;    // takes part in the step
    bool is_intact = true;     // its cohesion was not lost
    double reach = 0.0;        // of a closed contact: a gap that is still closed
    double tension = 0.0;      // what cohesion carries over the step: the law is that of P[0] + tension
    Eigen::MatrixXd J{}, B{};  // rows x coordinates, coordinates x rows
    Eigen::MatrixXd D{};       // no rows where it is zero
    Eigen::VectorXd offset{};
    std::vector<Law> laws{};  // one for all rows together, or one per row
    Eigen::MatrixXd X{};      // W^-1 B, the coordinates of its systems x rows
    IndexList starts_in_X{};  // of its systems
    double rho = 1.0;         // 1 / mean W_ii of its rows: the unit of P over that of w

    double spring_point = 1.0;  // of a spring: the part of the step after which its force is taken
    Index count = 0;            // the number of first rows that the problem uses

    Index rows() const { return functions.rows(); }
    const LagrangianInteraction& interaction() const { return functions.interaction(); }
    const ContactLaw* contact() const { return std::get_if<ContactLaw>(&interaction().law); }
    // v += X P.
    void add_to(Eigen::VectorXd& v, const IndexList& system_starts, const double* P) const;
    // The tension that it carries now.
    double cohesion() const {
        const ContactLaw* law = contact();
        return law && is_intact ? law->cohesion : 0.0;
    }
};

// X <- B, in the rows of all coordinates of the systems.
void spread_B(StepBlock& block, const IndexList& system_starts);
// X <- W^-1 B; `solve(s, x)` does x <- W^-1 x for system s.
template <class Solve>
void find_X(StepBlock& block, const IndexList& system_starts, Solve solve) {
    spread_B(block, system_starts);
    for (std::size_t s = 0; s < block.starts_in_X.size(); ++s)
        for (Index j = 0; j < block.count; ++j)
            solve(static_cast<std::size_t>(block.interaction().systems[s]),
                  block.X.col(j).data() + block.starts_in_X[s]);
}

// The length and the theta of a step.
struct StepSize {
    double h = 0.0, theta = 0.5;
};

// A block with the laws of its percussions: bounds on forces, times h.
StepBlock make_block(const LagrangianModel& model, const IndexList& starts, Index interaction, Index start, double h);

// Fills J, B, D and offset. `functions` were evaluated at the iterate (t_end, q, v) of the end of the step, or, for a
// spring, at its theta point; y and u belong to the beginning of the step, P is the last iterate of the percussion.
void fill_contact(StepBlock& block, const double* u);
void fill_joint(StepBlock& block);
// The rows of positions of a contact or a joint: y+ / h, linearised in v, the positions moving at h dv.
void fill_position(StepBlock& block, double h, const Eigen::VectorXd& v);
void fill_spring(StepBlock& block, const StepSize& size, const Eigen::VectorXd& v, const double* u, const double* P);
void fill_relay(StepBlock& block, const Eigen::VectorXd& v);

}  // namespace saltus
