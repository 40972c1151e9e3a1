#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"

namespace saltus {

// Runs solvers one after the other until one settles the matter, and remembers the best outcome: the core of the two
// solvers called Auto. Problem is what the solvers take; residual(problem, z) judges.
template <class Problem>
class Ladder {
public:
    enum class Start { guess, best };  // where a solver begins: at the first guess, or at the best point so far

    // The history is that of one solver after the other, each from where it begins.
    Ladder(const Problem& problem, double tolerance, int max_iterations, Eigen::VectorXd& z, Start start,
           History history = {})
        : problem_(problem),
          tolerance_(tolerance),
          max_iterations_(max_iterations),
          z_(z),
          guess_(z),
          start_(start),
          history_(history) {}
    // The problem must outlive the ladder: no temporary.
    Ladder(const Problem&& problem, double tolerance, int max_iterations, Eigen::VectorXd& z, Start start,
           History history = {}) = delete;

    bool is_settled() const { return is_settled_; }
    // Where the solvers that follow begin.
    void begin_at(Start start) { start_ = start; }

    // Runs `solver` unless an earlier one has settled the matter.
    template <class Solver, class... Workspace>
    void attempt(Solver solver, Workspace&... workspace) {
        if (is_settled_) return;
        solver.tolerance = tolerance_;
        solver.max_iterations = std::min(solver.max_iterations, max_iterations_);
        solver.history = history_;
        Eigen::VectorXd z = start_ == Start::guess ? guess_ : z_;
        SolveReport report = solver.solve(problem_, z, workspace...);
        is_settled_ = report.converged() || report.status == SolveStatus::no_solution;
        attempts_.push_back({Solver::name, report.status, report.residual});
        // A small residual that the solver does not accept: the point runs to infinity.
        const bool is_refused = !report.converged() && report.residual <= tolerance_;
        if (report.converged() || (report.residual < least_residual_ && !is_refused)) {
            least_residual_ = report.residual;
            z_.swap(z);
        }
        if (is_settled_ || knowledge(report.status) >= knowledge(outcome_.status)) outcome_ = std::move(report);
    }

    // The report of the solver that settled the matter. Otherwise the report of the one that knows most (a proof, a
    // ray, the last), with the residual of z, the best point, and a message that says what was tried.
    SolveReport outcome() {
        if (outcome_.converged()) return std::move(outcome_);
        outcome_.residual = residual(problem_, z_);
        history_.add(outcome_.residual);
        for (const Attempt& attempt : attempts_)
            outcome_.message += fmt::format("{}{} ({}, residual {:.1e})",
                                            &attempt != &attempts_.front() ? ", "
                                            : outcome_.message.empty()     ? "tried "
                                                                           : "; tried ",
                                            attempt.solver, to_string(attempt.status), attempt.residual);
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

    const Problem& problem_;
    double tolerance_;
    int max_iterations_;
    Eigen::VectorXd& z_;
    const Eigen::VectorXd guess_;
    Start start_;
    History history_;
    double least_residual_ = std::numeric_limits<double>::infinity();
    bool is_settled_ = false;
    std::vector<Attempt> attempts_;
    SolveReport outcome_{.status = SolveStatus::unsuitable_problem};
};

}  // namespace saltus
