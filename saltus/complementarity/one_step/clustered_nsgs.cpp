#include "saltus/complementarity/one_step/clustered_nsgs.hpp"

#include "saltus/complementarity/one_step/anderson.hpp"
#include "saltus/complementarity/one_step/clusters.hpp"
#include "saltus/complementarity/one_step/sweep_judge.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

// What happened in a period.
class Period {
public:
    explicit Period(const BlockMatrix& W) : W_(W), movement_(Eigen::VectorXd::Zero(W.blocks())) {}

    // `step` = G(x) - x. Each counts the same, however long: a cycle outlasts what decays.
    void note(const Eigen::VectorXd& step, double length) {
        least_ = std::min(least_, length);
        if (length == 0.0) return;
        for (Index i = 0; i < W_.blocks(); ++i)
            movement_[i] += step.segment(W_.start(i), W_.size(i)).squaredNorm() / (length * length);
    }
    const Eigen::VectorXd& movement() const { return movement_; }
    bool has_progressed(double factor) const { return least_ <= factor * last_least_; }
    // After the clusters have grown it is another map, about which nothing is known yet.
    void restart(bool is_same_map) {
        last_least_ = is_same_map ? least_ : infinity;
        least_ = infinity;
        movement_.setZero();
    }

private:
    const BlockMatrix& W_;
    Eigen::VectorXd movement_;  // of each block
    double least_ = infinity, last_least_ = infinity;
};

SolveReport iterate(const ClusteredNsgs& options, const OneStepView& problem, Eigen::VectorXd& r) {
    const double finest = 1e-3 * options.tolerance;  // accuracy of a cluster, which need not exceed that of the rest
    const Index most = std::min<Index>(options.largest_cluster, problem.blocks() / 4);
    SolveReport report{.solver = ClusteredNsgs::name};
    SweepJudge judge(problem, options.tolerance, r, report, options.history);
    if (judge.is_solved()) return report;
    Clusters clusters(problem);
    Anderson anderson(problem.size(), options.memory);
    Period period(problem.W);
    Eigen::VectorXd x = r, swept = r, step(r.size());
    double accuracy = finest;
    bool accelerates = false;
    while (!judge.is_solved() && report.iterations < options.max_iterations) {
        check_interruption();
        clusters.sweep(swept, accuracy);
        ++report.iterations;
        step = swept - x;
        const double change = step.norm();
        if (!judge.judge(swept, change, report.iterations == options.max_iterations)) break;
        accuracy = change > 0.0 ? std::max(finest, 0.01 * change / (change + swept.norm())) : finest;
        period.note(step, change);
        if (report.iterations % options.period == 0) {
            accelerates = period.has_progressed(options.progress);
            if (!accelerates) {
                clusters.grow(period.movement(), options.share);
                anderson.restart();
            }
            period.restart(accelerates);
            if (clusters.largest() > most) {
                report.status = SolveStatus::stalled;
                report.message = fmt::format("a cluster of {} blocks cycles, more than {}; use interior-point",
                                             clusters.largest(), most);
                break;
            }
        }
        if (accelerates) {
            anderson.accelerate(x, swept);
            project(problem, swept);
        }
        x = swept;
    }
    return report;
}

}  // namespace

SolveReport ClusteredNsgs::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    check_memory(name, memory);
    require(period >= 2 && largest_cluster >= 1, "{}: period is {}, largest_cluster {}; they must be at least 2 and 1",
            name, period, largest_cluster);
    require(0.0 < progress && progress < 1.0 && 0.0 < share && share < 1.0,
            "{}: progress is {}, share {}; both must lie between 0 and 1", name, progress, share);
    return conclude(problem, r, tolerance, iterate(*this, problem, r), history);
}

}  // namespace saltus::one_step
