#pragma once

#include <concepts>
#include <vector>

namespace saltus {

// Where the residuals of the iterates of a solve are appended, if anywhere. The caller owns the numbers:
//     std::vector<double> residuals;
//     SemismoothNewton{.history = {&residuals}}.solve(problem, z);
// An iteration appends the residual of the iterate from which it begins: the first is the guess, or the point that a
// method puts in its place (its projection, where the method needs it). The return appends SolveReport::residual. So
// there are SolveReport::iterations + 1 numbers, and the last is that of the returned point, also where it is an
// earlier iterate, the best. Exceptions are noted beside the `history` of a solver.
//
// Residuals are those to which the tolerance applies, infinite where the solver refuses a point. The solution
// has the same bits with a history and without; residuals which the solver itself does not need are computed for it.
struct History {
    std::vector<double>* residuals = nullptr;

    explicit operator bool() const { return residuals != nullptr; }
    void add(double residual) const {
        if (residuals) residuals->push_back(residual);
    }
    // The same where the residual is to be computed only if somebody wants it.
    template <std::invocable Residual>
    void add(const Residual& residual) const {
        if (residuals) residuals->push_back(residual());
    }
};

}  // namespace saltus
