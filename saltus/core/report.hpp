#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <string_view>

namespace saltus {

// How a solve ended. Only `converged` means that z solves the problem.
enum class SolveStatus {
    converged,           // residual(problem, z) <= tolerance, recomputed after the last step
    iteration_limit,     // max_iterations reached first, and nothing else is known
    no_solution,         // proven: by a certificate (SolveReport::certificate) or by exhaustion
    ray_termination,     // the path of a pivoting method ends in a ray; the ray is SolveReport::certificate
    stalled,             // numerical breakdown: singular block, step length zero, cycling
    unsuitable_problem,  // outside the problem class of this solver, as its checks or its steps have shown (the message
                         // says how): more iterations do not help
};

// "converged", "iteration-limit", ...: the words of messages and of `saltus solve --json`.
std::string_view to_string(SolveStatus status);

// The outcome of a solve. Not converging is an outcome, never an exception.
struct SolveReport {
    SolveStatus status = SolveStatus::iteration_limit;
    int iterations = 0;
    double residual = std::numeric_limits<double>::infinity();  // residual(problem, z) of the returned z
    std::string_view solver{};                                  // the name of the solver that answered
    std::string message{};          // for people: why it stopped and what to try; empty when there is nothing to say
    Eigen::VectorXd certificate{};  // a proof or a ray, if the status speaks of one; else empty

    bool converged() const { return status == SolveStatus::converged; }
};

// The report with the status that its residual confirms: converged exactly when that is at most `tolerance`; a claimed
// convergence that is not confirmed becomes stalled.
SolveReport confirmed(SolveReport report, double tolerance);

}  // namespace saltus
