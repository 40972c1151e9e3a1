#pragma once

#include "saltus/complementarity/affine/affine_solvers.hpp"
#include "saltus/complementarity/nonlinear/ncp.hpp"

namespace saltus {

// Newton's method for Ncp and Mcp: at z_k solve the affine problem                     docs/theory.md (41)
//     -(F(z_k) + F'(z_k) (z - z_k)) in N_[l, u](z)
// by `affine_solver`, and move towards its solution with a non-monotone line search (40) on the Fischer-Burmeister
// merit; where the affine problem is not solved, or leads nowhere, along the projected gradient of the merit.
// Josephy 1979: quadratic near a strongly regular solution. The guess is first projected onto the box, and F is never
// evaluated outside it.
struct NewtonJosephy {
    static constexpr std::string_view name = "newton-josephy";
    static constexpr std::string_view problem_class = "NCP and MCP whose linearisations the affine solver can solve";

    double tolerance = 1e-10;  // on residual(problem, z)
    int max_iterations = 100;
    int window = 8;  // merits remembered by the line search; 1: the merit must decrease in every iteration
    AffineSolverChoice affine_solver{};
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "linearised problems");
        visit("window", window, "merits remembered by the line search; 1: the merit decreases in every step");
        visit("affine_solver", affine_solver, "of the linearised problems");
    }

    SolveReport solve(const McpView& problem, Eigen::VectorXd& z) const;
};

}  // namespace saltus
