#pragma once

#include <string_view>

namespace saltus {

// The theta-gamma schemes for M x' = A x + b + f(x) + r of a model, with x_(k+theta) = theta x_(k+1) + (1 - theta) x_k:
//     M (x_(k+1) - x_k) = h (A x + b + f)_(k+theta) + h r_(k+gamma),                              docs/theory.md (113)
// the relations and the laws at t_(k+1). Which of them converges depends on the smoothness of the solution (004):
//   theta = gamma = 1/2   r a Lipschitz function of x (relative degree 0): order 2, if lambda(t0) solves the law
//   theta, gamma = 1      x absolutely continuous (relative degree 1, consistent start): order 1
//   measures              x of bounded variation (jumps): the unknown is sigma = h lambda, the measure of the step,
//                         bounded where lambda is a Dirac impulse; theta = gamma = 1
struct EulerMoreau {
    static constexpr std::string_view name = "euler-moreau";

    double theta = 1.0;
    double gamma = 1.0;
    bool measures = false;

    // Throws InvalidInput if theta or gamma lies outside [0, 1], gamma is 0, or `measures` is set and either differs
    // from 1.
    void check() const;
};

}  // namespace saltus
