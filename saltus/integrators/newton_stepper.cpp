#include "saltus/integrators/newton_stepper.hpp"

#include <Eigen/LU>

#include "saltus/core/check.hpp"

namespace saltus {

NewtonStepper::NewtonStepper(const Model& model, const EulerMoreau& scheme, double h, const Options& options)
    : model_(model), scheme_(scheme), h_(h), t0_(model.t0), options_(options), parts_(model) {
    model_.check();
    scheme_.check();
    require(!scheme.measures, "{}: measures need a model that is linear", EulerMoreau::name);
    require(h > 0.0 && std::isfinite(h), "{}: the step is {}; it must be positive", EulerMoreau::name, h);
    for (const Interaction& interaction : model_.interactions) {
        Gather gather{.start = gathers_.empty() ? 0 : gathers_.back().start + gathers_.back().rows,
                      .rows = interaction.rows()};
        for (const Index s : interaction.systems)
            for (Index i = 0; i < model_.systems[static_cast<std::size_t>(s)].x0.size(); ++i)
                gather.states.push_back(model_.state_start(s) + i);
        gathers_.push_back(std::move(gather));
    }
    start();
}

void NewtonStepper::evaluate_systems(double t, Point& point) {
    point.F = parts_.A * point.x;
    point.F_x = parts_.A.to_dense();
    Index at = 0;
    for (const FirstOrderSystem& system : model_.systems) {
        const Index n = system.x0.size();
        Eigen::VectorXd arguments(n + 1), value(n);
        arguments << point.x.segment(at, n), t;
        if (!system.b.is_empty()) {
            system.b.value(&t, value.data());
            point.F.segment(at, n) += value;
        }
        if (!system.f.is_empty()) {
            Eigen::MatrixXd jacobian(n, n + 1);
            system.f.value(arguments.data(), value.data());
            system.f.jacobian(arguments.data(), jacobian.data());
            point.F.segment(at, n) += value;
            point.F_x.block(at, at, n, n) += jacobian.leftCols(n);
        }
        at += n;
    }
}

void NewtonStepper::evaluate_interactions(double t, Point& point) {
    point.r = parts_.B * point.lambda;
    point.y = parts_.C * point.x + parts_.D * point.lambda;
    point.r_x.setZero(point.x.size(), point.x.size());
    point.r_lambda = parts_.B.to_dense();
    point.y_x = parts_.C.to_dense();
    point.y_lambda = parts_.D.to_dense();
    for (std::size_t k = 0; k < gathers_.size(); ++k) {
        const Interaction& interaction = model_.interactions[k];
        const Gather& gather = gathers_[k];
        const Index n = std::ssize(gather.states), m = gather.rows, start = gather.start;
        Eigen::VectorXd arguments(n + m + 1), value;
        for (Index i = 0; i < n; ++i) arguments[i] = point.x[gather.states[static_cast<std::size_t>(i)]];
        arguments.segment(n, m) = point.lambda.segment(start, m);
        arguments[n + m] = t;
        Eigen::MatrixXd jacobian;
        const auto compute = [&](const Function& function) {
            value.resize(function.outputs());
            jacobian.resize(function.outputs(), n + m + 1);
            function.value(arguments.data(), value.data());
            function.jacobian(arguments.data(), jacobian.data());
        };
        if (!interaction.e.is_empty()) {
            value.resize(m);
            interaction.e.value(&t, value.data());
            point.y.segment(start, m) += value;
        }
        if (!interaction.h.is_empty()) {
            compute(interaction.h);
            point.y.segment(start, m) += value;
            for (Index j = 0; j < n; ++j)
                point.y_x.col(gather.states[static_cast<std::size_t>(j)]).segment(start, m) += jacobian.col(j);
            point.y_lambda.block(start, start, m, m) += jacobian.middleCols(n, m);
        }
        if (!interaction.g.is_empty()) {
            compute(interaction.g);
            for (Index i = 0; i < n; ++i) {
                const Index row = gather.states[static_cast<std::size_t>(i)];
                point.r[row] += value[i];
                for (Index j = 0; j < n; ++j)
                    point.r_x(row, gather.states[static_cast<std::size_t>(j)]) += jacobian(i, j);
                point.r_lambda.row(row).segment(start, m) += jacobian.row(i).segment(n, m);
            }
        }
    }
}

void NewtonStepper::evaluate(double t, Point& point) {
    evaluate_systems(t, point);
    evaluate_interactions(t, point);
}

// lambda(t0) is found by Newton's method too, with x fixed.
void NewtonStepper::start() {
    last_.x = model_.initial_state();
    last_.lambda.resize(model_.rows());
    for (Index i = 0; i < model_.rows(); ++i) last_.lambda[i] = Interval{parts_.lower[i], parts_.upper[i]}.project(0.0);
    evaluate(t0_, last_);
    if (scheme_.gamma < 1.0) {
        for (int k = 0; k < options_.max_iterations; ++k) {
            problem_ = {last_.y_lambda, last_.y - last_.y_lambda * last_.lambda, parts_.lower, parts_.upper};
            if (saltus::residual(problem_, last_.lambda) <= options_.tolerance) break;
            report_ = inner_solver().solve(problem_, last_.lambda, workspace_);
            require(report_.converged(),
                    "model '{}': at t = {} the law has no multiplier ({}); gamma = {} needs one, take gamma = 1",
                    model_.name, t0_, report_.message, scheme_.gamma);
            evaluate(t0_, last_);
        }
    }
    placement_.resize(static_cast<std::size_t>(model_.rows()));
    for (Index i = 0; i < model_.rows(); ++i)
        placement_[static_cast<std::size_t>(i)] = place_of({parts_.lower[i], parts_.upper[i]}, last_.lambda[i]);
}

double NewtonStepper::residual() const {
    const BoxVi law{next_.y_lambda, next_.y - next_.y_lambda * next_.lambda, parts_.lower, parts_.upper};
    return std::max(R_.lpNorm<Eigen::Infinity>() / R_scale_, saltus::residual(law, next_.lambda));
}

bool NewtonStepper::iterate() {
    const double theta = scheme_.theta, gamma = scheme_.gamma;
    const Eigen::VectorXd mass = parts_.M * (next_.x - last_.x);
    R_ = mass - h_ * (theta * next_.F + (1.0 - theta) * last_.F) - h_ * (gamma * next_.r + (1.0 - gamma) * last_.r);
    R_scale_ = std::max({std::numeric_limits<double>::min(), (parts_.M * last_.x).lpNorm<Eigen::Infinity>(),
                         h_ * next_.F.lpNorm<Eigen::Infinity>(), h_ * next_.r.lpNorm<Eigen::Infinity>()});
    residuals_.push_back(residual());
    return residuals_.back() <= options_.tolerance;
}

StepOutcome NewtonStepper::step() {
    const double t = t0_ + static_cast<double>(steps_ + 1) * h_, theta = scheme_.theta, gamma = scheme_.gamma;
    next_ = last_;
    residuals_.clear();
    report_ = {};
    evaluate(t, next_);
    while (!iterate()) {
        if (std::ssize(residuals_) > options_.max_iterations || !std::isfinite(residuals_.back())) {
            report_.status = SolveStatus::iteration_limit;
            report_.message =
                fmt::format("Newton's method leaves the residual of the step at {:.1e} after {} iterations",
                            residuals_.back(), residuals_.size() - 1);
            return StepOutcome::failed;
        }
        const Eigen::MatrixXd J = parts_.M.to_dense() - h_ * theta * next_.F_x - h_ * gamma * next_.r_x;
        const Eigen::PartialPivLU<Eigen::MatrixXd> factor(J);
        const Eigen::MatrixXd response = factor.solve(h_ * gamma * next_.r_lambda);
        const Eigen::VectorXd correction = factor.solve(R_);
        problem_.M = next_.y_lambda + next_.y_x * response;
        problem_.q = next_.y - next_.y_x * correction - problem_.M * next_.lambda;
        problem_.lower = parts_.lower;
        problem_.upper = parts_.upper;
        if (!problem_.q.allFinite() || problem_.M.find_non_finite()) {
            report_.status = SolveStatus::stalled;
            report_.message = "a function of the model or its derivative is not a number, or M - h f_x is singular";
            return StepOutcome::failed;
        }
        Eigen::VectorXd lambda = next_.lambda;
        report_ = inner_solver().solve(problem_, lambda, workspace_);
        if (!report_.converged()) return StepOutcome::failed;
        next_.x += response * (lambda - next_.lambda) - correction;
        next_.lambda = lambda;
        evaluate(t, next_);
    }
    report_.status = SolveStatus::converged;
    ++steps_;
    std::swap(last_, next_);
    const Placement before = placement_;
    for (Index i = 0; i < model_.rows(); ++i)
        placement_[static_cast<std::size_t>(i)] = place_of({parts_.lower[i], parts_.upper[i]}, last_.lambda[i]);
    return placement_ == before ? StepOutcome::kept : StepOutcome::switched;
}

void NewtonStepper::read(State& state) const {
    state.t = t();
    state.x = last_.x;
    state.lambda = last_.lambda;
    state.y = last_.y;
}

}  // namespace saltus
