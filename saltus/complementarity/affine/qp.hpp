#pragma once

#include <string_view>

#include "saltus/complementarity/affine/affine_box.hpp"
#include "saltus/core/history.hpp"
#include "saltus/core/matrix.hpp"
#include "saltus/core/report.hpp"

namespace saltus {

// Convex quadratic program, H symmetric positive semidefinite:                         docs/theory.md (48)
//     minimise 1/2 x.H x + c.x   subject to   A x = b,   G x >= h,   lower <= x <= upper.
// Empty members are absent: no equalities, no inequalities, no bounds. Bounds may be infinite.
// A solution is z = (x, y, lambda) with the multipliers of A x = b and of G x >= h; those of the bounds are
//     w_x = H x + c - A' y - G' lambda,   >= 0 at lower, <= 0 at upper.
struct Qp {
    Matrix H{};
    Eigen::VectorXd c{};
    Matrix A{};
    Eigen::VectorXd b{};
    Matrix G{};
    Eigen::VectorXd h{};
    Eigen::VectorXd lower{}, upper{};

    Index size() const { return c.size(); }                            // of x
    Index unknowns() const { return c.size() + b.size() + h.size(); }  // of z
    Interval bounds(Index i) const;                                    // of x_i
    bool is_sparse() const { return H.is_sparse() || A.is_sparse() || G.is_sparse(); }

    // Throws InvalidInput, with names and values, if sizes differ, H is not symmetric, an entry is NaN or infinite, an
    // interval is empty, or z (the guess of the solver `who`) has the wrong size or is not finite.
    void check(std::string_view who, const Eigen::VectorXd& z) const;
};

// The Karush-Kuhn-Tucker conditions of (48), with unknown z = (x, y, lambda): a BoxVi with  docs/theory.md (49)
//         [ H  -A' -G' ]        [  c ]
//     M = [ A   0   0  ],   q = [ -b ],   bounds (lower, upper), (-inf, inf), (0, inf).
//         [ G   0   0  ]        [ -h ]
// M is positive semidefinite, as H is. Sparse if H, A or G is.
BoxVi kkt(const Qp& problem);

// What judges every solver of a Qp: residual(kkt(problem), z), computed without forming the matrix.
double residual(const Qp& problem, const Eigen::VectorXd& z);

// Every solver ends with this. As for AffineBox, the status is converged exactly if the residual confirms it.
SolveReport conclude(const Qp& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history = {});

// Whether v = (y, lambda) proves that no x meets the constraints (Farkas):             docs/theory.md (50)
//     lambda >= 0 and, with mu = -(A' y + G' lambda),   b.y + h.lambda + sum_i min(mu_i x_i : x_i in bounds) > 0,
// for then A x = b, G x >= h would give 0 = (A' y + G' lambda + mu).x >= ... > 0. An entry of mu within rounding of
// zero counts as zero.
bool proves_infeasible(const Qp& problem, const Eigen::VectorXd& v);

// Solves a Qp by a solver of affine problems, through its KKT conditions.
template <AffineSolver Solver>
SolveReport solve(const Solver& solver, const Qp& problem, Eigen::VectorXd& z) {
    problem.check(Solver::name, z);
    return solver.solve(kkt(problem), z);  // judged by residual(kkt(problem), z), which is residual(problem, z)
}

}  // namespace saltus
