#pragma once

#include <concepts>
#include <limits>
#include <string_view>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/complementarity/affine/lcp.hpp"
#include "saltus/complementarity/affine/mlcp.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"
#include "saltus/laws/interval.hpp"

namespace saltus {

// An Lcp, an Mlcp or a BoxVi, seen as what all three are: -(M z + q) in N_[l, u](z), with [l, u] = [0, inf) for a
// complementary variable and (-inf, inf) for a free one. A view: it copies nothing and must not outlive the problem.
// Every affine solver takes it, so `Lemke{}.solve(lcp, z)` converts by itself.
class AffineBox {
public:
    AffineBox(const Lcp& problem) : M(problem.M), q(problem.q), kind_("Lcp") {}
    AffineBox(const Mlcp& problem) : M(problem.M), q(problem.q), kind_("Mlcp"), free_(&problem.free) {}
    AffineBox(const BoxVi& problem)
        : M(problem.M), q(problem.q), kind_("BoxVi"), lower_(&problem.lower), upper_(&problem.upper) {}

    const Matrix& M;
    const Eigen::VectorXd& q;

    Index size() const { return q.size(); }
    std::string_view kind() const { return kind_; }  // "Lcp", "Mlcp" or "BoxVi"
    bool is_lcp() const { return !lower_ && !free_; }
    double lower(Index i) const { return lower_ ? (*lower_)[i] : is_free_row(i) ? -infinity : 0.0; }
    double upper(Index i) const { return upper_ ? (*upper_)[i] : infinity; }
    Interval interval(Index i) const { return {lower(i), upper(i)}; }
    bool is_free(Index i) const { return interval(i).is_free(); }

    // Throws InvalidInput, with names and values, if sizes differ, an entry is NaN or infinite, a lower bound exceeds
    // its upper bound, or z (the guess of the solver `who`) has the wrong size or is not finite.
    void check(std::string_view who, const Eigen::VectorXd& z) const;
    // Checks the options of the solver too.
    template <class Solver>
    requires requires { Solver::name; }
    void check(const Solver& solver, const Eigen::VectorXd& z) const {
        check_options(Solver::name, solver.tolerance, solver.max_iterations);
        check(std::string_view(Solver::name), z);
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    bool is_free_row(Index i) const { return free_ && (*free_)[static_cast<std::size_t>(i)]; }

    std::string_view kind_;
    const std::vector<bool>* free_ = nullptr;
    const Eigen::VectorXd* lower_ = nullptr;
    const Eigen::VectorXd* upper_ = nullptr;
};

// What judges every solver of the three affine problems; zero exactly at their solutions:       docs/theory.md (4)
//     residual(z) = | z - mid(l, z - w, u) |_inf / max(1, |q|_inf),   w = M z + q;
// for an Lcp it is |min(z, w)|_inf / max(1, |q|_inf). Infinite where z or w is not finite. Allocates
// nothing where M is dense.
double residual(const AffineBox& problem, const Eigen::VectorXd& z);

// w = M z + q.
Eigen::VectorXd slack(const AffineBox& problem, const Eigen::VectorXd& z);

// The largest residual that z may have, since w = M z + q is known only up to rounding. Rows of w where double
// precision leaves doubt are recomputed in extended precision. With a nearly singular block z may be so large that a
// computed w = 0 means nothing: then this is not small.                                         docs/theory.md (4)
double certified_residual(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance);

// Whether residual and certified_residual are at most `tolerance`.
bool is_solution(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance);

// Every affine solver ends with this. It recomputes the residual; the status becomes converged exactly when that is at
// most `tolerance`, rounding included. A claimed convergence that is not confirmed becomes stalled. The history ends
// with that residual.
SolveReport conclude(const AffineBox& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history = {});

// For solvers that need a dense M: M itself, or its copy in `copy`. Null for a sparse M of more than 10 000 rows
// (800 MB); the report then says why.
const Eigen::MatrixXd* dense_matrix(const AffineBox& problem, Eigen::MatrixXd& copy, SolveReport& report);

// What a solver of affine problems looks like. z is the first guess on entry and the last iterate on return.
template <class S>
concept AffineSolver = requires(const S solver, const AffineBox& problem, Eigen::VectorXd& z) {
    { solver.solve(problem, z) } -> std::same_as<SolveReport>;
    { S::name } -> std::convertible_to<std::string_view>;           // on the command line and in files: "lemke"
    { S::problem_class } -> std::convertible_to<std::string_view>;  // what it is for, in one line
    { solver.tolerance } -> std::convertible_to<double>;            // on residual(problem, z)
    { solver.max_iterations } -> std::convertible_to<int>;
    { solver.history } -> std::convertible_to<History>;
};

}  // namespace saltus
