#pragma once

#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/integrators/event/first_order_mode.hpp"

namespace saltus {

// The mode that follows an event of a first-order model. It is that of an implicit step of vanishing length epsilon:
//     -y_eps in N_K(lambda),   y_eps = y(x, lambda) + epsilon (y_x M^-1 (F + r(lambda)) + y_t),    docs/theory.md (165)
// which for a linear complementarity system is the rational complementarity problem (Heemels, Schumacher, Weiland 1999)
// at s = 1 / epsilon, for relays Stewart's problem of the active set. Rows that this leaves open, where neither the
// multiplier nor y_eps is away from zero, are tried in all places. A mode is taken if its functions are not negative,
// neither at once nor a little later.
class FirstOrderSelection {
public:
    // Relative to x: smaller jumps are rounding.
    static constexpr double jump_tolerance = 1e-8;

    explicit FirstOrderSelection(FirstOrderMode& mode) : mode_(mode) {}

    // Sets the mode, and puts x where it holds: x may jump. The row of `turned` is tried at its bound first.
    // time_scale: a time in which the motion changes little. False if there is no mode; the report says why.
    bool select(double t, Eigen::VectorXd& x, const FirstOrderMode::End* turned, double time_scale);
    const SolveReport& report() const { return report_; }
    // The problem that was solved last.
    const BoxVi& problem() const { return problem_; }

private:
    bool set_problem(double t, const Eigen::VectorXd& x, double epsilon);
    bool solve(double t, const Eigen::VectorXd& x, double epsilon);
    // How far x jumps, to trial_; 0 if x stays where it is, up to rounding.
    double find_jump(double t, const Eigen::VectorXd& x);
    // The same as solve(), after the jump if there is one.
    bool solve_with_jump(double t, Eigen::VectorXd& x, double epsilon);
    // The places that the solution allows, the preferred one first.
    std::vector<std::vector<Place>> places(const FirstOrderMode::End* turned) const;
    bool try_all(double t, Eigen::VectorXd& x, const std::vector<std::vector<Place>>& places, double epsilon);
    bool holds(double t, Eigen::VectorXd& x, double later);

    FirstOrderMode& mode_;
    BoxVi problem_;
    Eigen::VectorXd lambda_, w_;
    Auto::Workspace workspace_;
    SolveReport report_;
    Eigen::VectorXd trial_, slope_, values_, rates_;
};

}  // namespace saltus
