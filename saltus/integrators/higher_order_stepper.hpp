#pragma once

#include "saltus/integrators/higher_order_sweeping.hpp"
#include "saltus/integrators/stepper_base.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

// The steps of HigherOrderSweeping.
class HigherOrderStepper : public StepperBase {
public:
    // Throws InvalidInput for a model with other laws, without uniform relative degree, or with b or e that vary.
    HigherOrderStepper(const Model& model, double h);

    StepOutcome step();
    bool accept_unsolved();
    void resume(const State& state);
    void read(State& state) const;
    Index worst_row() const;

private:
    void build(const Model& model, int degree);
    void set_laws();
    StepOutcome accept();

    Index outputs_ = 0;  // of the model; z has degree * outputs_ entries, derivative by derivative
    Eigen::MatrixXd advance_, directions_, Z_;  // (1 - h A)^-1, the same times what mu_i moves, z = Z x + offset
    Eigen::MatrixXd leading_;                   // (C A^(r-1) B)^-1
    Eigen::VectorXd load_, offset_;             // h b, and the part of z that does not depend on x
    Eigen::VectorXd x_, z_, mu_, next_x_, next_z_, next_mu_;
};

}  // namespace saltus
