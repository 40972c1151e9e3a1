#include "saltus/complementarity/auto.hpp"

#include <algorithm>
#include <optional>

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

constexpr Index dense_limit = 3000;      // beyond, O(n^2) memory and O(n^3) pivots are left to the sparse ladder
constexpr Index dense_copy_limit = 500;  // up to here a sparse M may be copied into a dense one
constexpr int placement_limit = 4096;    // for enumeration on the ladder

// Runs solvers one after the other from the same guess, and remembers the best outcome.
class Ladder {
public:
    Ladder(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z)
        : problem_(problem), options_(options), z_(z), guess_(z) {}

    // Runs `solver` unless an earlier one has settled the matter.
    template <AffineSolver Solver, class... Workspace>
    void attempt(Solver solver, Workspace&... workspace) {
        if (settled_) return;
        solver.tolerance = options_.tolerance;
        solver.max_iterations = std::min(solver.max_iterations, options_.max_iterations);
        Eigen::VectorXd z = guess_;
        SolveReport report = solver.solve(problem_, z, workspace...);
        settled_ = report.converged() || report.status == SolveStatus::no_solution;
        attempts_.push_back({Solver::name, report.status, report.residual});
        if (report.converged() || report.residual < least_residual_) {
            least_residual_ = report.residual;
            z_.swap(z);
        }
        if (settled_ || knowledge(report.status) >= knowledge(outcome_.status)) outcome_ = std::move(report);
    }

    SolveReport outcome() {
        if (outcome_.converged()) return std::move(outcome_);
        outcome_.residual = residual(problem_, z_);
        for (const Attempt& attempt : attempts_)
            outcome_.message += fmt::format("{}{} ({}, residual {:.1e})",
                                            &attempt != &attempts_.front() ? ", "
                                            : outcome_.message.empty()     ? "tried "
                                                                           : "; tried ",
                                            attempt.solver, to_string(attempt.status), attempt.residual);
        if (outcome_.status == SolveStatus::no_solution || problem_.kind() == "BoxVi") return std::move(outcome_);
        if (const std::string note = solvability_note(problem_.M); !note.empty()) outcome_.message += "; " + note;
        return std::move(outcome_);
    }

private:
    struct Attempt {
        std::string_view solver;
        SolveStatus status;
        double residual;
    };

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
    std::vector<Attempt> attempts_;
    SolveReport outcome_{.status = SolveStatus::unsuitable_problem};
};

// The tableau of a small Lcp, unless the guess is its solution: an answer that needs no memory.
std::optional<SolveReport> quick_answer(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z) {
    if (problem.M.is_sparse() || !problem.is_lcp() || z.size() > tableau_capacity) return std::nullopt;
    if (is_solution(problem, z, options.tolerance))
        return conclude(problem, z, options.tolerance, {.solver = Auto::name});
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, tableau_capacity, 1> guess = z;
    if (const int rounds = solve_on_tableau(problem.M.dense(), problem.q, z); rounds >= 0) {
        SolveReport report =
            conclude(problem, z, options.tolerance, {.iterations = rounds, .solver = "tableau-pivoting"});
        if (report.converged()) return report;
    }
    z = guess;
    return std::nullopt;
}

SolveReport climb_down(const AffineBox& problem, const Auto& options, Eigen::VectorXd& z, Auto::Workspace& workspace) {
    Ladder ladder(problem, options, z);
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
    return ladder.outcome();
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
