#pragma once

#include "saltus/complementarity/one_step/local_solver.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// Nonsmooth Gauss-Seidel (Moreau and Jean) with Anderson's acceleration: sweeps over the blocks, each solved exactly,
// the sequence of sweeps extrapolated and projected.                                          docs/theory.md (84), (85)
// A sweep costs one product with W; the residual is computed only when the last sweep moved r little.
struct Nsgs {
    static constexpr std::string_view name = "nsgs";
    static constexpr std::string_view problem_class = "any; W block-sparse, rank deficient too; accelerated sweeps";

    double tolerance = 1e-8;     // on residual(problem, r)
    int max_iterations = 20000;  // sweeps
    LocalSolver local = LocalSolver::exact;
    int memory = 10;        // of Anderson's acceleration; 0: plain sweeps
    bool retreats = false;  // see Anderson; slower, for packings with large friction
    int settling = 0;  // plain sweeps before the acceleration starts; if half as many do not converge, twice as many
    double relaxation = 1.0;  // in (0, 2)
    int rest = 0;             // see Sweep::Options
    bool islands = true;      // connected components of W are solved separately, in parallel if threads > 1
    bool coloured = false;    // sweep colour by colour; implied by threads > 1
    int threads = 1;          // the result does not depend on it, given `coloured`
    History history{};        // of the swept points; only start and end if there are several islands

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "sweeps");
        visit("local", local, "how one contact is solved");
        visit("memory", memory, "steps that Anderson's acceleration uses; 0: none");
        visit("retreats", retreats,
              "the acceleration goes back where it leads astray: slower, for packings with large friction");
        visit("settling", settling, "plain sweeps before the acceleration starts");
        visit("relaxation", relaxation, "strictly between 0 and 2");
        visit("rest", rest, "sweeps for which a contact rests that did not move in three; 0: none does");
        visit("islands", islands, "connected components of W are solved apart");
        visit("coloured", coloured, "sweep colour by colour; implied by threads > 1");
        visit("threads", threads, "the result does not depend on it where coloured is set");
    }

    SolveReport solve(const OneStepView& problem, Eigen::VectorXd& r) const;
};
static_assert(OneStepSolver<Nsgs>);

}  // namespace saltus::one_step
