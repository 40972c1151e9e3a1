#include "saltus/integrators/catching_up.hpp"

#include "saltus/core/check.hpp"
#include "saltus/model/formulations.hpp"

namespace saltus {

namespace {

// F(x, t).
Eigen::VectorXd right_hand_side(const FirstOrderSystem& system, const Eigen::VectorXd& x, double t) {
    const Index n = x.size();
    Eigen::VectorXd Ax = Eigen::VectorXd::Zero(n), b = Ax, f = Ax, arguments(n + 1);
    arguments << x, t;
    if (system.A.rows() > 0) system.A.multiply_add(x, Ax);
    system.b.value(&t, b.data());
    system.f.value(arguments.data(), f.data());
    return Ax + b + f;
}

}  // namespace

Eigen::MatrixXd catch_up(const FirstOrderSystem& system, const MovingSet& set, double t0, double h, Index steps) {
    sweeping_process(system, set);  // checks both
    require(system.M.rows() == 0, "catch_up: system '{}' has a matrix M; solve with it first", system.name);
    require(h > 0.0 && std::isfinite(h) && steps >= 0, "catch_up: {} steps of {}; both must be positive", steps, h);
    Eigen::MatrixXd states(system.x0.size(), steps + 1);
    states.col(0) = system.x0;
    for (Index k = 0; k < steps; ++k) {
        const double t = t0 + static_cast<double>(k) * h, t_next = t0 + static_cast<double>(k + 1) * h;
        const Eigen::VectorXd x = states.col(k);
        states.col(k + 1) = project(set, t_next, x + h * right_hand_side(system, x, t));
    }
    return states;
}

}  // namespace saltus
