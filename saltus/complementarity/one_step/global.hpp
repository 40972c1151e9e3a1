#pragma once

#include <algorithm>

#include "saltus/complementarity/one_step/component_factors.hpp"
#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus {

// Throws InvalidInput, with names and values, if the sizes of the problem do not match, a number is NaN or infinite or
// a coefficient of friction is negative.
void check(const GlobalFrictionProblem& problem);

// The contacts of a global problem as if its mass were diagonal and they did not affect each other: only the diagonal
// of W, and the free velocities. Its rho() has the unit of r over that of u:                        docs/theory.md (76)
//     W_jj = sum_i H_ij^2 / |M_ii|,   q_j = b_j + sum_i H_ij f_i / |M_ii|,   over the rows with M_ii /= 0.
FrictionProblem uncoupled_contacts(const GlobalFrictionProblem& problem);

// What judges (v, r); zero exactly at the solutions and free of units. With u = H' v + b, and rho and q of the
// uncoupled contacts:
//     | M v - H r - f | / max(|f|, |M v|, |H r|)
//         + |e| / max(|r|, rho |q|, rho |u|),   e as in (74).                                       docs/theory.md (76)
// Nothing is divided by a zero denominator. Infinite where v, r, M v or u is not finite.
double residual(const GlobalFrictionProblem& problem, const Eigen::VectorXd& v, const Eigen::VectorXd& r);

// The same, prepared once for many points of one problem, which must outlive it. Allocates nothing.
class GlobalJudge {
public:
    explicit GlobalJudge(const GlobalFrictionProblem& problem);
    double operator()(const Eigen::VectorXd& v, const Eigen::VectorXd& r);
    // The uncoupled contacts, and H' v + b of the last point.
    const OneStepView& contacts() const { return view_; }
    const Eigen::VectorXd& u() const { return u_; }

private:
    const GlobalFrictionProblem& problem_;
    FrictionProblem contacts_;
    OneStepView view_;
    Eigen::VectorXd Mv_, Hr_, u_;
};

// The local form of a global problem,
//     W = H' M^-1 H,   q = H' M^-1 f + b,   v = M^-1 (H r + f).                                     docs/theory.md (75)
// No inverse of M is formed: its components are factored one by one, and two contacts share a block of W only if they
// touch the same component (for rigid bodies: the same body).
struct Reduction {
    FrictionProblem local;
    ComponentFactors mass;
    Matrix::Sparse H;
    Eigen::VectorXd f;

    // v = M^-1 (H r + f).
    Eigen::VectorXd velocity(const Eigen::VectorXd& r) const { return mass.solve(H * r + f); }
};

// Throws InvalidInput if the problem is ill-formed or M singular.
Reduction reduce(const GlobalFrictionProblem& problem);

// Solves a global problem in its local form, with any solver of that form; r is the first guess on entry. The tolerance
// of the solver holds for the residual of the global problem, whose scale differs: if meeting it in the local form was
// not enough, the solver continues with a smaller one. The history is that of the local form, with the residual of the
// global one at its end.
template <OneStepSolver Solver>
SolveReport solve_global(Solver solver, const GlobalFrictionProblem& problem, Eigen::VectorXd& v, Eigen::VectorXd& r) {
    constexpr int attempts = 4;
    const double tolerance = solver.tolerance;
    const Reduction reduction = reduce(problem);
    SolveReport report;
    int iterations = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        report = solver.solve(reduction.local, r);
        if (attempt > 0) report.message.clear();  // it refers to the smaller tolerance
        iterations += report.iterations;
        v = reduction.velocity(r);
        report.residual = residual(problem, v, r);
        if (!report.converged() || report.residual <= tolerance) break;
        solver.tolerance *= std::max(0.5 * tolerance / report.residual, 1e-3);
    }
    report.iterations = iterations;
    solver.history.add(report.residual);
    if (is_escape(report.residual, speed_error(reduction.local, r), tolerance)) {
        report.status = SolveStatus::stalled;
        report.message = escape_message;
        return report;
    }
    return confirmed(std::move(report), tolerance);
}

}  // namespace saltus
