#include "saltus/integrators/event/first_order_selection.hpp"

#include <fmt/format.h>

namespace saltus {

// The laws of the step, linearised at lambda_. A row is scaled to the size of its terms, of which the sum may be
// rounding: then W and y_eps are of order one, or below where they cancel.
bool FirstOrderSelection::set_problem(double t, const Eigen::VectorXd& x, double epsilon) {
    const Index m = mode_.rows();
    const Linearisation& at = mode_.linearise(t, x, lambda_);
    const Eigen::MatrixXd response = mode_.solve_mass(at.r_lambda), slope = mode_.solve_mass(at.F + at.r);
    const Eigen::MatrixXd sizes = at.y_lambda.cwiseAbs() + epsilon * (at.y_x.cwiseAbs() * response.cwiseAbs());
    const Eigen::VectorXd rate_sizes = epsilon * (at.y_x.cwiseAbs() * slope.cwiseAbs() + at.y_t.cwiseAbs());
    Eigen::MatrixXd W = at.y_lambda + epsilon * (at.y_x * response);
    Eigen::VectorXd y = epsilon * (at.y_x * slope + at.y_t), lower(m), upper(m);
    for (Index i = 0; i < m; ++i) {
        const bool is_zero = std::abs(at.y[i]) <= 1e3 * mode_.rounding_of_y(i) && at.y_lambda.row(i).isZero(0.0);
        const double held = is_zero ? 0.0 : at.y[i];
        const double size = std::max({sizes.row(i).maxCoeff(), rate_sizes[i], std::abs(held)});
        const double scale = size > 0.0 ? 1.0 / size : 1.0;
        W.row(i) *= scale;
        y[i] = scale * (y[i] + held);
        lower[i] = mode_.law(i).lower;
        upper[i] = mode_.law(i).upper;
    }
    problem_ = {W, y - W * lambda_, lower, upper};
    return W.allFinite() && y.allFinite();
}

// Newton's method on these laws.
bool FirstOrderSelection::solve(double t, const Eigen::VectorXd& x, double epsilon) {
    constexpr int most_iterations = 30;
    lambda_ = mode_.lambda();
    for (Index i = 0; i < lambda_.size(); ++i) lambda_[i] = mode_.law(i).project(lambda_[i]);
    for (int k = 0; k < most_iterations; ++k) {
        if (!set_problem(t, x, epsilon)) {
            report_ = {.status = SolveStatus::stalled, .message = "y or a right-hand side is not finite"};
            return false;
        }
        const Eigen::VectorXd last = lambda_;
        report_ = Auto{.tolerance = 1e-12}.solve(problem_, lambda_, workspace_);
        if (!report_.converged() && report_.residual > 1e-9) return false;
        w_ = problem_.q;
        problem_.M.multiply_add(lambda_, w_);
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

// The rows that are basic after solve() hold y = 0 in the jump; what they do after it is another question.
double FirstOrderSelection::find_jump(double t, const Eigen::VectorXd& x) {
    Placement placement;
    for (Index i = 0; i < lambda_.size(); ++i) placement.push_back(place_of(mode_.law(i), lambda_[i]));
    mode_.set(placement);
    trial_ = x;
    if (!mode_.jump(t, trial_) || !trial_.allFinite()) return 0.0;
    const double way = (trial_ - x).lpNorm<Eigen::Infinity>();
    return way <= jump_tolerance * std::max(1.0, x.lpNorm<Eigen::Infinity>()) ? 0.0 : way;
}

// A multiplier is an impulse if it is of order 1 / epsilon, so that the jump is the same with a smaller one; else a
// step of length epsilon has reached the later motion.
bool FirstOrderSelection::solve_with_jump(double t, Eigen::VectorXd& x, double epsilon) {
    if (!solve(t, x, epsilon)) return false;
    const double way = find_jump(t, x);
    if (way == 0.0) return true;
    const Eigen::VectorXd end = trial_;
    if (!solve(t, x, 0.03 * epsilon)) return false;
    if (find_jump(t, x) == 0.0 || (trial_ - end).lpNorm<Eigen::Infinity>() > 0.1 * way) return true;
    x = trial_;
    return solve(t, x, epsilon);
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
    const Eigen::VectorXd start = x;
    bool is_solved = false;
    for (int k = 0; k < most_scales; ++k, time_scale *= 0.03)
        for (const double part : {1e-6, 1e-4}) {  // the second where the first is too near to singular
            mode_.set(last);
            x = start;
            const double epsilon = part * time_scale;
            if (!solve_with_jump(t, x, epsilon)) continue;
            is_solved = true;
            mode_.set(last);
            if (try_all(t, x, places(turned), 1e-4 * time_scale)) return true;
        }
    x = start;
    if (is_solved) report_ = {.status = SolveStatus::stalled, .message = "the multipliers of none agree with the laws"};
    return false;
}

}  // namespace saltus
