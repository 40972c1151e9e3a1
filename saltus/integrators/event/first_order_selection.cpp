#include "saltus/integrators/event/first_order_selection.hpp"

#include <fmt/format.h>

namespace saltus {

// Newton's method on the laws of the step; rows are scaled to the size of their coefficients.
bool FirstOrderSelection::solve(double t, const Eigen::VectorXd& x, double epsilon) {
    constexpr int most_iterations = 30;
    const Index m = mode_.rows();
    lambda_ = mode_.lambda();
    for (Index i = 0; i < m; ++i) lambda_[i] = mode_.law(i).project(lambda_[i]);
    for (int k = 0; k < most_iterations; ++k) {
        const Linearisation& at = mode_.linearise(t, x, lambda_);
        const Eigen::MatrixXd response = mode_.solve_mass(at.r_lambda);
        Eigen::MatrixXd W = at.y_lambda + epsilon * (at.y_x * response);
        Eigen::VectorXd y = at.y;
        for (Index i = 0; i < m; ++i)
            if (std::abs(y[i]) <= 1e3 * mode_.rounding_of_y(i) && at.y_lambda.row(i).isZero(0.0)) y[i] = 0.0;
        y += epsilon * (at.y_x * mode_.solve_mass(at.F + at.r) + at.y_t);
        for (Index i = 0; i < m; ++i) {
            const double size = W.row(i).lpNorm<Eigen::Infinity>();
            const double scale = size > 0.0 ? 1.0 / size : 1.0 / epsilon;
            W.row(i) *= scale;
            y[i] *= scale;
        }
        if (!W.allFinite() || !y.allFinite()) {
            report_ = {.status = SolveStatus::stalled, .message = "y or a right-hand side is not finite"};
            return false;
        }
        Eigen::VectorXd lower(m), upper(m);
        for (Index i = 0; i < m; ++i) {
            lower[i] = mode_.law(i).lower;
            upper[i] = mode_.law(i).upper;
        }
        problem_ = {W, y - W * lambda_, lower, upper};
        const Eigen::VectorXd last = lambda_;
        report_ = Auto{.tolerance = 1e-12}.solve(problem_, lambda_, workspace_);
        if (!report_.converged() && report_.residual > 1e-9) return false;
        w_ = W * lambda_ + problem_.q;
        if ((lambda_ - last).lpNorm<Eigen::Infinity>() <= 1e-11 * std::max(1.0, lambda_.lpNorm<Eigen::Infinity>()))
            return true;
    }
    report_ = {.status = SolveStatus::iteration_limit,
               .message = fmt::format("the multipliers did not settle in {} iterations", most_iterations)};
    return false;
}

std::vector<std::vector<Place>> FirstOrderSelection::places(const FirstOrderMode::End* turned) const {
    constexpr double margin = 1e-5;
    const double lambda_margin = margin * std::max(1.0, lambda_.lpNorm<Eigen::Infinity>());
    const double w_margin = margin * std::max(1.0, w_.lpNorm<Eigen::Infinity>());
    std::vector<std::vector<Place>> result;
    for (Index i = 0; i < lambda_.size(); ++i) {
        const Interval law = mode_.law(i);
        std::vector<Place> row;
        if (law.lower == law.upper) {
            row = {Place::at_lower};
        } else {
            const bool near_lower = lambda_[i] - law.lower <= lambda_margin,
                       near_upper = law.upper - lambda_[i] <= lambda_margin;
            if (!(near_lower && w_[i] > w_margin) && !(near_upper && w_[i] < -w_margin)) row.push_back(Place::basic);
            if (near_lower && w_[i] >= -w_margin) row.push_back(Place::at_lower);
            if (near_upper && w_[i] <= w_margin) row.push_back(Place::at_upper);
            const bool is_turned = turned && turned->row == i && turned->kind == FirstOrderMode::End::Kind::multiplier;
            const Place last = mode_.placement()[static_cast<std::size_t>(i)];
            const Place first = is_turned ? (turned->is_upper ? Place::at_upper : Place::at_lower) : last;
            std::ranges::stable_partition(row, [&](Place place) { return place == first; });
        }
        result.push_back(std::move(row));
    }
    return result;
}

// The functions of the mode are not negative at (t, x), nor after a step of length `later`.
bool FirstOrderSelection::holds(double t, Eigen::VectorXd& x, double later) {
    if (!mode_.jump(t, x) || !mode_(t, x, slope_)) return false;
    mode_.evaluate_ends(t, x, values_, rates_);
    const auto is_positive = [&](double tolerance) {
        const double lambda_size = std::max(1.0, mode_.lambda().lpNorm<Eigen::Infinity>());
        for (std::size_t k = 0; k < mode_.ends().size(); ++k) {
            const FirstOrderMode::End& end = mode_.ends()[k];
            const bool is_multiplier = end.kind == FirstOrderMode::End::Kind::multiplier;
            const double size = is_multiplier ? lambda_size : 1e15 * mode_.rounding_of_y(end.row);
            if (values_[static_cast<Index>(k)] < -tolerance * size) return false;
        }
        return true;
    };
    if (!is_positive(1e-9)) return false;
    trial_ = x + 0.5 * later * slope_;
    if (!mode_(t + 0.5 * later, trial_, slope_)) return false;
    trial_ = x + later * slope_;
    if (!mode_(t + later, trial_, slope_)) return false;
    mode_.evaluate_ends(t + later, trial_, values_, rates_);
    return is_positive(1e-11);
}

bool FirstOrderSelection::try_all(double t, Eigen::VectorXd& x, const std::vector<std::vector<Place>>& places,
                                  double later) {
    constexpr long most = 256;
    long count = 1;
    for (const auto& row : places) count = std::min(most, count * static_cast<long>(row.size()));
    Placement placement(places.size());
    const Eigen::VectorXd start = x;
    for (long k = 0; k < count; ++k) {
        long rest = k;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto choices = static_cast<long>(places[i].size());
            placement[i] = places[i][static_cast<std::size_t>(rest % choices)];
            rest /= choices;
        }
        mode_.set(placement);
        x = start;
        if (holds(t, x, later)) return true;
    }
    x = start;
    return false;
}

bool FirstOrderSelection::select(double t, Eigen::VectorXd& x, const FirstOrderMode::End* turned, double time_scale) {
    constexpr int most_scales = 5;
    const Placement last = mode_.placement();
    for (int k = 0; k < most_scales; ++k, time_scale *= 0.03) {
        mode_.set(last);
        if (!solve(t, x, 1e-6 * time_scale)) return false;
        if (try_all(t, x, places(turned), 1e-4 * time_scale)) return true;
    }
    report_ = {.status = SolveStatus::stalled, .message = "the multipliers of none agree with the laws"};
    return false;
}

}  // namespace saltus
