#pragma once

#include "saltus/complementarity/affine/qp.hpp"

namespace saltus {

// The dual active-set method of Goldfarb and Idnani (1983) for H positive definite.     docs/theory.md (56), (57)
// Starts at the minimum without constraints and adds violated constraints one by one, keeping the multipliers of the
// active inequalities non-negative. Each step raises the minimum, so the method ends after finitely many steps. The QR
// factorization of the active normals in the metric of H is updated by Givens rotations: a change of the active set
// costs O(n^2). Works on dense copies of A and G. If no x meets the constraints, the status is no_solution and the
// certificate (y, lambda) satisfies proves_infeasible(). The guess z = (x, y, lambda) gives the first active set:
// inequalities with lambda > 0, and bounds that x meets or passes and whose multiplier has the right sign.
struct DualActiveSet {
    static constexpr std::string_view name = "dual-active-set";
    static constexpr std::string_view problem_class =
        "QP with H positive definite, dense, up to a few thousand unknowns";

    double tolerance = 1e-10;    // on residual(problem, z)
    int max_iterations = 10000;  // constraints added or dropped
    History history{};           // start and end only: in between x is not feasible

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "constraints added or dropped");
    }

    SolveReport solve(const Qp& problem, Eigen::VectorXd& z) const;
};

}  // namespace saltus
