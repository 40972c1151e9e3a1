#pragma once

#include <string>
#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/laws/interval.hpp"
#include "saltus/model/function.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// A first-order system:  M x' = A x + b(t) + f(x, t) + r,   x(t0) = x0,                        docs/theory.md (110)
// where r comes from the interactions. Empty members are absent; an empty M is the identity.
struct FirstOrderSystem {
    std::string name{};
    Eigen::VectorXd x0{};
    Matrix A{};
    Function b{};  // of (t)
    Function f{};  // of (x, t): what is neither linear in x nor a function of t alone
    Matrix M{};
};

// Couples the stacked states x of some systems to a multiplier lambda through an output y:      docs/theory.md (111)
//     y = C x + D lambda + e(t) + h(x, lambda, t),   r = B lambda + g(x, lambda, t),   -y in N_K(lambda),
// K a box, one interval per row: [0, inf) complementarity, [-1, 1] relay (lambda in -sgn y), [0, 1] step,
// (-inf, inf) an algebraic equation y = 0. Empty members are absent; a single law serves all rows.
struct Interaction {
    std::string name{};
    std::vector<Index> systems{0};
    Matrix C{}, D{}, B{};
    Function e{};                           // of (t)
    Function h{};                           // of (x, lambda, t)
    Function g{};                           // of (x, lambda, t)
    std::vector<Interval> law{Interval{}};  // one, or one per row

    // The number of rows: of C, else of D, of e, of h, of `law`.
    Index rows() const;
    Interval law_of(Index row) const { return law.size() == 1 ? law.front() : law[static_cast<std::size_t>(row)]; }
};

// What is simulated: constant during a run.
struct Model {
    std::string name{};
    std::vector<FirstOrderSystem> systems{};
    std::vector<Interaction> interactions{};
    double t0 = 0.0;

    Index states() const;
    Index rows() const;
    // Where the states of a system and the rows of an interaction begin in the stacked x and lambda.
    Index state_start(Index system) const;
    Index row_start(Index interaction) const;
    // The number of states of the systems of an interaction together.
    Index states_of(const Interaction& interaction) const;
    // x0 of the systems, stacked.
    Eigen::VectorXd initial_state() const;
    // M, A, C, D, B are constant and all functions depend on time only: the steps are those of one linear problem.
    bool is_linear() const;

    // Throws InvalidInput, with names and sizes, if the pieces do not fit or a number is not finite.
    void check() const;
};

// The same model, but beginning at this state.
Model starting_from(Model model, const State& state);

}  // namespace saltus
