#include "saltus/complementarity/one_step/one_step_semismooth_newton.hpp"

#include <utility>

#include "saltus/complementarity/nonlinear/box_equation.hpp"
#include "saltus/complementarity/one_step/newton_iteration.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

constexpr double shortest_step = 1e-8;

}  // namespace

SolveReport SemismoothNewton::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(window >= 1, "{}: window is {}; it must be at least 1", name, window);
    leave_escape(problem, tolerance, r);
    SolveReport report{.solver = name};
    NewtonIteration newton(problem, formulation);
    newton.start(r, 0.0, r);
    double reached = newton.residual(tolerance);
    report.residual = reached;
    MeritWindow merits(window);
    while (report.residual > tolerance && report.iterations < max_iterations) {
        check_interruption();
        merits.push(newton.merit());
        if (!newton.step(merits.reference(), shortest_step)) {
            report.status = SolveStatus::stalled;
            report.message = "Newton's direction does not descend; try proximal-point, or a guess from nsgs";
            break;
        }
        ++report.iterations;
        history.add(std::exchange(reached, newton.residual(tolerance)));
        if (reached < report.residual) {  // the best iterate is the answer
            report.residual = reached;
            r = newton.r();
        }
    }
    return conclude(problem, r, tolerance, std::move(report), history);
}

}  // namespace saltus::one_step
