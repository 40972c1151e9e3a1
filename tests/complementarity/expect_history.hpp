#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "saltus/core/history.hpp"
#include "saltus/core/report.hpp"

namespace saltus::testing {

struct RecordedSolve {
    SolveReport report;
    std::vector<double> residuals;
};

inline void expect_same_report(const SolveReport& a, const SolveReport& b) {
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.residual, b.residual);
    EXPECT_EQ(a.solver, b.solver);
    EXPECT_EQ(a.message, b.message);
    EXPECT_EQ(a.certificate, b.certificate);
}

// Solves without a history and with one, and expects what every solver promises of it: the same solution, the residual
// of the guess first (which the solver must be able to start from), that of the solution last.
template <class Solver, class Problem>
RecordedSolve expect_history(Solver solver, const Problem& problem, const Eigen::VectorXd& guess) {
    Eigen::VectorXd z = guess, recorded_z = guess;
    const SolveReport report = solver.solve(problem, z);
    RecordedSolve recorded;
    solver.history = {&recorded.residuals};
    recorded.report = solver.solve(problem, recorded_z);
    EXPECT_EQ(recorded_z, z);
    expect_same_report(recorded.report, report);
    EXPECT_FALSE(recorded.residuals.empty());
    if (recorded.residuals.empty()) return recorded;
    EXPECT_NEAR(recorded.residuals.front(), residual(problem, guess), 1e-13);
    EXPECT_EQ(recorded.residuals.back(), report.residual);
    return recorded;
}

inline void expect_one_number_an_iteration(const RecordedSolve& recorded) {
    EXPECT_EQ(std::ssize(recorded.residuals), recorded.report.iterations + 1);
}

// Number k is the residual that the solver reports after k iterations, where it returns the last iterate.
template <class Solver, class Problem>
void expect_residuals_of_iterates(Solver solver, const Problem& problem, const Eigen::VectorXd& guess) {
    const std::vector<double> residuals = expect_history(solver, problem, guess).residuals;
    for (std::size_t k = 0; k < residuals.size(); ++k) {
        Eigen::VectorXd z = guess;
        solver.max_iterations = static_cast<int>(k);
        EXPECT_NEAR(solver.solve(problem, z).residual, residuals[k], 1e-13) << "iteration " << k;
    }
}

}  // namespace saltus::testing
