#pragma once

#include <vector>

#include "saltus/complementarity/one_step/block_equation.hpp"

namespace saltus::one_step {

// A whole one-step problem, with a proximal term or without, as one equation in r:
//     F(r) = 0,   F_i(r) = 0 the law of block i between r_i and w_i,   w = W r + q + D (r - centre),
//                                                                                                   docs/theory.md (93)
// D = alpha diag(W): the problem with W + D and q - D centre, without a copy of either. alpha = 0 is the problem
// itself.
class OneStepEquation {
public:
    OneStepEquation(const OneStepView& problem, Formulation formulation);

    // Changes alpha >= 0 and the centre.
    void set_proximal(double alpha, const Eigen::VectorXd& centre);

    const OneStepView& problem() const { return problem_; }
    // D of block i, a multiple of the identity.
    double proximal(Index i) const { return alpha_ * unit_[i]; }
    // The mean of the diagonal of W_ii, of W where that is 0: the unit of the rows of block i.
    double unit(Index i) const { return unit_[i]; }

    // F and the derivatives of all blocks at r, where u = W r + q is known.
    void evaluate(const Eigen::VectorXd& r, const Eigen::VectorXd& u, Eigen::VectorXd& F,
                  std::vector<BlockDerivative>& derivatives) const;

private:
    void set_steps();

    const OneStepView& problem_;
    Formulation formulation_;
    double alpha_ = 0.0;
    Eigen::VectorXd centre_, unit_;
    std::vector<BlockSteps> steps_;  // of W + D
};

}  // namespace saltus::one_step
