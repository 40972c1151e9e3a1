#include "saltus/complementarity/auto.hpp"

#include <algorithm>

#include "saltus/complementarity/enumeration.hpp"
#include "saltus/complementarity/interior_point.hpp"
#include "saltus/complementarity/lemke.hpp"
#include "saltus/complementarity/primal_dual_active_set.hpp"
#include "saltus/complementarity/projected_gauss_seidel.hpp"
#include "saltus/complementarity/semismooth_newton.hpp"
#include "saltus/complementarity/tableau.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/matrix_facts.hpp"

namespace saltus {

namespace {

constexpr Index dense_limit = 3000;    // beyond, O(n^2) memory and O(n^3) pivots are left to the sparse ladder
constexpr int placement_limit = 4096;  // for enumeration on the ladder

// Runs solvers one after the other from the same guess, and remembers the best outcome.
class Ladder {
public:
    Ladder(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z)
        : problem_(problem), options_(options), z_(z), guess_(z) {}

    // Runs `solver` unless an earlier one has settled the matter.
    template <AffineSolver Solver>
    void attempt(Solver solver) {
        if (settled_) return;
        solver.tolerance = options_.tolerance;
        solver.max_iterations = std::min(solver.max_iterations, options_.max_iterations);
        Eigen::VectorXd z = guess_;
        SolveReport report = solver.solve(problem_, z);
        settled_ = report.converged() || report.status == SolveStatus::no_solution;
        tried_ += fmt::format("{}{} ({}, residual {:.1e})", tried_.empty() ? "tried " : ", ", Solver::name,
                              to_string(report.status), report.residual);
        if (report.residual < least_residual_) {
            least_residual_ = report.residual;
            z_ = z;
        }
        if (settled_ || knowledge(report.status) >= knowledge(outcome_.status)) outcome_ = std::move(report);
    }

    SolveReport outcome() {
        if (outcome_.converged()) return std::move(outcome_);
        outcome_.residual = residual(problem_, z_);
        if (!outcome_.message.empty()) outcome_.message += "; ";
        outcome_.message += tried_;
        if (const std::string note = solvability_note(problem_.M); !note.empty()) outcome_.message += "; " + note;
        return std::move(outcome_);
    }

private:
    static int knowledge(SolveStatus status) {
        if (status == SolveStatus::no_solution) return 3;
        if (status == SolveStatus::ray_termination) return 2;
        return status == SolveStatus::unsuitable_problem ? 0 : 1;
    }

    const AffineBox& problem_;
    const Auto& options_;
    Eigen::VectorXd& z_;
    const Eigen::VectorXd guess_;
    double least_residual_ = std::numeric_limits<double>::infinity();
    bool settled_ = false;
    std::string tried_;
    SolveReport outcome_{.status = SolveStatus::unsuitable_problem};
};

}  // namespace

SolveReport Auto::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(name, z);
    if (const double guessed = residual(problem, z); guessed <= tolerance)
        return {.status = SolveStatus::converged, .residual = guessed, .solver = name};

    const bool dense = !problem.M.is_sparse();
    if (dense && problem.is_lcp() && z.size() <= tableau_capacity) {
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, tableau_capacity, 1> guess = z;
        if (const int rounds = solve_on_tableau(problem.M.dense(), problem.q, z); rounds >= 0) {
            SolveReport report = conclude(problem, z, tolerance, {.iterations = rounds, .solver = "tableau-pivoting"});
            if (report.converged()) return report;
        }
        z = guess;
    }
    Ladder ladder(problem, *this, z);
    ladder.attempt(PrimalDualActiveSet{});
    if (z.size() <= dense_limit && (dense || z.size() <= tableau_capacity)) {
        ladder.attempt(Lemke{});
        ladder.attempt(Enumeration{.max_iterations = placement_limit});
        ladder.attempt(SemismoothNewton{});
        ladder.attempt(InteriorPoint{});
    } else {
        ladder.attempt(InteriorPoint{});
        ladder.attempt(SemismoothNewton{});
        ladder.attempt(ProjectedGaussSeidel{});
    }
    return ladder.outcome();
}

}  // namespace saltus
