#pragma once

#include <string>
#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/laws/mechanical_law.hpp"
#include "saltus/model/function.hpp"

namespace saltus {

// A mechanical system with coordinates q and velocities v = q':                                   docs/theory.md (150)
//     M(q) v' + N(q, v) + C v + K q = b(t) + f(q, v, t) + p,   q(t0) = q0,  v(t0) = v0,
// where p comes from the interactions. Empty members are absent; an empty M is the identity.
struct LagrangianSystem {
    std::string name{};
    Eigen::VectorXd q0{}, v0{};
    Matrix M{}, C{}, K{};
    Function mass{};  // of (q): the entries of M(q), column by column, instead of M
    Function b{};     // of (t)
    Function f{};     // of (q, v, t): what is neither linear in q and v nor a function of t alone
    // N_i = sum_jk (dM_ij / dq_k - dM_jk / dq_i / 2) v_j v_k is added; else N is left to f.
    bool derives_inertial_terms = false;

    Index size() const { return q0.size(); }
    bool is_linear() const { return mass.is_empty() && f.is_empty(); }
};

// Couples the stacked coordinates q of some systems to a percussion P:                             docs/theory.md (151)
//     y = G q + e(t) + g(q, lambda, t),   u = (y', T(q, t) v),   p = (dy/dq, T)' P.
// The rows of T are velocities that are not rates of a position: the sliding of a contact on a curved surface. g may
// depend on the force lambda if the law is a SpringLaw. A RelayLaw has  y = G q + h(q, v, t),  p = B P.
// Empty members are absent.
struct LagrangianInteraction {
    std::string name{};
    std::vector<Index> systems{0};
    Matrix G{};
    Function e{};         // of (t)
    Function g{};         // of (q, lambda, t)
    Function tangents{};  // of (q, t): the entries of T, column by column
    Function h{};         // of (q, v, t), of a RelayLaw
    Matrix B{};           // of a RelayLaw; dh/dv' where it is not given
    MechanicalLaw law{};

    // The rows of y, and those of u and P.
    Index positions() const;
    Index rows(Index coordinates) const;
    bool is_linear() const { return g.is_empty() && tangents.is_empty() && h.is_empty(); }
};

// What is simulated: constant during a run.
struct LagrangianModel {
    std::string name{};
    std::vector<LagrangianSystem> systems{};
    std::vector<LagrangianInteraction> interactions{};
    double t0 = 0.0;

    Index coordinates() const;
    Index rows() const;
    // The number of coordinates of the systems of an interaction together.
    Index coordinates_of(const LagrangianInteraction& interaction) const;
    Index rows_of(const LagrangianInteraction& interaction) const {
        return interaction.rows(coordinates_of(interaction));
    }
    // Where the coordinates of each system begin in the stacked q, and their number.
    IndexList starts() const;
    // Matrices are constant, and all functions depend on time only: one factorization serves all steps.
    bool is_linear() const;

    // Throws InvalidInput, with names and sizes, if the pieces do not fit, a number is not finite or a law makes no
    // sense.
    void check() const;
};

// What LagrangianModel::check() requires of each. Both throw InvalidInput.
void check(const LagrangianSystem& system);
void check(const LagrangianModel& model, const LagrangianInteraction& interaction);

// All that moves: the stacked coordinates and velocities; for each row y (0 for the rows of T), the velocity u, the
// percussion of the last step and the force (its mean or, in event-driven motion, its value at t); the interactions
// whose cohesion is lost.
struct LagrangianState {
    double t = 0.0;
    Eigen::VectorXd q{}, v{};
    Eigen::VectorXd y{}, u{}, P{}, force{};
    IndexList broken{};
};

// The same model, but beginning at this state.
LagrangianModel starting_from(LagrangianModel model, const LagrangianState& state);

// What is violated at the state in which a run begins, as messages: penetrations, open joints.
std::vector<std::string> start_warnings(const LagrangianModel& model, const LagrangianState& state);

}  // namespace saltus
