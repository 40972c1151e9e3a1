#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Fixed points on the friction threshold: a sequence of convex problems -(W r + c) in N_C(r), each solved by the
// splitting of Admm with one factorization of W for all of them. They differ in what is frozen at the last iterate r^k:
//                                                                                                  docs/theory.md (103)
//     Tresca           c = q,                C = { r_N >= 0, |r_T| <= mu r_N^k }
//     Panagiotopoulos  c = q, in turn        C = { r_N >= 0, r_T = r_T^k },  C = { r_N = r_N^k, |r_T| <= mu r_N^k }
//     Aclm             c = q + shift(u^k),   C = K     (Acary, Cadoux, Lemarechal, Malick 2011)
// Each has the solutions of Coulomb's law as its fixed points; rows of intervals and equalities are solved along with
// the rest. The sequence is accelerated (85). It converges for small friction, where the map contracts; Aclm also for
// larger friction, if little slides.
struct Tresca {
    static constexpr std::string_view name = "tresca";
    static constexpr std::string_view problem_class = "any mixture of laws, moderate friction; convex problems in turn";

    double tolerance = 1e-8;      // on residual(problem, r)
    int max_iterations = 500;     // convex problems
    int inner_iterations = 2000;  // of the splitting, for each of them
    int memory = 5;               // of Anderson's acceleration of the sequence; 0: none
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "convex problems");
        visit("inner_iterations", inner_iterations, "of the splitting, for each of them");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Tresca>);

// See Tresca.
struct Panagiotopoulos {
    static constexpr std::string_view name = "panagiotopoulos";
    static constexpr std::string_view problem_class =
        "any mixture of laws, normal and tangential parts weakly coupled; convex problems in turn";

    double tolerance = 1e-8;      // on residual(problem, r)
    int max_iterations = 500;     // pairs of convex problems
    int inner_iterations = 2000;  // of the splitting, for each of them
    int memory = 5;               // of Anderson's acceleration of the sequence; 0: none
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "pairs of convex problems");
        visit("inner_iterations", inner_iterations, "of the splitting, for each of them");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Panagiotopoulos>);

// See Tresca.
struct Aclm {
    static constexpr std::string_view name = "aclm";
    static constexpr std::string_view problem_class =
        "any mixture of laws, large friction; convex cone problems in turn";

    double tolerance = 1e-8;      // on residual(problem, r)
    int max_iterations = 500;     // convex problems
    int inner_iterations = 2000;  // of the splitting, for each of them
    int memory = 5;               // of Anderson's acceleration of the sequence; 0: none
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "convex problems");
        visit("inner_iterations", inner_iterations, "of the splitting, for each of them");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Aclm>);

}  // namespace saltus::one_step
