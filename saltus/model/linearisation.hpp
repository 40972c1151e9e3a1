#pragma once

#include "saltus/core/report.hpp"
#include "saltus/model/stacked.hpp"

namespace saltus {

// The functions of a model and their derivatives at one point (t, x, lambda), stacked and dense:
//     M x' = F + r,   F = A x + b + f,   r = B lambda + g,   y = C x + D lambda + e + h.
struct Linearisation {
    Eigen::VectorXd x{}, lambda{};
    Eigen::VectorXd F{}, r{}, y{}, y_t{};
    Eigen::MatrixXd F_x{}, r_x{}, r_lambda{}, y_x{}, y_lambda{};
};

// Evaluates them. A model of constant size costs no allocation after the first evaluation.
class Lineariser {
public:
    explicit Lineariser(const Model& model);

    // point.x and point.lambda are given, the rest is written.
    void evaluate(double t, Linearisation& point);
    const Stacked& parts() const { return parts_; }

private:
    // Where the arguments of the functions of an interaction lie.
    struct Gather {
        IndexList states{};
        Index start = 0, rows = 0;
    };

    void evaluate_systems(double t, Linearisation& point);
    void evaluate_interaction(const Interaction& interaction, const Gather& gather, double t, Linearisation& point);
    void call(const Function& function);

    Model model_;
    Stacked parts_;
    Eigen::MatrixXd A_, B_, C_, D_;
    std::vector<Gather> gathers_;
    Eigen::VectorXd arguments_, value_;
    Eigen::MatrixXd jacobian_;
};

// The functions at (t0, x0) with the multipliers that satisfy the laws there, found by Newton's method. Where there are
// none, x is about to jump: the values nearest zero stand for them, and the report has not converged. Throws
// InvalidInput if y is not finite.
SolveReport begin(const Model& model, Lineariser& functions, Linearisation& point, double tolerance = 1e-10);

// A linear model with the same systems and laws, whose matrices are the derivatives at the beginning, (x0, lambda, t0).
// It stands for a nonlinear model in the analysis. Its b and e are constant. A linear model stays as it is.
Model linearised(const Model& model, const Eigen::VectorXd& lambda);

}  // namespace saltus
