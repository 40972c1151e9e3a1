#include "saltus/complementarity/one_step/equilibrated.hpp"

#include <cmath>

namespace saltus::one_step {

namespace {

// A block without a diagonal of its own is given this share of the mean one.
constexpr double smallest_share = 1e-8;

Eigen::VectorXd block_scales(const OneStepView& problem) {
    Eigen::VectorXd scale(problem.size());
    const double smallest = smallest_share / problem.rho();  // 1 / rho is the mean of the diagonal
    for (Index i = 0; i < problem.blocks(); ++i) {
        const double mean = problem.W.diagonal(i).diagonal().cwiseAbs().mean();
        scale.segment(problem.W.start(i), problem.W.size(i)).setConstant(1.0 / std::sqrt(std::max(mean, smallest)));
    }
    return scale;
}

Law scaled_law(const Law& law, double scale) {
    if (const auto* interval = std::get_if<Interval>(&law))
        return Interval{interval->lower / scale, interval->upper / scale};
    return law;
}

OneStepProblem scaled_problem(const OneStepView& problem, const Eigen::VectorXd& scale) {
    std::vector<int> sizes;
    std::vector<Law> laws;
    for (Index i = 0; i < problem.blocks(); ++i) {
        sizes.push_back(problem.W.size(i));
        laws.push_back(scaled_law(problem.law(i), scale[problem.W.start(i)]));
    }
    const Matrix::Sparse W = scale.asDiagonal() * problem.W.to_sparse() * scale.asDiagonal();
    return {BlockMatrix(Matrix(W), sizes), scale.cwiseProduct(problem.q), std::move(laws)};
}

}  // namespace

Equilibrated::Equilibrated(const OneStepView& original)
    : original_(original),
      scale_(block_scales(original)),
      problem_(scaled_problem(original, scale_)),
      view_(problem_) {}

SymmetricSplit::SymmetricSplit(const Matrix::Sparse& full) {
    if (Matrix(full).is_symmetric(symmetry_rounding)) {
        symmetric = full;
        return;
    }
    const Matrix::Sparse transposed = full.transpose();
    symmetric = 0.5 * (full + transposed);
    skew = 0.5 * (full - transposed);
}

BestPoint::BestPoint(const Equilibrated& problem, double tolerance, Eigen::VectorXd& r)
    : problem_(problem), tolerance_(tolerance), best_(r), r_(r), w_(velocity(problem.original(), r)), what_(r.size()) {
    judge_point();
    if (!escaped_) return;
    best_.setZero();
    r_.setZero();
    w_ = problem.original().q;
    judge_point();
}

double BestPoint::judge(const Eigen::VectorXd& rhat, const Eigen::VectorXd& what) {
    r_ = problem_.scale().cwiseProduct(rhat);
    w_ = what.cwiseQuotient(problem_.scale());
    return judge_point();
}

double BestPoint::judge_point() {
    const double error = saltus::residual(problem_.original(), r_, w_);
    const double of_speed = speed_error(problem_.original(), error, r_, w_);
    escaped_ = is_escape(error, of_speed, tolerance_);
    const bool solves = error <= tolerance_ && !escaped_;
    if (solves || (!is_solution_ && !escaped_ && of_speed < least_)) {
        is_solution_ = solves;
        residual_ = error;
        least_ = of_speed;
        best_ = r_;
    }
    return error;
}

double BestPoint::judge(const Eigen::VectorXd& rhat) {
    what_ = problem_.scaled().q;
    problem_.scaled().W.multiply_add(rhat, what_);
    return judge(rhat, what_);
}

double BestPoint::residual_of(const Eigen::VectorXd& rhat) const {
    return saltus::residual(problem_.original(), problem_.scale().cwiseProduct(rhat));
}

SolveReport BestPoint::conclude(SolveReport report, History history) const {
    if (escaped_ && !is_solution()) report.message = escape_message;
    return saltus::conclude(problem_.original(), best_, tolerance_, std::move(report), history);
}

}  // namespace saltus::one_step
