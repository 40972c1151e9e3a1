#pragma once

#include <string_view>

#include "saltus/integrators/euler_moreau.hpp"
#include "saltus/integrators/stepper_base.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

// The higher-order sweeping process of Acary, Brogliato and Goeleven (2008), for linear models with complementarity
// laws and relative degree r of two or more, where backward Euler does not converge from r = 3 on. With z_1 = y,
// z_2 = y', ..., z_r each derivative gets a measure of its own:                                   docs/theory.md (120)
//     z_i(k+1) - z_i(k) - h z_(i+1)(k+1) = mu_i,   i < r,   and so on for z_r and the other states,
//     0 <= mu_i _|_ z_i(k+1) >= 0  if  z_1, ..., z_(i-1) <= 0 at t_k,  else  mu_i = 0.
// sigma = (C A^(r-1) B)^-1 mu_r is the measure that B receives.
struct HigherOrderSweeping {
    static constexpr std::string_view name = "higher-order-sweeping";
};

// Its steps.
class HigherOrderStepper : public StepperBase {
public:
    // Throws InvalidInput for a model with another law, without uniform relative degree, or with b or e that vary.
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
    Eigen::MatrixXd advance_, directions_, Z_;  // (1 - h A)^-1, the same times that which mu_i moves, z = Z x + offset
    Eigen::MatrixXd leading_;                   // (C A^(r-1) B)^-1
    Eigen::VectorXd load_, offset_;             // h b, and what z does not owe to x
    Eigen::VectorXd x_, z_, mu_, next_x_, next_z_, next_mu_;
};

}  // namespace saltus
