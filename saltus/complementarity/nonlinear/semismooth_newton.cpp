#include "saltus/complementarity/nonlinear/semismooth_newton.hpp"

#include <cmath>
#include <utility>

#include "saltus/complementarity/nonlinear/box_equation.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

// gradient.d <= -1e-8 |d|^2.1: not almost orthogonal to the gradient (De Luca, Facchinei, Kanzow 1996).
bool descends(const Eigen::VectorXd& d, const Eigen::VectorXd& gradient) {
    return gradient.dot(d) <= -1e-8 * std::pow(d.norm(), 2.1);
}

// One step; false when no direction lowers the merit.
bool step(NewtonIterate& iterate, const Matrix& J, SemismoothNewton::Function function, double reference) {
    const Eigen::VectorXd gradient = iterate.gradient(J);
    Eigen::VectorXd d;
    const auto newton_step = [&](const Matrix& K) {
        // A step that must be cut this much comes from a wrong guess of the active set, or from a system near singular.
        const NewtonIterate::Search search{.reference = reference, .shortest = 1e-3};
        if (function == SemismoothNewton::Function::natural && iterate.natural_direction(K, d) &&
            descends(d, gradient) && iterate.advance(d, gradient, search))
            return true;
        return iterate.fischer_burmeister_direction(K, d) && descends(d, gradient) &&
               iterate.advance(d, gradient, search);
    };
    if (newton_step(J) || newton_step(iterate.proximal_jacobian(J))) return true;
    return iterate.levenberg_marquardt_direction(J, d) && gradient.dot(d) < 0.0 &&
           iterate.advance(d, gradient, {.reference = reference});
}

SolveReport run(const SemismoothNewton& options, const BoxEquation& equation, Eigen::VectorXd& z) {
    SolveReport report{.solver = SemismoothNewton::name};
    NewtonIterate iterate(equation, z);
    MeritWindow window(options.window);
    double reached = iterate.residual();
    while (reached > options.tolerance && report.iterations < options.max_iterations) {
        check_interruption();
        const Matrix& J = equation.jacobian(iterate.z());
        window.push(iterate.merit());
        if (J.find_non_finite() || !step(iterate, J, options.function, window.reference())) {
            report.status = SolveStatus::stalled;
            report.message =
                "the merit function has no descent direction here; the problem may have no solution, or try "
                "another guess";
            break;
        }
        ++report.iterations;
        options.history.add(std::exchange(reached, iterate.residual()));
    }
    z = iterate.z();
    return report;
}

void check_options(const SemismoothNewton& options) {
    require(options.window >= 1, "{}: window is {}; it must be at least 1", options.name, options.window);
}

}  // namespace

SolveReport SemismoothNewton::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(*this, z);
    check_options(*this);
    return conclude(problem, z, tolerance, run(*this, BoxEquation(problem), z), history);
}

SolveReport SemismoothNewton::solve(const McpView& problem, Eigen::VectorXd& z) const {
    check_options(name, tolerance, max_iterations);
    problem.check(name, z);
    problem.check_values(name, z);
    check_options(*this);
    return conclude(problem, z, tolerance, run(*this, BoxEquation(problem), z), history);
}

}  // namespace saltus
