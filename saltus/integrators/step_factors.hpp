#pragma once

#include "saltus/core/factorization.hpp"
#include "saltus/integrators/step_equations.hpp"

namespace saltus {

// The steps of a large linear model: the sparse equations (114) of the current placement, factored, for x and mu at
// once. The counterpart of StepMaps, with the same functions; a step costs two triangular solves.
class StepFactors {
public:
    // A placement that holds up to rounding is taken: among many rows some are always at zero, and because of their
    // rounding the equations would be factored in every step.
    static constexpr bool takes_rounding = true;

    explicit StepFactors(StepEquations equations);

    const StepEquations& equations() const { return equations_; }
    bool place(const Placement& placement);
    void evaluate(const double* past, Eigen::VectorXd& end) const;
    const Eigen::VectorXd& least() const { return least_; }
    const Eigen::VectorXd& most() const { return most_; }
    double rounding(const double* past, const Eigen::VectorXd& end, Index i) const;

    // The mixed problem of x, free, and mu:  [K, -c B; C, D] (x, mu) + (-load, e).              docs/theory.md (116)
    BoxVi problem(const double* past) const;
    Eigen::VectorXd guess(const Eigen::VectorXd& end) const {
        return end.head(equations_.states() + equations_.rows());
    }
    void read(const BoxVi& problem, const double* past, const Eigen::VectorXd& z, Eigen::VectorXd& end) const;

private:
    StepEquations equations_;
    Matrix::Sparse rows_;    // [K, -c B; C, D], with the diagonal of D in its pattern
    Matrix::Sparse system_;  // the same pattern: rows at a bound say mu = bound
    Placement placement_;
    bool is_regular_ = false;
    Factorization factorization_;
    Eigen::VectorXd least_, most_;
    double C_size_ = 0.0, D_size_ = 0.0;
    mutable double mu_size_ = 0.0, y_size_ = 0.0;  // the largest mu, and term of y, of the last evaluation
};

}  // namespace saltus
