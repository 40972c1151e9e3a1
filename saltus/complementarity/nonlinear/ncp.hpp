#pragma once

#include <functional>
#include <limits>
#include <string_view>

#include "saltus/core/history.hpp"
#include "saltus/core/matrix.hpp"
#include "saltus/core/report.hpp"
#include "saltus/laws/interval.hpp"

namespace saltus {

// F <- F(z). F comes with as many entries as z, all NaN, so that a missing entry is noticed.
using VectorFunction = std::function<void(const Eigen::VectorXd& z, Eigen::VectorXd& F)>;
// J <- F'(z), J_ij = dF_i/dz_j, dense or sparse. J comes with its last value.
using JacobianFunction = std::function<void(const Eigen::VectorXd& z, Matrix& J)>;

// Nonlinear complementarity problem: find z such that                                  docs/theory.md (33)
//     0 <= z,   0 <= w = F(z),   z.w = 0.
// Facchinei, Pang, Finite-Dimensional Variational Inequalities and Complementarity Problems, 2003, sec. 1.1.
struct Ncp {
    Index size = 0;
    VectorFunction F;
    JacobianFunction jacobian;
};

// Mixed complementarity problem, bounds possibly infinite:                             docs/theory.md (34)
//     -F(z) in N_[lower, upper](z),
// that is, with w = F(z): w_i >= 0 where z_i = lower_i, w_i <= 0 where z_i = upper_i, w_i = 0 between.
struct Mcp {
    VectorFunction F;
    JacobianFunction jacobian;
    Eigen::VectorXd lower, upper;
};

// An Ncp or an Mcp, seen as an Mcp. A view: it copies nothing and must not outlive the problem.
class McpView {
public:
    McpView(const Ncp& problem)
        : kind_("Ncp"), size_(problem.size), function_(problem.F), jacobian_(problem.jacobian) {}
    McpView(const Mcp& problem)
        : kind_("Mcp"),
          size_(problem.lower.size()),
          function_(problem.F),
          jacobian_(problem.jacobian),
          lower_(&problem.lower),
          upper_(&problem.upper) {}

    Index size() const { return size_; }
    std::string_view kind() const { return kind_; }  // "Ncp" or "Mcp"
    bool is_ncp() const { return !lower_; }
    double lower(Index i) const { return lower_ ? (*lower_)[i] : 0.0; }
    double upper(Index i) const { return upper_ ? (*upper_)[i] : std::numeric_limits<double>::infinity(); }
    Interval interval(Index i) const { return {lower(i), upper(i)}; }
    Eigen::VectorXd lower() const;
    Eigen::VectorXd upper() const;

    // w <- F(z), J <- F'(z). Entries may be NaN or infinite; throw InvalidInput if a callable returns a wrong size.
    void evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& w) const;
    void evaluate_jacobian(const Eigen::VectorXd& z, Matrix& J) const;

    // Throws InvalidInput, with names and values, if a callable is missing, sizes differ, an interval is empty, or z
    // (the guess of the solver `who`) has the wrong size or is not finite. Calls neither F nor its Jacobian.
    void check(std::string_view who, const Eigen::VectorXd& z) const;

    // Throws InvalidInput if F or its Jacobian is not finite at z, the point where the solver `who` starts.
    void check_values(std::string_view who, const Eigen::VectorXd& z) const;

private:
    std::string_view kind_;
    Index size_;
    const VectorFunction& function_;
    const JacobianFunction& jacobian_;
    const Eigen::VectorXd* lower_ = nullptr;
    const Eigen::VectorXd* upper_ = nullptr;
};

// What judges every solver of an Ncp or Mcp; zero exactly at the solutions:             docs/theory.md (35)
//     residual(z) = | z - mid(l, z - F(z), u) |_inf;    |min(z, F(z))|_inf for an Ncp.
// Not scaled: a callable has no data such as q that show what is large, and with a scale taken from the guess the same
// z would be right or wrong depending on where the solver began. Infinite where z or F(z) is not finite.
double residual(const McpView& problem, const Eigen::VectorXd& z);

// Every solver ends with this. As for AffineBox, the status is converged exactly if the residual confirms it.
SolveReport conclude(const McpView& problem, const Eigen::VectorXd& z, double tolerance, SolveReport report,
                     History history = {});

}  // namespace saltus
