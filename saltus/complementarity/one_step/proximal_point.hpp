#pragma once

#include "saltus/complementarity/one_step/local_solver.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Proximal point method: r_{k+1} solves the problem with W + D, q - D r_k, D = alpha diag(W), by the semismooth Newton
// method from r_k.                                                                              docs/theory.md (94)
// The proximal term makes W regular, so that hyperstatic problems (more contacts than degrees of freedom) are solved
// too. It vanishes at the solution, which is exact. alpha falls when Newton's method reaches its goal and rises when
// it does not. With large friction a solution may repel the iteration unless alpha is small, where Newton's method
// needs a good guess: InteriorPoint is for that.
struct ProximalPoint {
    static constexpr std::string_view name = "proximal-point";
    static constexpr std::string_view problem_class = "any W, rank deficient too, to high accuracy; any law";

    double tolerance = 1e-8;   // on residual(problem, r)
    int max_iterations = 500;  // factorizations in total
    Formulation formulation = Formulation::alart_curnier;
    double alpha = 1e-2;  // the first: D relative to the diagonal of W
    double smallest_alpha = 1e-10;
    double decrease = 0.03;      // factor on alpha when Newton's method has reached its goal, in (0, 1)
    double increase = 10.0;      // factor on alpha otherwise, above 1
    int newton_iterations = 12;  // at most, for one proximal problem
    double accuracy = 0.1;       // the goal: |F| at the end over that at the start, in (0, 1)
    int window = 4;              // see SemismoothNewton
    History history{};           // one number per step of Newton's method, which may take several factorizations

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "factorizations in total");
        visit("formulation", formulation, "of the equation");
        visit("alpha", alpha, "first proximal term, relative to the diagonal of W");
        visit("smallest_alpha", smallest_alpha, "least proximal term");
        visit("decrease", decrease, "factor on alpha when Newton's method has reached its goal, in (0, 1)");
        visit("increase", increase, "factor on alpha otherwise, above 1");
        visit("newton_iterations", newton_iterations, "at most, for one proximal problem");
        visit("accuracy", accuracy,
              "goal of one proximal problem: its residual at the end over that at the start, in (0, 1)");
        visit("window", window, "merits remembered by the line search; 1: the merit decreases in every step");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<ProximalPoint>);

}  // namespace saltus::one_step
