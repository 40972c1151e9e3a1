#pragma once

#include "saltus/complementarity/one_step/newton_system.hpp"

namespace saltus::one_step {

// Newton's method on a OneStepEquation, one step at a time; memory and symbolic analysis are kept between problems
// that differ only in alpha and centre.
class NewtonIteration {
public:
    NewtonIteration(const OneStepView& problem, Formulation formulation);

    // Starts from r on the problem with this proximal term; alpha = 0: the problem itself.
    void start(const Eigen::VectorXd& r, double alpha, const Eigen::VectorXd& centre);

    // Moves to the first r + t d, t = 1, 1/2, ..., d Newton's direction, with
    //     |F(r + t d)|^2 <= max(reference, |F|^2) - 1e-4 t |F|^2.                                  docs/theory.md (93)
    // If J is singular or there is none with t >= shortest, returns false and r stays.
    bool step(double reference, double shortest);

    const Eigen::VectorXd& r() const { return r_; }
    const Eigen::VectorXd& u() const { return u_; }  // W r + q, without the proximal term
    double merit() const { return merit_; }          // |F(r)|^2
    int factorizations() const { return factorizations_; }
    // residual(problem, r) of the problem without the proximal term.
    double residual(double tolerance) const { return residual_unless_escape(equation_.problem(), r_, u_, tolerance); }

private:
    void set_velocity();
    void evaluate();
    bool find_direction();
    bool search(double reference, double shortest);

    OneStepEquation equation_;
    NewtonSystem system_;
    std::vector<BlockDerivative> derivatives_;
    Eigen::VectorXd r_, u_, F_, d_, Wd_, trial_r_, trial_u_, trial_F_;
    double merit_ = 0.0;
    int factorizations_ = 0;
};

}  // namespace saltus::one_step
