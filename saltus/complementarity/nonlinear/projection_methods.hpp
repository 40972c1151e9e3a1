#pragma once

#include "saltus/complementarity/nonlinear/vi.hpp"

namespace saltus {

// Methods for a Vi that need only F and the projection. The guess is first projected, and F is evaluated only in X.
// The step rho adapts itself: it shrinks by 2/3 until (Khobotov 1987)                  docs/theory.md (44)
//     rho |F(z) - F(y)| <= 0.9 |z - y|,   y = P_X(z - rho F(z)),
// also where F(y) is not finite, and grows by 3/2 after a step where even 0.3 |z - y| would have been enough.

// z <- P_X(z - rho F(z)).                                                              docs/theory.md (45)
// Converges for F the gradient of a convex function, and for F strongly monotone with a small Lipschitz constant; may
// diverge for monotone F that is not a gradient: the simplest rotation defeats it.
struct FixedPointProjection {
    static constexpr std::string_view name = "fixed-point-projection";
    static constexpr std::string_view problem_class = "VI with F the gradient of a convex function, or nearly so";

    double tolerance = 1e-8;  // on residual(problem, z)
    int max_iterations = 20000;
    double first_step = 1.0;  // rho at the start
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("first_step", first_step, "rho at the start");
    }

    SolveReport solve(const Vi& problem, Eigen::VectorXd& z) const;
};

// y = P_X(z - rho F(z)),   z <- P_X(z - rho F(y)).                                     docs/theory.md (46)
// Korpelevich 1976. Converges for F monotone (or pseudo-monotone) and Lipschitz on bounded sets, if a solution exists.
struct ExtraGradient {
    static constexpr std::string_view name = "extragradient";
    static constexpr std::string_view problem_class = "VI with F monotone and locally Lipschitz";

    double tolerance = 1e-8;  // on residual(problem, z)
    int max_iterations = 20000;
    double first_step = 1.0;  // rho at the start
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("first_step", first_step, "rho at the start");
    }

    SolveReport solve(const Vi& problem, Eigen::VectorXd& z) const;
};

// y = P_X(z - rho F(z)); x = z - (2/3)^m (z - y) with the first m = 0, 1, ... such that
//     F(x).(z - y) >= 0.3 |z - y|^2 / rho;                                             docs/theory.md (47)
// the half-space H = {v : F(x).(v - x) <= 0} then contains the solutions but not z, and z is projected onto both,
//     z <- P_(X and H)(z) = P_X(z - s F(x)),   s > 0 from F(x).(P_X(z - s F(x)) - x) = 0,
// a scalar equation, solved to 10 % from below (which projects onto a parallel half-space that contains H). rho grows
// by 6/5 after m = 0 and shrinks by 2/3 after m > 0. Solodov, Svaiter 1999. Converges for F monotone and continuous: no
// Lipschitz constant is needed. Near a solution with F /= 0 on a curved boundary of X the distance from z to H is as
// small as the square of the residual: rounding ends the progress at a residual of about 1e-8.
struct HyperplaneProjection {
    static constexpr std::string_view name = "hyperplane-projection";
    static constexpr std::string_view problem_class = "VI with F monotone and continuous, moderate accuracy";

    double tolerance = 1e-6;  // on residual(problem, z)
    int max_iterations = 20000;
    double first_step = 1.0;  // rho at the start
    History history{};

    template <class Visit>
    void options(Visit&& visit) {
        visit("tolerance", tolerance, "largest residual of a solution");
        visit("max_iterations", max_iterations, "steps");
        visit("first_step", first_step, "rho at the start");
    }

    SolveReport solve(const Vi& problem, Eigen::VectorXd& z) const;
};

}  // namespace saltus
