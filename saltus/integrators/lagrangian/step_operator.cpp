#include "saltus/integrators/lagrangian/step_operator.hpp"

namespace saltus {

void StepOperator::assemble(std::vector<StepBlock>& blocks, const IndexList& active, PercussionSolver& solver) {
    delassus_.assemble(blocks, active);
    operator_of_ = active;
    std::vector<Law> laws;
    for (const Index i : active) {
        const std::vector<Law>& own = blocks[static_cast<std::size_t>(i)].laws;
        laws.insert(laws.end(), own.begin(), own.end());
    }
    solver.set(delassus_.to_matrix(), std::move(laws));
    for (std::size_t k = 0; k < active.size(); ++k) {
        double trace = 0.0;
        for (Index i = delassus_.start(k); i < delassus_.start(k + 1); ++i) trace += solver.W()(i, i);
        StepBlock& block = blocks[static_cast<std::size_t>(active[k])];
        block.rho = trace > 0.0 ? static_cast<double>(block.rows()) / trace : 1.0;
    }
    load_.resize(delassus_.rows());
    percussions_.resize(delassus_.rows());
}

// The one-step problem: q = J v_free + offset.
bool StepOperator::solve(const std::vector<StepBlock>& blocks, const IndexList& active, PercussionSolver& solver,
                         Eigen::VectorXd& v, Eigen::VectorXd& P) {
    bool has_tension = false;
    for (std::size_t k = 0; k < active.size(); ++k) {
        const StepBlock& block = blocks[static_cast<std::size_t>(active[k])];
        const Index at = delassus_.start(k);
        for (Index i = 0; i < block.rows(); ++i) {
            double sum = block.offset[i];
            for (Index j = 0; j < block.J.cols(); ++j)
                sum += block.J(i, j) * v[block.functions.coordinates()[static_cast<std::size_t>(j)]];
            load_[at + i] = sum;
        }
        percussions_.segment(at, block.rows()) = P.segment(block.start, block.rows());
        has_tension = has_tension || block.tension > 0.0;
    }
    if (has_tension) shift_tension(blocks, active, solver.W());
    const bool is_solved = solver.solve(load_, percussions_).converged();
    if (has_tension) percussions_ -= shift_;
    for (std::size_t k = 0; k < active.size(); ++k) {
        const StepBlock& block = blocks[static_cast<std::size_t>(active[k])];
        P.segment(block.start, block.rows()) = percussions_.segment(delassus_.start(k), block.rows());
        block.add_to(v, system_starts_, P.data() + block.start);
    }
    return is_solved;
}

// With P^ = P + tension: w = W P^ + (q - W tension).
void StepOperator::shift_tension(const std::vector<StepBlock>& blocks, const IndexList& active, const Matrix& W) {
    shift_.setZero(load_.size());
    for (std::size_t k = 0; k < active.size(); ++k)
        shift_[delassus_.start(k)] = -blocks[static_cast<std::size_t>(active[k])].tension;
    W.multiply_add(shift_, load_);
    shift_ = -shift_;
    percussions_ += shift_;
}

}  // namespace saltus
