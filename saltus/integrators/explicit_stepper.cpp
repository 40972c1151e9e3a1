#include "saltus/integrators/explicit_stepper.hpp"

#include "saltus/core/check.hpp"
#include "saltus/integrators/euler_moreau.hpp"

namespace saltus {

ExplicitStepper::ExplicitStepper(const Model& model, const ExplicitSwitched& scheme, double h)
    : StepperBase(model.t0, h), scheme_(scheme), functions_(model), mass_(functions_.parts().M.to_dense()) {
    model.check();
    scheme_.check();
    require(h > 0.0 && std::isfinite(h), "{}: the step is {}; it must be positive", ExplicitSwitched::name, h);
    last_.x = model.initial_state();
    last_.lambda = Eigen::VectorXd::Zero(model.rows());
    functions_.evaluate(t0_, last_);
    check_rows(model);
    require(evaluate(t0_, last_), "model '{}': at t = {} the laws have no multiplier ({})", model.name, t0_,
            report_.message);
    placement_.assign(static_cast<std::size_t>(model.rows()), Place::basic);
    accept();
    steps_ = 0;
}

void ExplicitStepper::check_rows(const Model& model) const {
    for (std::size_t k = 0; k < model.interactions.size(); ++k)
        for (Index i = 0; i < model.interactions[k].rows(); ++i) {
            const Interval law = model.interactions[k].law_of(i);
            const bool is_bounded = std::isfinite(law.lower) && std::isfinite(law.upper);
            require(is_bounded || !last_.y_lambda.row(model.row_start(static_cast<Index>(k)) + i).isZero(0.0),
                    "{}: interaction '{}', row {}: y does not depend on lambda and the law is not bounded, so that "
                    "lambda is not a function of x; take the scheme {}",
                    ExplicitSwitched::name, model.interactions[k].name, i, EulerMoreau::name);
        }
}

// The multipliers of point.x, and all functions there; false if the laws have no solution.
bool ExplicitStepper::evaluate(double t, Linearisation& point) {
    functions_.evaluate(t, point);
    if (!point.x.allFinite() || !point.y.allFinite()) {
        report_ = {.status = SolveStatus::stalled,
                   .message = "the state or y is no longer finite: the step is too long for an explicit scheme"};
        problem_ = {};  // it is not the cause
        return false;
    }
    const Stacked& parts = functions_.parts();
    IndexList rows;  // whose multiplier is not that of a bound
    for (Index i = 0; i < parts.rows(); ++i)
        if (!point.y_lambda.row(i).isZero(0.0) || std::abs(point.y[i]) <= scheme_.band)
            rows.push_back(i);
        else
            point.lambda[i] = point.y[i] > 0.0 ? parts.lower[i] : parts.upper[i];
    if (!rows.empty()) return solve_rows(t, point, rows);
    functions_.evaluate(t, point);
    return true;
}

// Solves y = 0 with the law where y depends on lambda, else y' = 0 with it: a multiplier at a bound makes y leave the
// band, as Filippov's rule has it. One linear problem; Newton's method where the functions are not linear in lambda.
bool ExplicitStepper::solve_rows(double t, Linearisation& point, const IndexList& rows) {
    const Stacked& parts = functions_.parts();
    constexpr int most = 30;
    for (int k = 0; k < most; ++k) {
        functions_.evaluate(t, point);
        const Eigen::MatrixXd response = mass_.solve(point.r_lambda);
        const Eigen::VectorXd rate = mass_.solve(point.F + point.r);
        Eigen::MatrixXd W(parts.rows(), parts.rows());
        Eigen::VectorXd w(parts.rows());
        for (const Index i : rows) {
            const bool slides = point.y_lambda.row(i).isZero(0.0);
            W.row(i) = slides ? Eigen::RowVectorXd(point.y_x.row(i) * response) : point.y_lambda.row(i);
            w[i] = slides ? point.y_x.row(i).dot(rate) + point.y_t[i] : point.y[i];
        }
        Eigen::VectorXd z = point.lambda(rows);
        problem_ = {Eigen::MatrixXd(W(rows, rows)), Eigen::VectorXd(w(rows)), Eigen::VectorXd(parts.lower(rows)),
                    Eigen::VectorXd(parts.upper(rows))};
        problem_.q -= problem_.M * z;
        if (k > 0 && residual(problem_, z) <= 1e-12) return true;
        report_ = Auto{.tolerance = 1e-13}.solve(problem_, z, workspace_);
        if (!report_.converged() && report_.residual > 1e-10) return false;
        const bool is_same = (z - point.lambda(rows)).lpNorm<Eigen::Infinity>() <= 1e-14 * z.lpNorm<Eigen::Infinity>();
        point.lambda(rows) = z;
        if (is_same) return true;
    }
    report_ = {.status = SolveStatus::iteration_limit,
               .message = fmt::format("the multipliers did not settle in {} iterations", most)};
    return false;
}

StepOutcome ExplicitStepper::step() {
    constexpr double nodes[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const double t = this->t();
    rate_ = mass_.solve(last_.F + last_.r);
    sum_ = (scheme_.stages == 1 ? 1.0 : weights[0]) * rate_;
    stage_ = last_;
    for (int s = 1; s < scheme_.stages; ++s) {
        stage_.x = last_.x + h_ * nodes[s] * rate_;
        if (!evaluate(t + h_ * nodes[s], stage_)) return StepOutcome::failed;
        rate_ = mass_.solve(stage_.F + stage_.r);
        sum_ += weights[s] * rate_;
    }
    stage_.x = last_.x + h_ * sum_;
    if (!evaluate(time_of(steps_ + 1), stage_)) return StepOutcome::failed;
    std::swap(last_, stage_);
    return accept();
}

StepOutcome ExplicitStepper::accept() {
    ++steps_;
    const Placement before = placement_;
    for (Index i = 0; i < functions_.parts().rows(); ++i)
        placement_[static_cast<std::size_t>(i)] = place_of(functions_.parts().law(i), last_.lambda[i]);
    return placement_ == before ? StepOutcome::kept : StepOutcome::switched;
}

void ExplicitStepper::resume(const State& state) {
    last_.x = state.x;
    last_.lambda = state.lambda;
    functions_.evaluate(time_of(steps_ + 1), last_);
    accept();
}

void ExplicitStepper::read(State& state) const {
    state.t = t();
    state.x = last_.x;
    state.lambda = last_.lambda;
    state.y = last_.y;
}

}  // namespace saltus
