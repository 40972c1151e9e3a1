#pragma once

#include <variant>

#include "saltus/integrators/linear_stepper.hpp"
#include "saltus/integrators/newton_stepper.hpp"

namespace saltus {

// Whatever makes the steps of a model: all have step(), t(), h(), steps(), placement(), read(), problem(), report().
using Stepper = std::variant<LinearStepper, SparseLinearStepper, NewtonStepper>;

// The stepper that suits the model.
Stepper make_stepper(const Model& model, const EulerMoreau& scheme, double h);

}  // namespace saltus
