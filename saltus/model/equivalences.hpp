#pragma once

#include "saltus/model/model.hpp"
#include "saltus/model/moving_set.hpp"

namespace saltus {

// The same system in another formulation: the solutions x are the same, and so are the steps of the theta-gamma
// schemes, up to rounding, except in to_sweeping_process(), where x becomes a linear function of it. Each throws
// InvalidInput, and says what is missing, if a model does not have what the form needs.

// Complementarity rows and equations only. A row of [l, u] becomes two, of a = lambda - l and of the slack s:
//     0 <= a  _|_  y + s >= 0,   0 <= s  _|_  u - l - a >= 0,   D' = [D 1; -1 0],                  docs/theory.md (138)
// as for the Zener diode of 000, (1.73)-(1.75), where s is the negative part of the current. Rows of [l, inf) and
// (-inf, u] are shifted and turned.
Model to_complementarity(const Model& model);

// A row of [l, u] becomes three, of a = lambda - l, of c = u - lambda and of p, the positive part of y:
//     0 <= a  _|_  p >= 0,   0 <= c  _|_  p - y >= 0,   0 = u - l - a - c,  p free,                docs/theory.md (139)
// the mixed system of 000, (1.70). Other rows stay.
Model to_mixed_complementarity(const Model& model);

// Gives the rows of [l, u] other bounds, lambda = l + (mu - lower) (u - l) / (upper - lower): from the step
// multifunction, [0, 1], to the sign, [-1, 1], and back.
Model with_bounds(const Model& model, Interval bounds);

// Without the equations, the rows F of (-inf, inf), of a linear model with D_FF regular (index 1): docs/theory.md (140)
//     lambda_F = -D_FF^-1 (C_F x + D_FC lambda_C + e_F(t)).
// A mixed linear complementarity system becomes a linear one, a differential-algebraic equation a differential one. The
// result has one system and at most one interaction, dense.
Model without_equations(const Model& model);

// A linear complementarity system with D = 0 and C M^-1 B symmetric positive definite, as that of passive circuits, in
// the variable z = R x, R = R' > 0, R^2 M^-1 B = C' (000, (1.27); Brogliato 2004):                 docs/theory.md (141)
//     z' in R A R^-1 z + R b(t) - N_K(t)(z),   K(t) = {z : C R^-1 z + e(t) >= 0}.
struct SweepingForm {
    FirstOrderSystem system;
    Polyhedron set;
    Eigen::MatrixXd R;
};
SweepingForm to_sweeping_process(const Model& model);

// A linear model whose D is a P-matrix, as an ordinary differential equation. Its right-hand side is Lipschitz, and has
// the derivative of the piece in which x lies:                                                     docs/theory.md (142)
//     M x' = A x + b(t) + B lambda(x, t),   -(C x + D lambda + e(t)) in N_K(lambda).
Model to_differential_equation(const Model& model);

}  // namespace saltus
