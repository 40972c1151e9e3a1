#pragma once

#include <variant>

#include "saltus/laws/friction.hpp"
#include "saltus/laws/interval.hpp"

namespace saltus {

// y = 0, r free: the rows of a joint, solved together.
struct Equality {
    int rows = 1;
};

// A law ties y (gap rate, voltage, ...) to its multiplier r through a closed convex set K:
//     -dual(y) in N_K(r)   <=>   r = project(r - rho dual(y)) for any rho > 0.                      docs/theory.md (71)
// A new law is added here, with the three functions of law.cpp.
using Law = std::variant<Equality, Interval, Coulomb2D, Coulomb3D, RollingFriction>;

// The number of components of y and of r.
int dimension(const Law& law);

// r <- the nearest point of K.
void project(const Law& law, double* r);

// What dual() adds to the first component of y: zero for all laws but friction.
double shift(const Law& law, const double* u);

}  // namespace saltus
