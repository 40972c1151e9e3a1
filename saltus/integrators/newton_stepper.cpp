#include "saltus/integrators/newton_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/dense.hpp"

namespace saltus {

NewtonStepper::NewtonStepper(const Model& model, const EulerMoreau& scheme, double h, const Options& options)
    : StepperBase(model.t0, h), scheme_(scheme), options_(options), functions_(model) {
    model.check();
    scheme_.check();
    require(h > 0.0 && std::isfinite(h), "{}: the step is {}; it must be positive", EulerMoreau::name, h);
    start(model);
}

void NewtonStepper::start(const Model& model) {
    report_ = begin(model, functions_, last_, options_.tolerance);
    require(report_.converged() || scheme_.gamma == 1.0,
            "model '{}': at t = {} the law has no multiplier ({}); gamma = {} needs one, take gamma = 1", model.name,
            t0_, report_.message, scheme_.gamma);
    update_placement();
}

void NewtonStepper::update_placement() {
    const Stacked& parts = functions_.parts();
    placement_.resize(static_cast<std::size_t>(parts.rows()));
    for (Index i = 0; i < parts.rows(); ++i)
        placement_[static_cast<std::size_t>(i)] = place_of(parts.law(i), last_.lambda[i]);
}

double NewtonStepper::residual() const {
    const Stacked& parts = functions_.parts();
    const BoxVi law{next_.y_lambda, next_.y - next_.y_lambda * next_.lambda, parts.lower, parts.upper};
    return std::max(R_.lpNorm<Eigen::Infinity>() / R_scale_, saltus::residual(law, next_.lambda));
}

bool NewtonStepper::iterate() {
    const double theta = scheme_.theta, gamma = scheme_.gamma;
    const Matrix& M = functions_.parts().M;
    R_ = M * (next_.x - last_.x);
    R_ -= h_ * (theta * next_.F + (1.0 - theta) * last_.F) + h_ * (gamma * next_.r + (1.0 - gamma) * last_.r);
    R_scale_ = std::max({std::numeric_limits<double>::min(), (M * last_.x).lpNorm<Eigen::Infinity>(),
                         h_ * next_.F.lpNorm<Eigen::Infinity>(), h_ * next_.r.lpNorm<Eigen::Infinity>()});
    residuals_.push_back(residual());
    return residuals_.back() <= options_.tolerance;
}

StepOutcome NewtonStepper::fail(SolveStatus status, std::string message) {
    report_ = {.status = status,
               .iterations = static_cast<int>(residuals_.size()) - 1,
               .residual = residuals_.back(),
               .message = std::move(message)};
    return StepOutcome::failed;
}

// One iteration (117); false, and the report says why, where its problem has no solution.
bool NewtonStepper::improve(double t) {
    const Stacked& parts = functions_.parts();
    const Eigen::MatrixXd J = parts.M.to_dense() - h_ * scheme_.theta * next_.F_x - h_ * scheme_.gamma * next_.r_x;
    const DenseLu factor(J);
    const Eigen::MatrixXd response = factor.solve(h_ * scheme_.gamma * next_.r_lambda);
    const Eigen::VectorXd correction = factor.solve(R_);
    problem_.M = next_.y_lambda + next_.y_x * response;
    problem_.q = next_.y - next_.y_x * correction - problem_.M * next_.lambda;
    problem_.lower = parts.lower;
    problem_.upper = parts.upper;
    if (!problem_.q.allFinite() || !correction.allFinite() || problem_.M.find_non_finite()) {
        fail(SolveStatus::stalled,
             "a function of the model or its derivative is not a number, or M - h f_x is singular");
        return false;
    }
    lambda_ = next_.lambda;
    report_ = inner_solver().solve(problem_, lambda_, workspace_);
    if (!report_.converged()) return false;
    next_.x += response * (lambda_ - next_.lambda) - correction;
    next_.lambda = lambda_;
    functions_.evaluate(t, next_);
    return true;
}

StepOutcome NewtonStepper::step() {
    const double t = time_of(steps_ + 1);
    next_ = last_;
    residuals_.clear();
    report_ = {};
    functions_.evaluate(t, next_);
    while (!iterate()) {
        if (!std::isfinite(residuals_.back())) {
            problem_ = {};  // it is not the cause
            return fail(SolveStatus::stalled,
                        "a function of the model is not finite; is it defined there, or is the step too long?");
        }
        if (std::ssize(residuals_) > options_.max_iterations)
            return fail(SolveStatus::iteration_limit,
                        fmt::format("Newton's method leaves the residual of the step at {:.1e} after {} iterations",
                                    residuals_.back(), residuals_.size() - 1));
        if (!improve(t)) return StepOutcome::failed;
    }
    report_.status = SolveStatus::converged;
    return accept();
}

StepOutcome NewtonStepper::accept() {
    ++steps_;
    std::swap(last_, next_);
    const Placement before = placement_;
    update_placement();
    return placement_ == before ? StepOutcome::kept : StepOutcome::switched;
}

bool NewtonStepper::accept_unsolved() {
    if (!next_.x.allFinite() || !next_.lambda.allFinite()) return false;
    accept();
    return true;
}

Index NewtonStepper::worst_row() const { return saltus::worst_row(problem_, lambda_); }

void NewtonStepper::resume(const State& state) {
    next_.x = state.x;
    next_.lambda = state.lambda / measure_unit();
    functions_.evaluate(time_of(steps_ + 1), next_);
    accept();
}

void NewtonStepper::read(State& state) const {
    state.t = t();
    state.x = last_.x;
    state.lambda = measure_unit() * last_.lambda;
    state.y = last_.y;
}

}  // namespace saltus
