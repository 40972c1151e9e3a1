#include "saltus/integrators/event/first_order_mode.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// dh/dlambda and dg/dlambda are the same everywhere.
bool is_affine_in_multipliers(const Model& model) {
    for (const Interaction& interaction : model.interactions) {
        const Index n = model.states_of(interaction), m = interaction.rows();
        for (const Function* function : {&interaction.h, &interaction.g})
            if (!function->is_empty() && !function->affine_coefficients(n, m)) return false;
    }
    return true;
}

// In units of rounding: an output further from zero is no longer held.
constexpr double held_tolerance = 1e9;

}  // namespace

FirstOrderMode::FirstOrderMode(const Model& model)
    : functions_(model), is_affine_(is_affine_in_multipliers(model)), is_constant_(model.is_linear()) {
    const Eigen::MatrixXd M = functions_.parts().M.to_dense();
    has_mass_ = !M.isIdentity(0.0);
    if (has_mass_) {
        mass_.compute(M);
        require(mass_.rcond() > 1e-14, "model '{}': M is singular, so that x' is not determined; take euler-moreau",
                model.name);
    }
    point_.x = model.initial_state();
    point_.lambda = Eigen::VectorXd::Zero(model.rows());
    slope_ = Eigen::VectorXd::Zero(point_.x.size());
    largest_ = point_.x.cwiseAbs();
    functions_.evaluate(model.t0, point_);
    for (const Interaction& interaction : model.interactions) {
        const bool jumps = std::max(interaction.e.variation(), interaction.h.variation()) == Variation::jumps;
        for (Index i = 0; i < interaction.rows(); ++i)
            jumps_.push_back(jumps && point_.y_lambda.row(std::ssize(jumps_)).isZero(0.0) ? 1 : 0);
    }
    Placement placement;
    for (Index i = 0; i < model.rows(); ++i) placement.push_back(places_in(law(i)).front());
    set(placement);
}

void FirstOrderMode::set(const Placement& placement) {
    placement_ = placement;
    IndexList basic;
    ends_.clear();
    for (Index i = 0; i < rows(); ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        const Interval bounds = law(i);
        if (place == Place::basic) {
            basic.push_back(i);
            if (std::isfinite(bounds.lower)) ends_.push_back({End::Kind::multiplier, i, false});
            if (std::isfinite(bounds.upper)) ends_.push_back({End::Kind::multiplier, i, true});
            if (jumps_[static_cast<std::size_t>(i)]) ends_.push_back({End::Kind::held, i, false});
            continue;
        }
        point_.lambda[i] = bound_at(bounds, place);
        if (bounds.lower < bounds.upper) ends_.push_back({End::Kind::output, i, place == Place::at_upper});
    }
    basic_.set(std::move(basic));
}

const Linearisation& FirstOrderMode::linearise(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& lambda) {
    point_.x = x;
    point_.lambda = lambda;
    functions_.evaluate(t, point_);
    return point_;
}

Eigen::MatrixXd FirstOrderMode::solve_mass(const Eigen::MatrixXd& b) const { return has_mass_ ? mass_.solve(b) : b; }

void FirstOrderMode::update_basic() {
    if (basic_.needs_matrices()) basic_.set_matrices(point_, solve_mass(point_.r_lambda), is_constant_);
}

void FirstOrderMode::evaluate_slope() {
    if (!has_mass_) {
        slope_ = point_.F + point_.r;
        return;
    }
    forces_ = point_.F + point_.r;
    mass_.solve(forces_, slope_);
}

bool FirstOrderMode::operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
    constexpr int most_iterations = 20;
    constexpr double settled = 1e-13;
    point_.x = x;
    functions_.evaluate(t, point_);
    evaluate_slope();
    for (int k = 0; !basic_.is_empty(); ++k) {
        if (k == most_iterations) return false;
        update_basic();
        if (!basic_.solve_rates(point_, slope_)) return false;
        basic_.add_change(point_);
        if (!is_affine_) functions_.evaluate(t, point_);
        evaluate_slope();
        const double size = std::max(point_.lambda.lpNorm<Eigen::Infinity>(), 1e-300);
        if (is_affine_ || basic_.change().lpNorm<Eigen::Infinity>() <= settled * size) break;
    }
    slope = slope_;
    return slope.allFinite();
}

double FirstOrderMode::rounding_of_y(Index row) const {
    const double parts = point_.y_x.row(row).cwiseAbs().dot(largest_) +
                         point_.y_lambda.row(row).cwiseAbs().dot(point_.lambda.cwiseAbs());
    const double rest =
        std::abs(point_.y[row] - point_.y_x.row(row).dot(point_.x) - point_.y_lambda.row(row).dot(point_.lambda));
    return 1e-15 * (parts + rest);
}

double FirstOrderMode::value_of(const End& end) const {
    const Index i = end.row;
    switch (end.kind) {
        case End::Kind::output:
            return (end.is_upper ? -point_.y[i] : point_.y[i]) + rounding_of_y(i);
        case End::Kind::multiplier:
            return (end.is_upper ? law(i).upper - point_.lambda[i] : point_.lambda[i] - law(i).lower) +
                   1e-12 * lambda_scale_;
        case End::Kind::held:
            break;
    }
    return held_tolerance * rounding_of_y(i) - std::abs(point_.y[i]);
}

// The rate of y if no multiplier that varies enters it; NaN if it is not known.
double FirstOrderMode::rate_of(const End& end) const {
    const auto varies = [&](Index j) { return point_.y_lambda(end.row, j) != 0.0; };
    if (end.kind != End::Kind::output || std::ranges::any_of(basic_.rows(), varies))
        return std::numeric_limits<double>::quiet_NaN();
    const double rate = point_.y_x.row(end.row).dot(slope_) + point_.y_t[end.row];
    return end.is_upper ? -rate : rate;
}

void FirstOrderMode::evaluate_ends(double, const Eigen::VectorXd& x, Eigen::VectorXd& values, Eigen::VectorXd& rates) {
    // Here, since the stages of steps that are too long may be anywhere.
    largest_ = largest_.cwiseMax(x.cwiseAbs());
    lambda_scale_ = std::max(lambda_scale_, point_.lambda.lpNorm<Eigen::Infinity>());
    values.resize(std::ssize(ends_));
    rates.resize(std::ssize(ends_));
    for (Index k = 0; k < values.size(); ++k) {
        const End& end = ends_[static_cast<std::size_t>(k)];
        values[k] = value_of(end);
        rates[k] = rate_of(end);
        // One that rises does not end a mode, whatever rounding left of it.
        const double rounding = rounding_of_y(end.row);
        if (rates[k] > 0.0 && values[k] < 0.0 && values[k] > -1e3 * rounding) values[k] = rounding;
    }
}

bool FirstOrderMode::jump(double t, Eigen::VectorXd& x) {
    constexpr int most_iterations = 10;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations && !basic_.is_empty(); ++k) {
        point_.x = x;
        functions_.evaluate(t, point_);
        update_basic();
        const double violation = basic_.find_violation(point_);
        if (!(violation < last)) return std::isfinite(violation);
        if (violation == 0.0) return true;
        last = violation;
        basic_.add_jump(x);
    }
    return true;
}

bool FirstOrderMode::project(double t, Eigen::VectorXd& x) {
    const auto is_left = [&](const End& end) { return end.kind == End::Kind::held && value_of(end) < 0.0; };
    point_.x = x;
    functions_.evaluate(t, point_);
    return std::ranges::any_of(ends_, is_left) || jump(t, x);
}

void FirstOrderMode::begin_element() {
    least_lambda_ = most_lambda_ = point_.lambda;
    least_y_ = most_y_ = point_.y;
}

void FirstOrderMode::observe() {
    least_lambda_ = least_lambda_.cwiseMin(point_.lambda);
    most_lambda_ = most_lambda_.cwiseMax(point_.lambda);
    least_y_ = least_y_.cwiseMin(point_.y);
    most_y_ = most_y_.cwiseMax(point_.y);
}

// lambda - P(lambda - y) grows with lambda and with y, so that its extremes are at those of both.
double FirstOrderMode::element_residual() const {
    double worst = 0.0, scale = 1.0;
    for (Index i = 0; i < rows(); ++i) {
        const Interval bounds = law(i);
        const double least = least_lambda_[i] - bounds.project(least_lambda_[i] - least_y_[i]);
        const double most = most_lambda_[i] - bounds.project(most_lambda_[i] - most_y_[i]);
        worst = std::max({worst, std::abs(least), std::abs(most)});
        for (const double size : {least_lambda_[i], most_lambda_[i], least_y_[i], most_y_[i]})
            scale = std::max(scale, std::abs(size));
    }
    return worst / scale;
}

}  // namespace saltus
