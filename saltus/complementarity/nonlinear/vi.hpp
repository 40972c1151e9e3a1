#pragma once

#include <functional>
#include <string_view>

#include "saltus/complementarity/nonlinear/ncp.hpp"
#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"

namespace saltus {

// z <- the point of a closed convex set X nearest to z.
using SetProjection = std::function<void(Eigen::VectorXd& z)>;

// Variational inequality on a closed convex set X, known by its projection:            docs/theory.md (42)
//     find z in X such that F(z).(x - z) >= 0 for all x in X,   that is   z = P_X(z - F(z)).
// Facchinei, Pang 2003, sec. 1.1 and prop. 1.5.8.
struct Vi {
    Index size = 0;
    VectorFunction F;
    SetProjection project;

    // F(z) and P_X(z). Entries may be NaN or infinite; throw InvalidInput if a callable returns a wrong size.
    Eigen::VectorXd value(const Eigen::VectorXd& z) const;
    Eigen::VectorXd projected(Eigen::VectorXd z) const;

    // Throws InvalidInput, with names and values, if a callable is missing, or z (the guess of the solver `who`) has
    // the wrong size, is not finite, or F is not finite at P_X(z), where the solvers start.
    void check(std::string_view who, const Eigen::VectorXd& z) const;
};

// What judges every solver of a Vi; zero exactly at its solutions:                     docs/theory.md (43)
//     residual(z) = | z - P_X(z - F(z)) |_inf.
// Not scaled, for the reason given at the residual of an Mcp. Infinite where z or F(z) is not finite. Where z_i is so
// large that z_i - F_i(z) rounds to z_i, |F_i(z)| counts instead: a z that runs to infinity is not a solution.
double residual(const Vi& problem, const Eigen::VectorXd& z);
// The same with w = F(z) known.
double residual(const Vi& problem, const Eigen::VectorXd& z, const Eigen::VectorXd& w);

// Every solver ends with this. As for AffineBox, the status is converged exactly if the residual confirms it.
SolveReport conclude(const Vi& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history = {});

}  // namespace saltus
