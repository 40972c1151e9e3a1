#include "saltus/complementarity/affine/auto.hpp"

#include <algorithm>
#include <optional>

#include "saltus/complementarity/affine/enumeration.hpp"
#include "saltus/complementarity/affine/interior_point.hpp"
#include "saltus/complementarity/affine/lemke.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"
#include "saltus/complementarity/affine/tableau.hpp"
#include "saltus/complementarity/ladder.hpp"
#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/matrix_facts.hpp"

namespace saltus {

namespace {

constexpr Index dense_limit = 3000;      // beyond, O(n^2) memory and O(n^3) pivots are left to the sparse ladder
constexpr Index dense_copy_limit = 500;  // up to here a sparse M may be copied into a dense one
constexpr int placement_limit = 4096;    // for enumeration on the ladder

// The tableau of a small Lcp, unless the guess is its solution: an answer that needs no memory.
std::optional<SolveReport> quick_answer(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z) {
    if (problem.M.is_sparse() || !problem.is_lcp() || z.size() > tableau_capacity) return std::nullopt;
    if (is_solution(problem, z, options.tolerance))
        return conclude(problem, z, options.tolerance, {.solver = Auto::name}, options.history);
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, tableau_capacity, 1> guess = z;
    if (const int rounds = solve_on_tableau(problem.M.dense(), problem.q, z); rounds >= 0) {
        SolveReport report =
            conclude(problem, z, options.tolerance, {.iterations = rounds, .solver = "tableau-pivoting"});
        if (report.converged()) {
            options.history.add([&] { return residual(problem, Eigen::VectorXd(guess)); });
            options.history.add(report.residual);
            return report;
        }
    }
    z = guess;
    return std::nullopt;
}

SolveReport climb_down(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z, Auto::Workspace& workspace) {
    Ladder ladder(problem, options.tolerance, options.max_iterations, z, Ladder<AffineBox>::Start::guess,
                  options.history);
    ladder.attempt(PrimalDualActiveSet{}, workspace);
    if (z.size() <= (problem.M.is_sparse() ? dense_copy_limit : dense_limit)) {
        ladder.attempt(Lemke{});
        ladder.attempt(Enumeration{.max_iterations = placement_limit});
        ladder.attempt(SemismoothNewton{});
        ladder.attempt(InteriorPoint{});
    } else {
        ladder.attempt(InteriorPoint{});
        ladder.attempt(SemismoothNewton{});
        ladder.attempt(ProjectedGaussSeidel{});
    }
    SolveReport report = ladder.outcome();
    if (report.converged() || report.status == SolveStatus::no_solution || problem.kind() == "BoxVi") return report;
    if (const std::string note = solvability_note(problem.M); !note.empty()) report.message += "; " + note;
    return report;
}

}  // namespace

SolveReport Auto::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(*this, z);
    if (auto report = quick_answer(problem, *this, z)) return std::move(*report);
    Workspace workspace;
    return climb_down(problem, *this, z, workspace);
}

SolveReport Auto::solve(const AffineBox& problem, Eigen::VectorXd& z, Workspace& workspace) const {
    problem.check(*this, z);
    if (auto report = quick_answer(problem, *this, z)) return std::move(*report);
    return climb_down(problem, *this, z, workspace);
}

}  // namespace saltus
