#pragma once

#include "saltus/complementarity/one_step/local_solver.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Semismooth Newton method on the whole problem, written as the equation F(r) = 0 of Alart and Curnier or of Jean and
// Moreau, with a non-monotone line search on |F|.                                   docs/theory.md (83), (93)
// Converges quadratically near a solution where the derivative of F is regular: W of full rank, as with deformable
// bodies. Where that is singular, its diagonal is shifted. Far from a solution the method may stall: ProximalPoint is
// for that.
// An iteration factors a sparse (or small dense) system of the blocks that are not open.
struct SemismoothNewton {
    static constexpr std::string_view name = "semismooth-newton";
    static constexpr std::string_view problem_class = "W of full rank (deformable bodies), or a good guess; any law";

    double tolerance = 1e-8;  // on residual(problem, r)
    int max_iterations = 200;
    Formulation formulation = Formulation::alart_curnier;
    int window = 8;  // merits remembered by the line search; 1: |F| must decrease in every iteration
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("formulation", formulation, "of the equation");
        visit("window", window, "merits remembered by the line search; 1: the merit decreases in every step");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<SemismoothNewton>);

}  // namespace saltus::one_step
