#pragma once

#include "saltus/model/lagrangian_model.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

// Moves the linear parts of expressions into the matrices: f = A x + b(t) of a system, h = C x + D lambda + e(t) and
// g = B lambda of an interaction, so that its steps are those of a linear model. Only expressions are understood;
// callables stay as they are, and so does an f, h or g with an output that is not linear.
void recognise_linear(Model& model);

// The same for a Lagrangian model: forces affine in q and v, positions affine in q.
void recognise_linear(LagrangianModel& model);

}  // namespace saltus
