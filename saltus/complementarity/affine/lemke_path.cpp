#include "saltus/complementarity/affine/lemke_path.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double pivot_tolerance = 1e5 * epsilon;  // relative to the terms of a rate: a smaller rate is rounding
constexpr double drift_tolerance = 1e-9;           // relative defect of the basic equations that asks for a new inverse

// Lexicographic a < b, up to rounding.
bool lexicographically_less(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double tolerance) {
    for (Index i = 0; i < a.size(); ++i) {
        const double scale = std::max({1.0, std::abs(a[i]), std::abs(b[i])});
        if (std::abs(a[i] - b[i]) > tolerance * scale) return a[i] < b[i];
    }
    return false;
}

}  // namespace

LemkePath::LemkePath(const AffineBox& problem, const Eigen::MatrixXd& M)
    : problem_(problem),
      M_(M),
      n_(problem.size()),
      lower_(n_),
      upper_(n_),
      z_(n_),
      w_(n_),
      covering_(n_),
      perturbation_sign_(n_),
      place_(static_cast<std::size_t>(n_)) {
    for (Index i = 0; i < n_; ++i) {
        lower_[i] = problem.lower(i);
        upper_[i] = problem.upper(i);
    }
    row_scale_ = Eigen::VectorXd::Zero(n_);
    for (Index j = 0; j < n_; ++j) row_scale_ = row_scale_.cwiseMax(M.col(j).cwiseAbs());
}

void LemkePath::set_basis(const IndexList& basic) {
    rows_ = columns_ = basic;
    row_of_.assign(static_cast<std::size_t>(n_), -1);
    column_of_.assign(static_cast<std::size_t>(n_) + 1, -1);
    for (std::size_t k = 0; k < basic.size(); ++k) row_of_[basic[k]] = column_of_[basic[k]] = static_cast<Index>(k);
}

Eigen::MatrixXd LemkePath::basis_matrix() const {
    Eigen::MatrixXd K(std::ssize(rows_), std::ssize(columns_));
    for (std::size_t k = 0; k < columns_.size(); ++k) K.col(static_cast<Index>(k)) = column(columns_[k]);
    return K;
}

Eigen::VectorXd LemkePath::column(Index variable) const {
    if (variable == n_) return covering_(rows_);
    return M_.col(variable)(rows_);
}

Eigen::VectorXd LemkePath::row(Index equation) const {
    Eigen::VectorXd result(std::ssize(columns_));
    for (std::size_t k = 0; k < columns_.size(); ++k)
        result[static_cast<Index>(k)] = columns_[k] == n_ ? covering_[equation] : M_(equation, columns_[k]);
    return result;
}

// Basic values from (6), then w = M z + q + t d; one step of iterative refinement.
void LemkePath::compute_values() {
    for (Index i = 0; i < n_; ++i)
        if (!is_basic(i)) z_[i] = bound_at(problem_.interval(i), place_[i]);
    const auto evaluate_slack = [&] {
        w_ = problem_.q;
        w_.noalias() += M_ * z_;
        if (is_basic(n_)) w_ += t_ * covering_;
    };
    for (const Index j : columns_) (j == n_ ? t_ : z_[j]) = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
        evaluate_slack();
        const Eigen::VectorXd correction = inverse_.matrix() * Eigen::VectorXd(w_(rows_));
        for (std::size_t k = 0; k < columns_.size(); ++k)
            (columns_[k] == n_ ? t_ : z_[columns_[k]]) -= correction[static_cast<Index>(k)];
    }
    evaluate_slack();
}

void LemkePath::compute_direction() {
    const auto [e, is_slack, direction] = entering_;
    if (is_slack)
        basic_rate_ = direction * inverse_.matrix().col(row_of_[e]);
    else
        basic_rate_.noalias() = inverse_.matrix() * (-direction * column(e));
    slack_rate_.setZero();
    if (!is_slack) slack_rate_ = direction * M_.col(e);
    // t is not a column of M: its place in the sum is taken by a zero coefficient of column 0.
    const Index t_position = column_of_[n_];
    slack_rate_ += basic_rate_[t_position] * covering_;
    Eigen::VectorXd coefficients = basic_rate_;
    coefficients[t_position] = 0.0;
    IndexList variables = columns_;
    variables[t_position] = 0;
    add_columns(M_, variables, coefficients, slack_rate_);
}

// Whether the rate of a basic unknown is rounding: small beside the terms that it is summed from, which are computed
// only where the rate is small beside the largest ones.
bool LemkePath::is_rounding(Index id, double speed) const {
    const double largest = std::max(basic_rate_.lpNorm<Eigen::Infinity>(), 1.0);
    const auto [e, is_slack, direction] = entering_;
    if (id > n_) {
        const Index i = id - n_ - 1;
        if (speed > pivot_tolerance * row_scale_[i] * largest) return false;
        const double terms = row(i).cwiseAbs().dot(basic_rate_.cwiseAbs()) + (is_slack ? 0.0 : std::abs(M_(i, e)));
        return speed <= pivot_tolerance * terms;
    }
    if (speed > pivot_tolerance * largest) return false;
    const Eigen::RowVectorXd inverse_row = inverse_.matrix().row(column_of_[id]).cwiseAbs();
    const double terms = is_slack ? inverse_row.maxCoeff() : inverse_row.dot(column(e).cwiseAbs());
    return speed <= pivot_tolerance * terms;
}

LemkePath::Leaving LemkePath::ratio_test() {
    candidates_.clear();
    // `speed` > 0 goes towards the bound, `room` away; `size` is that of the numbers whose difference the room is.
    const auto consider = [&](Index id, double room, double speed, double size) {
        if (!(speed > 0.0) || is_rounding(id, speed)) return;
        candidates_.push_back({id, std::max(room, 0.0) / speed, tie_tolerance * size / speed});
    };
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const Index j = columns_[k];
        const double rate = basic_rate_[static_cast<Index>(k)];
        const double bound = j == n_ ? 0.0 : rate < 0.0 ? lower_[j] : upper_[j];
        if (j == n_)
            consider(n_, t_, -rate, t_start_);
        else if (std::isfinite(bound))
            consider(j, std::abs(z_[j] - bound), std::abs(rate), std::max(std::abs(z_[j]), std::abs(bound)));
    }
    for (Index i = 0; i < n_; ++i)
        if (row_of_[i] < 0)
            consider(n_ + 1 + i, sign(i) * w_[i], -sign(i) * slack_rate_[i],
                     std::abs(problem_.q[i]) + std::abs(covering_[i]) * t_);
    if (!entering_.is_slack && std::isfinite(upper_[entering_.index] - lower_[entering_.index]))
        candidates_.push_back({flip_id(), upper_[entering_.index] - lower_[entering_.index], 0.0});

    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) least = std::min(least, candidate.ratio);
    IndexList tied;
    for (const Candidate& candidate : candidates_)
        if (candidate.ratio <= least + std::max(candidate.uncertainty, tie_tolerance * least))
            tied.push_back(candidate.id);
    if (tied.empty()) return {};
    if (std::find(tied.begin(), tied.end(), n_) != tied.end()) return {Leaving::Kind::t, n_, least};
    break_ties(tied);
    return leaving_for(tied.front(), least);
}

LemkePath::Leaving LemkePath::leaving_for(Index id, double step) const {
    const Place end = rate_of(id) < 0.0 ? Place::at_lower : Place::at_upper;
    if (id == flip_id()) return {Leaving::Kind::flip, entering_.index, step, end};
    if (id > n_) return {Leaving::Kind::w, id - n_ - 1, step};
    return {Leaving::Kind::z, id, step, end};
}

double LemkePath::rate_of(Index id) const {
    if (id == flip_id()) return entering_.direction;
    return id > n_ ? slack_rate_[id - n_ - 1] : basic_rate_[column_of_[id]];
}

// How a basic unknown depends on the perturbation q_i + sign_i e^(i+1), e -> 0: a row of the inverse basis.
Eigen::VectorXd LemkePath::perturbation_of(Index id) const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(n_);
    if (id == flip_id()) return result;  // the entering variable goes from one bound to the other, whatever q
    if (id > n_) {
        const Index i = id - n_ - 1;
        result(rows_) = -(inverse_.matrix().transpose() * row(i));
        result[i] += 1.0;
    } else {
        result(rows_) = -inverse_.matrix().row(column_of_[id]).transpose();
    }
    return result.cwiseProduct(perturbation_sign_);
}

// Leaves in front the tied variable whose perturbed ratio is lexicographically least.
void LemkePath::break_ties(IndexList& tied) const {
    if (tied.size() < 2) return;
    Eigen::VectorXd least = -perturbation_of(tied.front()) / rate_of(tied.front());
    for (std::size_t k = 1; k < tied.size(); ++k) {
        const Eigen::VectorXd candidate = -perturbation_of(tied[k]) / rate_of(tied[k]);
        if (!lexicographically_less(candidate, least, tie_tolerance)) continue;
        least = candidate;
        std::swap(tied[0], tied[k]);
    }
}

LemkePath::Step LemkePath::advance() {
    if (!is_basic(n_)) return Step::solved;
    compute_direction();
    const Leaving leaving = ratio_test();
    if (leaving.kind == Leaving::Kind::none) return Step::ray;

    for (std::size_t k = 0; k < columns_.size(); ++k)
        (columns_[k] == n_ ? t_ : z_[columns_[k]]) += leaving.step * basic_rate_[static_cast<Index>(k)];
    for (Index i = 0; i < n_; ++i)
        if (row_of_[i] < 0) w_[i] += leaving.step * slack_rate_[i];
    if (!entering_.is_slack && entering_.index < n_) z_[entering_.index] += entering_.direction * leaving.step;
    if (entering_.is_slack) w_[entering_.index] = entering_.direction * leaving.step;

    if (leaving.kind == Leaving::Kind::t) {
        t_ = 0.0;
        return Step::solved;
    }
    pivot(leaving);
    return Step::pivoted;
}

void LemkePath::pivot(const Leaving& leaving) {
    const auto [e, is_slack, direction] = entering_;
    const Index leaver = leaving.index;
    if (leaving.kind == Leaving::Kind::flip) {
        place_[e] = leaving.bound;
        z_[e] = bound_at(problem_.interval(e), leaving.bound);
    } else if (leaving.kind == Leaving::Kind::z) {
        const Index position = column_of_[leaver];
        column_of_[leaver] = -1;
        place_[leaver] = leaving.bound;
        z_[leaver] = bound_at(problem_.interval(leaver), leaving.bound);
        if (is_slack) {  // row e and column `leaver` disappear
            const Index row_position = row_of_[e];
            inverse_.remove(row_position, position);
            row_of_[rows_.back()] = row_position;
            rows_[row_position] = rows_.back();
            rows_.pop_back();
            row_of_[e] = -1;
            if (columns_.back() != leaver) column_of_[columns_.back()] = position;
            columns_[position] = columns_.back();
            columns_.pop_back();
        } else {
            inverse_.replace_column(position, inverse_.matrix() * column(e));
            columns_[position] = e;
            column_of_[e] = position;
        }
    } else if (is_slack) {  // w_e enters, w_leaver leaves: row e becomes row `leaver`
        const Index position = row_of_[e];
        inverse_.replace_row(position, inverse_.matrix().transpose() * row(leaver));
        rows_[position] = leaver;
        row_of_[e] = -1;
        row_of_[leaver] = position;
    } else {  // z_e enters, w_leaver leaves: one more row and column
        const Eigen::VectorXd u = inverse_.matrix() * column(e), r = row(leaver);
        const double corner = e == n_ ? covering_[leaver] : M_(leaver, e);
        inverse_.append(u, inverse_.matrix().transpose() * r, corner - r.dot(u));
        row_of_[leaver] = std::ssize(rows_);
        column_of_[e] = std::ssize(columns_);
        rows_.push_back(leaver);
        columns_.push_back(e);
    }
    if (!is_slack && e < n_ && is_basic(e)) place_[e] = Place::basic;

    // The complement of what left enters next.
    const bool z_left = leaving.kind != Leaving::Kind::w;
    entering_.index = leaver;
    entering_.is_slack = z_left;
    entering_.direction = place_[leaver] == Place::at_upper ? -1.0 : 1.0;
    if (!z_left) w_[leaver] = 0.0;
}

bool LemkePath::refresh() {
    compute_values();
    const double scale = std::max(1.0, problem_.q.lpNorm<Eigen::Infinity>());
    if (rows_.empty() || Eigen::VectorXd(w_(rows_)).lpNorm<Eigen::Infinity>() <= drift_tolerance * scale) return true;
    if (!inverse_.reset(basis_matrix())) return false;
    compute_values();
    return true;
}

Eigen::VectorXd LemkePath::ray() const {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(n_);
    for (std::size_t k = 0; k < columns_.size(); ++k)
        if (columns_[k] != n_) direction[columns_[k]] = basic_rate_[static_cast<Index>(k)];
    if (!entering_.is_slack) direction[entering_.index] = entering_.direction;
    return direction;
}

IndexList LemkePath::basic_variables() const {
    IndexList basic;
    for (Index i = 0; i < n_; ++i)
        if (is_basic(i)) basic.push_back(i);
    return basic;
}

}  // namespace saltus
