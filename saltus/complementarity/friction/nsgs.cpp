#include "saltus/complementarity/friction/nsgs.hpp"

#include "saltus/complementarity/friction/anderson.hpp"

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

}  // namespace

SolveReport Nsgs::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(relaxation > 0.0 && relaxation < 2.0, "nsgs: relaxation is {}; it must be between 0 and 2", relaxation);
    require(memory >= 0 && rest >= 0 && threads >= 1,
            "nsgs: memory is {}, rest {}, threads {}; they must be at least 0, 0, 1", memory, rest, threads);
    SolveReport report{.residual = residual(problem, r), .solver = name};
    if (report.residual <= tolerance) return conclude(problem, r, tolerance, std::move(report));
    Sweep sweep(problem, {local, relaxation, rest, coloured, threads});
    Anderson anderson(problem.size(), memory);
    Gate gate(tolerance);
    Eigen::VectorXd x = r, swept = r, w(r.size());
    const auto judge = [&](const Eigen::VectorXd& point) {
        w = problem.q;
        problem.W.multiply_add(point, w);
        const double error = residual(problem, point, w);
        if (error < report.residual) {
            report.residual = error;
            r = point;
        }
        return error;
    };
    Index unsolved = 0;
    while (report.residual > tolerance && report.iterations < max_iterations) {
        unsolved = sweep.run(swept);
        ++report.iterations;
        const double change = (swept - x).norm();
        if (gate.opens(change, swept.norm()) || report.iterations % 100 == 0) {
            const double error = judge(swept);
            if (error > tolerance && gate.opens(change, swept.norm())) gate.lower(error);
            if (!std::isfinite(error)) break;
        }
        anderson.accelerate(x, swept);
        project(problem, swept);
        x = swept;
    }
    if (report.residual > tolerance) judge(swept);
    if (unsolved > 0)
        report.message =
            fmt::format("{} contacts had no local solution in the last sweep: is their friction too large?", unsolved);
    return conclude(problem, r, tolerance, std::move(report));
}

}  // namespace saltus::friction
