#pragma once

#include "saltus/complementarity/one_step/one_step_problem.hpp"

namespace saltus::one_step {

// A problem in units of its own, block by block: with s_i = 1 / sqrt(mean |diag W_ii|),
//     r = s rhat,   what = s w,   What = s W s,   qhat = s q,
// so that every diagonal block of What has a diagonal of mean one. The laws stay (cones have no unit; the bounds of an
// interval are divided by s). First-order methods then need no unit of their own and are affected neither by the ratios
// of masses nor by those of lengths. Refers to the original, which must outlive this.
class Equilibrated {
public:
    explicit Equilibrated(const OneStepView& original);

    const OneStepView& original() const { return original_; }
    const OneStepView& scaled() const { return view_; }
    const Eigen::VectorXd& scale() const { return scale_; }  // s, one per component
    Eigen::VectorXd to_scaled(const Eigen::VectorXd& r) const { return r.cwiseQuotient(scale_); }

private:
    const OneStepView& original_;
    Eigen::VectorXd scale_;
    OneStepProblem problem_;
    OneStepView view_;
};

// W = symmetric + skew; `skew` has no rows where W is symmetric up to rounding.
struct SymmetricSplit {
    Matrix::Sparse symmetric, skew;

    explicit SymmetricSplit(const Matrix::Sparse& full);
    bool is_symmetric() const { return skew.rows() == 0; }
};

// The best of the iterates of a method that runs on the equilibrated problem: the last one that solves the original,
// else the one with the least speed_error. A point that escapes to infinity is never the best.
class BestPoint {
public:
    // r: the first guess on entry (zero takes its place if it is an escape), from then on the best point so far.
    BestPoint(const Equilibrated& problem, double tolerance, Eigen::VectorXd& r);

    // The residual of rhat, given what = What rhat + qhat. Allocates nothing.
    double judge(const Eigen::VectorXd& rhat, const Eigen::VectorXd& what);
    // The same if What rhat + qhat is not known.
    double judge(const Eigen::VectorXd& rhat);
    // The same without keeping the point.
    double residual_of(const Eigen::VectorXd& rhat) const;
    bool is_solution() const { return is_solution_; }
    double residual() const { return residual_; }  // of the best point

    // Ends a solve: recomputes the residual of the best point, and reports escapes if it is not a solution.
    SolveReport conclude(SolveReport report, History history) const;

private:
    double judge_point();

    const Equilibrated& problem_;
    double tolerance_;
    Eigen::VectorXd& best_;
    Eigen::VectorXd r_, w_, what_;
    double residual_ = std::numeric_limits<double>::infinity(), least_ = residual_;
    bool escaped_ = false, is_solution_ = false;
};

}  // namespace saltus::one_step
