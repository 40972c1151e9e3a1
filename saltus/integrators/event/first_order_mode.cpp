#include "saltus/integrators/event/first_order_mode.hpp"

#include <Eigen/SVD>

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

// In units of rounding: what is further from zero is not held any more.
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
    basic_.clear();
    ends_.clear();
    is_split_ = is_factored_ = false;
    for (Index i = 0; i < rows(); ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        const Interval bounds = law(i);
        if (place == Place::basic) {
            basic_.push_back(i);
            if (std::isfinite(bounds.lower)) ends_.push_back({End::Kind::multiplier, i, false});
            if (std::isfinite(bounds.upper)) ends_.push_back({End::Kind::multiplier, i, true});
            if (jumps_[static_cast<std::size_t>(i)]) ends_.push_back({End::Kind::held, i, false});
            continue;
        }
        point_.lambda[i] = bound_at(bounds, place);
        if (bounds.lower < bounds.upper) ends_.push_back({End::Kind::output, i, place == Place::at_upper});
    }
}

const Linearisation& FirstOrderMode::linearise(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& lambda) {
    point_.x = x;
    point_.lambda = lambda;
    functions_.evaluate(t, point_);
    return point_;
}

Eigen::MatrixXd FirstOrderMode::solve_mass(const Eigen::MatrixXd& b) const {
    return has_mass_ ? Eigen::MatrixXd(mass_.solve(b)) : b;
}

// R and N, orthonormal, from the singular values of dy/dlambda in the basic rows.
void FirstOrderMode::split_rows() {
    if (is_split_) return;
    const Index m = std::ssize(basic_);
    const Eigen::MatrixXd D = point_.y_lambda(basic_, basic_);
    is_split_ = is_affine_;
    if (D.isZero(0.0)) {
        range_.resize(m, 0);
        null_.setIdentity(m, m);
        return;
    }
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(D, Eigen::ComputeFullU);
    svd.setThreshold(1e-11);
    range_ = svd.matrixU().leftCols(svd.rank());
    null_ = svd.matrixU().rightCols(m - svd.rank());
}

// K = (R' y_lambda, N' y_x M^-1 r_lambda), rows scaled to one.
bool FirstOrderMode::factor() {
    split_rows();
    if (is_factored_) return is_regular_;
    const Index m = std::ssize(basic_), ranked = range_.cols();
    response_ = solve_mass(point_.r_lambda(Eigen::all, basic_));
    K_.resize(m, m);
    K_.topRows(ranked).noalias() = range_.transpose() * point_.y_lambda(basic_, basic_);
    K_.bottomRows(m - ranked).noalias() = null_.transpose() * (point_.y_x(basic_, Eigen::all) * response_);
    row_scales_.resize(m);
    for (Index i = 0; i < m; ++i) {
        const double size = K_.row(i).lpNorm<Eigen::Infinity>();
        row_scales_[i] = size > 0.0 ? 1.0 / size : 1.0;
    }
    K_ = row_scales_.asDiagonal() * K_;
    factors_.compute(K_);
    is_regular_ = factors_.rcond() > 1e-12;
    if (!is_regular_) {
        redundant_.setThreshold(1e-11);
        redundant_.compute(K_);
    }
    is_factored_ = is_constant_;
    return is_regular_;
}

// K x = b; where K is singular the x of least norm.
Eigen::VectorXd FirstOrderMode::solve(const Eigen::VectorXd& b) const {
    const Eigen::VectorXd scaled = row_scales_.cwiseProduct(b);
    return is_regular_ ? Eigen::VectorXd(factors_.solve(scaled)) : Eigen::VectorXd(redundant_.solve(scaled));
}

void FirstOrderMode::evaluate_slope() {
    slope_ = point_.F + point_.r;
    if (has_mass_) slope_ = mass_.solve(slope_).eval();
}

bool FirstOrderMode::operator()(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope) {
    constexpr int most_iterations = 20;
    constexpr double settled = 1e-13;
    point_.x = x;
    functions_.evaluate(t, point_);
    evaluate_slope();
    const Index m = std::ssize(basic_);
    for (int k = 0; m > 0; ++k) {
        if (k == most_iterations) return false;
        factor();
        y_dot_ = point_.y_x(basic_, Eigen::all) * slope_ + point_.y_t(basic_);
        rhs_.resize(m);
        rhs_.head(range_.cols()).noalias() = -range_.transpose() * point_.y(basic_);
        rhs_.tail(null_.cols()).noalias() = -null_.transpose() * y_dot_;
        change_ = solve(rhs_);
        if (!change_.allFinite()) return false;
        const double misfit = (K_ * change_ - row_scales_.cwiseProduct(rhs_)).lpNorm<Eigen::Infinity>();
        if (misfit > 1e-8 * std::max(1.0, row_scales_.cwiseProduct(rhs_).lpNorm<Eigen::Infinity>())) return false;
        point_.lambda(basic_) += change_;
        if (is_affine_) {
            point_.r.noalias() += point_.r_lambda(Eigen::all, basic_) * change_;
            point_.y.noalias() += point_.y_lambda(Eigen::all, basic_) * change_;
        } else {
            functions_.evaluate(t, point_);
        }
        evaluate_slope();
        const double size = std::max(point_.lambda.lpNorm<Eigen::Infinity>(), 1e-300);
        if (is_affine_ || change_.lpNorm<Eigen::Infinity>() <= settled * size) break;
    }
    slope = slope_;
    largest_ = largest_.cwiseMax(x.cwiseAbs());
    lambda_scale_ = std::max(lambda_scale_, point_.lambda.lpNorm<Eigen::Infinity>());
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

// Of y where no multiplier that varies enters it; NaN where it is not known.
double FirstOrderMode::rate_of(const End& end) const {
    const auto varies = [&](Index j) { return point_.y_lambda(end.row, j) != 0.0; };
    if (end.kind != End::Kind::output || std::ranges::any_of(basic_, varies))
        return std::numeric_limits<double>::quiet_NaN();
    const double rate = point_.y_x.row(end.row).dot(slope_) + point_.y_t[end.row];
    return end.is_upper ? -rate : rate;
}

void FirstOrderMode::evaluate_ends(double, const Eigen::VectorXd&, Eigen::VectorXd& values, Eigen::VectorXd& rates) {
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
    const Index m = std::ssize(basic_);
    if (m == 0) return true;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
        point_.x = x;
        functions_.evaluate(t, point_);
        factor();
        if (null_.cols() == 0) return true;
        rhs_.setZero(m);
        rhs_.tail(null_.cols()).noalias() = -null_.transpose() * point_.y(basic_);
        const double violation = rhs_.lpNorm<Eigen::Infinity>();
        if (!(violation < last)) return std::isfinite(violation);
        if (violation == 0.0) return true;
        last = violation;
        x.noalias() += response_ * solve(rhs_);
    }
    return true;
}

bool FirstOrderMode::project(double t, Eigen::VectorXd& x) {
    const auto is_left = [&](const End& end) { return end.kind == End::Kind::held && value_of(end) < 0.0; };
    point_.x = x;
    functions_.evaluate(t, point_);
    return std::ranges::any_of(ends_, is_left) || jump(t, x);
}

}  // namespace saltus
