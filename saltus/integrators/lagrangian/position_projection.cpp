#include "saltus/integrators/lagrangian/position_projection.hpp"

namespace saltus {

PositionProjection::PositionProjection(const std::vector<StepBlock>& blocks, IndexList system_starts)
    : system_starts_(std::move(system_starts)),
      blocks_(blocks),
      is_taken_(blocks.size(), 0),
      delassus_(system_starts_) {
    for (StepBlock& block : blocks_) {
        if (!block.contact()) continue;
        block.count = 1;
        block.X = Eigen::MatrixXd::Zero(block.X.rows(), 1);
    }
}

// Takes the constraints that are violated; one that was taken stays. The largest violation.
double PositionProjection::collect(double t, const Eigen::VectorXd& q) {
    double worst = 0.0;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        StepBlock& block = blocks_[k];
        const bool is_joint = std::holds_alternative<JointLaw>(block.interaction().law);
        if (!block.contact() && !is_joint) continue;
        block.functions.evaluate(t, q);
        const double violation = is_joint ? block.functions.y().lpNorm<Eigen::Infinity>() : -block.functions.y()[0];
        worst = std::max(worst, std::isfinite(violation) ? violation : std::numeric_limits<double>::infinity());
        if (violation > 0.1 * tolerance && !is_taken_[k]) {
            is_taken_[k] = 1;
            taken_.push_back(static_cast<Index>(k));
        }
    }
    return worst;
}

const SolveReport& PositionProjection::project(double t, const std::vector<FreeMotion>& motions, Eigen::VectorXd& q) {
    std::fill(is_taken_.begin(), is_taken_.end(), 0);
    taken_.clear();
    pushed_.clear();
    report_ = {.status = SolveStatus::converged};
    violation_ = collect(t, q);
    double left = violation_;
    for (int k = 0; left > tolerance; ++k, left = collect(t, q)) {
        if (k == most_steps) {
            report_ = {.status = SolveStatus::iteration_limit,
                       .message = "the positions cannot be projected on the constraints; take a shorter step"};
            return report_;
        }
        for (const Index i : taken_) {
            StepBlock& block = blocks_[static_cast<std::size_t>(i)];
            block.J = block.functions.J();
            block.B = block.J.transpose();
            find_X(block, system_starts_, solve_with(motions));
        }
        delassus_.assemble(blocks_, taken_);
        std::vector<Law> laws;
        gaps_.resize(delassus_.rows());
        tau_ = Eigen::VectorXd::Zero(delassus_.rows());
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            const StepBlock& block = blocks_[static_cast<std::size_t>(taken_[i])];
            gaps_.segment(delassus_.start(i), block.count) = block.functions.y().head(block.count);
            if (block.contact())
                laws.push_back(Interval{});
            else
                laws.insert(laws.end(), block.laws.begin(), block.laws.end());
        }
        solver_.set(delassus_.to_matrix(), std::move(laws));
        report_ = solver_.solve(gaps_, tau_);
        if (!report_.converged()) return report_;
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            const StepBlock& block = blocks_[static_cast<std::size_t>(taken_[i])];
            block.add_to(q, system_starts_, tau_.data() + delassus_.start(i));
            if (block.contact() && tau_[delassus_.start(i)] > 0.0 && std::ranges::count(pushed_, taken_[i]) == 0)
                pushed_.push_back(taken_[i]);
        }
    }
    return report_;
}

}  // namespace saltus
