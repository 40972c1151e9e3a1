#pragma once

#include <concepts>
#include <vector>

namespace saltus {

// Where the residuals of the iterates of a solve are appended, if anywhere. The caller owns the numbers:
//     std::vector<double> residuals;
//     SemismoothNewton{.history = {&residuals}}.solve(problem, z);
// An iteration appends the residual of the iterate from which it begins: the first is the guess, or the point that a
// method puts in its place (its projection, where the method needs it). On return SolveReport::residual is appended. So
// there are SolveReport::iterations + 1 numbers, and the last is that of the returned point, even if that is an earlier
// iterate, the best. Exceptions are noted beside the `history` of a solver.
//
// Residuals are those to which the tolerance applies; they are infinite where the solver refuses a point. The solution
// has the same bits with and without a history; residuals that the solver does not need are computed just for it.
struct History {
    std::vector<double>* residuals = nullptr;

    explicit operator bool() const { return residuals != nullptr; }
    void add(double residual) const {
        if (residuals) residuals->push_back(residual);
    }
    // The same, for a residual that is computed only if it is wanted.
    template <std::invocable Residual>
    void add(const Residual& residual) const {
        if (residuals) residuals->push_back(residual());
    }
};

}  // namespace saltus
