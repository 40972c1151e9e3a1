#pragma once

#include <cmath>
#include <concepts>
#include <string_view>
#include <vector>

#include "saltus/complementarity/one_step/friction_problem.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"
#include "saltus/laws/law.hpp"

namespace saltus {

// What one step of a simulation has to solve: w = W z + q, and one law per block,
//     -dual_i(w_i) in N_{K_i}(z_i),  i = 1 .. blocks.                                               docs/theory.md (71)
// Joints, ideal diodes, relays and contacts with friction in any mixture.
struct OneStepProblem {
    BlockMatrix W;
    Eigen::VectorXd q;
    std::vector<Law> laws;  // one per block of W, of its size
};

// A OneStepProblem or a FrictionProblem, seen as a OneStepProblem. Every solver of this folder takes it, so that
// `Nsgs{}.solve(friction_problem, r)` converts by itself. Refers to the problem and must not outlive it.
class OneStepView {
public:
    OneStepView(const OneStepProblem& problem);
    OneStepView(const FrictionProblem& problem);
    OneStepView(const OneStepView&) = delete;
    OneStepView& operator=(const OneStepView&) = delete;

    const BlockMatrix& W;
    const Eigen::VectorXd& q;

    Index size() const { return q.size(); }
    Index blocks() const { return static_cast<Index>(laws_->size()); }
    const Law& law(Index i) const { return (*laws_)[static_cast<std::size_t>(i)]; }
    const std::vector<Law>& laws() const { return *laws_; }

    // rho = 1 / mean W_ii, the unit of r over that of w: r / rho, q and W rho are comparable numbers. 1 if W has no
    // diagonal.                                                                                     docs/theory.md (74)
    double rho() const { return rho_; }

    // Throws InvalidInput, with names and values, if sizes differ, a number is NaN or infinite, a coefficient of
    // friction is negative, an interval is empty, or r (the guess of the solver `who`) has the wrong size.
    void check(std::string_view who, const Eigen::VectorXd& r) const;
    // Checks the options of the solver too.
    template <class Solver>
    requires requires { Solver::name; }
    void check(const Solver& solver, const Eigen::VectorXd& r) const {
        check_options(Solver::name, solver.tolerance, solver.max_iterations);
        check(std::string_view(Solver::name), r);
    }

private:
    void set_rho();

    std::vector<Law> own_laws_;
    const std::vector<Law>* laws_;
    double rho_ = 1.0;
};

// r <- the nearest point of K, block by block.
void project(const OneStepView& problem, Eigen::VectorXd& r);

// w <- dual(w), block by block: adds De Saxce's shift to the normal velocities.
void add_shift(const OneStepView& problem, Eigen::VectorXd& w);

// w = W r + q.
Eigen::VectorXd velocity(const OneStepView& problem, const Eigen::VectorXd& r);

// What judges every solver; zero exactly at the solutions and free of units:                        docs/theory.md (74)
//     residual(r) = |e|_2 / max(|r|, rho |q|, rho |w|),   w = W r + q,  rho = 1 / mean W_ii,
//     e_i = the larger of |r_i - P_K(r_i - rho dual(w_i))| and, with friction, |min(r_N, rho w_N)|,
// the second because the first misses a penetration w_N < 0 where the coefficient of friction is large.
// Infinite where r or w is not finite.
double residual(const OneStepView& problem, const Eigen::VectorXd& r);
// The same where w = W r + q is known: allocates nothing.
double residual(const OneStepView& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w);
// The first part of e alone with rho = 1, which depends on the units of r and w: the measure that Siconos prints.
double unscaled_residual(const OneStepView& problem, const Eigen::VectorXd& r);

// The error |r - P_K(r - rho dual(w))| of a point whose residual is given, over rho |q| alone. If a problem has no
// solution, r may run to infinity: the residual, which is relative to |r| and |w| too, then goes to zero, while this
// stays of size one. Includes the rounding of r - rho dual(w), in which the error may hide. The residual if q = 0.
double speed_error(const OneStepView& problem, double residual, const Eigen::VectorXd& r, const Eigen::VectorXd& w);
double speed_error(const OneStepView& problem, const Eigen::VectorXd& r);

// True where a residual is at most `tolerance` only because r is large: speed_error exceeds sqrt(tolerance).
inline bool is_escape(double residual, double speed_error, double tolerance) {
    return residual <= tolerance && speed_error > std::sqrt(std::max(tolerance, 1e-15));
}
// residual(problem, r, w), or infinity where r is an escape: what solvers compare their iterates by.
double residual_unless_escape(const OneStepView& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w,
                              double tolerance);
// r <- P_K(0) if r is an escape: a solver must not start from one.
void leave_escape(const OneStepView& problem, double tolerance, Eigen::VectorXd& r);
inline constexpr std::string_view not_finite_message =
    "the percussions are no longer finite; start from zero, or try another solver";
inline constexpr std::string_view escape_message =
    "the percussions run to infinity while the velocities stay wrong: there may be no solution, or a guess of another "
    "size is needed";

// Every solver ends with this. It recomputes the residual; the status becomes converged exactly when that is at most
// `tolerance` and r is not an escape. A claimed convergence that is not confirmed becomes stalled. The history ends
// with that residual.
SolveReport conclude(const OneStepView& problem, const Eigen::VectorXd& r, double tolerance, SolveReport report,
                     History history = {});

// What a solver of one-step problems looks like. r is the first guess on entry and the last iterate on return.
template <class S>
concept OneStepSolver = requires(const S solver, const OneStepView& problem, Eigen::VectorXd& r) {
    { solver.solve(problem, r) } -> std::same_as<SolveReport>;
    { S::name } -> std::convertible_to<std::string_view>;           // on the command line and in files: "nsgs"
    { S::problem_class } -> std::convertible_to<std::string_view>;  // what it is for, in one line
    { solver.tolerance } -> std::convertible_to<double>;            // on residual(problem, r)
    { solver.max_iterations } -> std::convertible_to<int>;
    { solver.history } -> std::convertible_to<History>;
};

}  // namespace saltus
