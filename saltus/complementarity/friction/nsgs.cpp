#include "saltus/complementarity/friction/nsgs.hpp"

#include "saltus/complementarity/friction/islands.hpp"

namespace saltus::friction {

namespace {

// The full residual is asked for when |G(r) - r| <= gate |r|; each time that it is not yet small enough, the gate is
// lowered in proportion.
class Gate {
public:
    explicit Gate(double tolerance) : tolerance_(tolerance), gate_(10.0 * tolerance) {}
    bool opens(double change, double size) const { return change <= gate_ * size; }
    void lower(double residual) { gate_ *= std::clamp(0.5 * tolerance_ / residual, 1e-3, 0.5); }

private:
    double tolerance_, gate_;
};

SolveReport iterate(const Nsgs& options, const OneStepView& problem, Eigen::VectorXd& r) {
    SolveReport report{.residual = residual(problem, r), .solver = Nsgs::name};
    if (report.residual <= options.tolerance) return report;
    Sweep sweep(problem, {options.local, options.relaxation, options.rest, options.coloured, options.threads});
    Anderson anderson(problem.size(), options.memory, options.retreats);
    Gate gate(options.tolerance);
    Eigen::VectorXd x = r, swept = r, w(r.size());
    bool is_escaping = false;
    const auto judge = [&] {
        w = problem.q;
        problem.W.multiply_add(swept, w);
        const double error = residual(problem, swept, w);
        is_escaping = is_escape(error, speed_error(problem, error, swept, w), options.tolerance);
        if (error < report.residual && !is_escaping) {
            report.residual = error;
            r = swept;
        }
        return error;
    };
    Index unsolved = 0;
    while (report.residual > options.tolerance && report.iterations < options.max_iterations) {
        unsolved = sweep.run(swept);
        ++report.iterations;
        const double change = (swept - x).norm();
        const bool is_open = gate.opens(change, swept.norm());
        if (is_open || report.iterations % 100 == 0 || report.iterations == options.max_iterations) {
            const double error = judge();
            if (is_open) gate.lower(error);
            if (is_escaping || !std::isfinite(error)) break;
        }
        anderson.accelerate(x, swept);
        project(problem, swept);
        x = swept;
    }
    if (is_escaping) {
        report.status = SolveStatus::stalled;
        report.message = escape_message;
    } else if (unsolved > 0)
        report.message =
            fmt::format("{} contacts had no local solution in the last sweep: is their friction too large?", unsolved);
    return report;
}

}  // namespace

SolveReport Nsgs::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(relaxation > 0.0 && relaxation < 2.0, "nsgs: relaxation is {}; it must be between 0 and 2", relaxation);
    require(memory >= 0 && rest >= 0 && threads >= 1,
            "nsgs: memory is {}, rest {}, threads {}; they must be at least 0, 0 and 1", memory, rest, threads);
    if (islands) {
        Nsgs whole = *this;
        whole.islands = false;
        return solve_islands(whole, problem, r, threads);
    }
    return conclude(problem, r, tolerance, iterate(*this, problem, r));
}

}  // namespace saltus::friction
