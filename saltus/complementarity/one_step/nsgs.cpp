#include "saltus/complementarity/one_step/nsgs.hpp"

#include "saltus/complementarity/one_step/anderson.hpp"
#include "saltus/complementarity/one_step/islands.hpp"
#include "saltus/complementarity/one_step/sweep.hpp"
#include "saltus/complementarity/one_step/sweep_judge.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

// Turns of plain and of accelerated sweeps, see Nsgs::settling.
class Turns {
public:
    explicit Turns(int settling) : plain_(settling), end_(settling), accelerates_(settling == 0) {}

    bool accelerates() const { return accelerates_; }
    bool is_over(int sweeps) const { return plain_ > 0 && sweeps == end_; }
    // `swept` is where the next turn starts: accelerated sweeps that did not converge are taken back.
    void change(Eigen::VectorXd& swept) {
        if (accelerates_) {
            swept = settled_;
            plain_ *= 2;
        } else {
            settled_ = swept;
        }
        accelerates_ = !accelerates_;
        end_ += accelerates_ ? (plain_ + 1) / 2 : plain_;
    }

private:
    std::int64_t plain_;  // sweeps of a plain turn
    std::int64_t end_;    // of the turn, in sweeps
    bool accelerates_;
    Eigen::VectorXd settled_;
};

SolveReport iterate(const Nsgs& options, const OneStepView& problem, Eigen::VectorXd& r) {
    SolveReport report{.solver = Nsgs::name};
    SweepJudge judge(problem, options.tolerance, r, report, options.history);
    if (judge.is_solved()) return report;
    Sweep sweep(problem, {options.local, options.relaxation, options.rest, options.coloured, options.threads});
    Anderson anderson(problem.size(), options.memory, options.retreats);
    Turns turns(options.settling);
    Eigen::VectorXd x = r, swept = r;
    Index unsolved = 0;
    while (!judge.is_solved() && report.iterations < options.max_iterations) {
        check_interruption();
        unsolved = sweep.run(swept);
        ++report.iterations;
        if (!judge.judge(swept, (swept - x).norm(), report.iterations == options.max_iterations)) break;
        if (turns.is_over(report.iterations)) {
            turns.change(swept);
            anderson.restart();
        } else if (turns.accelerates()) {
            anderson.accelerate(x, swept);
            project(problem, swept);
        }
        x = swept;
    }
    if (report.message.empty() && unsolved > 0)
        report.message =
            fmt::format("{} contacts had no local solution in the last sweep: is their friction too large?", unsolved);
    return report;
}

}  // namespace

SolveReport Nsgs::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(relaxation > 0.0 && relaxation < 2.0, "nsgs: relaxation is {}; it must be between 0 and 2", relaxation);
    check_memory(name, memory);
    require(settling >= 0 && rest >= 0 && threads >= 1,
            "nsgs: settling is {}, rest {}, threads {}; they must be at least 0, 0 and 1", settling, rest, threads);
    if (islands) {
        Nsgs whole = *this;
        whole.islands = false;
        return solve_islands(whole, problem, r, threads);
    }
    return conclude(problem, r, tolerance, iterate(*this, problem, r), history);
}

}  // namespace saltus::one_step
