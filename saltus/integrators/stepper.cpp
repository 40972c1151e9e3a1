#include "saltus/integrators/stepper.hpp"

namespace saltus {

Stepper make_stepper(const Model& model, const EulerMoreau& scheme, double h) {
    if (!model.is_linear()) return Stepper(std::in_place_type<NewtonStepper>, model, scheme, h);
    if (model.states() + model.rows() > Stacked::dense_limit)
        return Stepper(std::in_place_type<SparseLinearStepper>, model, scheme, h);
    return Stepper(std::in_place_type<LinearStepper>, model, scheme, h);
}

}  // namespace saltus
