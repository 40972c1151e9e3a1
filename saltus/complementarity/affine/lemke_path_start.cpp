// How the path of Lemke's method begins: the first basis and the covering vector.
#include <cmath>

#include "saltus/complementarity/affine/lemke_path.hpp"
#include "saltus/core/interruption.hpp"

#include "saltus/core/dense.hpp"

namespace saltus {

bool LemkePath::start(const Eigen::VectorXd& guess) {
    for (Index i = 0; i < n_; ++i) place_[i] = place_of(problem_.interval(i), guess[i]);
    return factor_basis() && begin();
}

bool LemkePath::start_at_vertex() {
    for (Index i = 0; i < n_; ++i) place_[i] = place_of(problem_.interval(i), lower_[i]);
    return (factor_basis() || extend_singular_free_block()) && begin();
}

bool LemkePath::factor_basis() {
    IndexList basic;
    for (Index i = 0; i < n_; ++i)
        if (place_[i] == Place::basic) basic.push_back(i);
    set_basis(basic);
    return inverse_.reset(basis_matrix());
}

bool LemkePath::begin() {
    compute_values();
    while (place_violators_at_bounds()) {
        check_interruption();
        if (!factor_basis()) return false;
        compute_values();
    }
    choose_covering_vector();
    enter_covering_variable();
    return true;
}

// A variable with two bounds cannot be moved into its interval by a multiple of t, which may be large: it starts at the
// bound that it violates. True if there was any.
bool LemkePath::place_violators_at_bounds() {
    bool any = false;
    for (const Index j : columns_) {
        if (!std::isfinite(lower_[j]) || !std::isfinite(upper_[j])) continue;
        if (lower_[j] <= z_[j] && z_[j] <= upper_[j]) continue;
        place_[j] = z_[j] < lower_[j] ? Place::at_lower : Place::at_upper;
        any = true;
    }
    return any;
}

// Principal pivots, 1 x 1 or 2 x 2, bring every free variable into the basis; a 2 x 2 pivot may bring a bounded
// variable with it.                                                                         docs/theory.md (8)
bool LemkePath::extend_singular_free_block() {
    Eigen::MatrixXd T = M_;
    std::vector<bool> in(static_cast<std::size_t>(n_), false);
    const double scale = M_.cwiseAbs().maxCoeff();
    const auto exchange = [&](const IndexList& block) {
        const Eigen::MatrixXd inverse = saltus::inverse(T(block, block));
        const Eigen::MatrixXd columns = T(Eigen::all, block) * inverse, rows = -inverse * T(block, Eigen::all);
        T -= columns * T(block, Eigen::all);
        T(Eigen::all, block) = columns;
        T(block, Eigen::all) = rows;
        T(block, block) = inverse;
        for (const Index i : block) in[i] = !in[i];
    };
    for (;;) {
        check_interruption();
        IndexList best;
        double largest = 1e-10 * scale;  // a smaller pivot is taken for zero
        for (Index i = 0; i < n_; ++i) {
            if (!problem_.is_free(i) || in[i]) continue;
            if (std::abs(T(i, i)) > largest) best = {i}, largest = std::abs(T(i, i));
            for (Index j = 0; j < n_; ++j) {
                if (j == i || (problem_.is_free(j) && in[j])) continue;
                const double size = 0.5 * std::sqrt(std::abs(T(i, i) * T(j, j) - T(i, j) * T(j, i)));
                if (size > largest) best = {i, j}, largest = size;
            }
        }
        if (best.empty()) break;
        exchange(best);
    }
    for (Index i = 0; i < n_; ++i) {
        if (problem_.is_free(i) && !in[i]) return false;
        if (in[i]) place_[i] = Place::basic;
    }
    return factor_basis();
}

// Basic variables with one bound and slacks move into their intervals as t grows:  dz_A/dt = a,  dw_N/dt = sign,
// whether they are feasible or not, which keeps the theory of a positive covering vector.            docs/theory.md (7)
void LemkePath::choose_covering_vector() {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(std::ssize(columns_));
    for (std::size_t k = 0; k < columns_.size(); ++k) {
        const Index j = columns_[k];
        if (std::isfinite(lower_[j]) != std::isfinite(upper_[j]))
            a[static_cast<Index>(k)] = std::isfinite(lower_[j]) ? 1.0 : -1.0;
    }
    covering_.setZero();
    add_columns(M_, columns_, -a, covering_);
    for (Index i = 0; i < n_; ++i) {
        perturbation_sign_[i] = place_[i] == Place::at_upper ? -1.0 : 1.0;
        if (!is_basic(i)) covering_[i] += sign(i);
    }
    row_scale_ = row_scale_.cwiseMax(covering_.cwiseAbs());
    basic_rate_ = -a;
    slack_rate_ = Eigen::VectorXd::Zero(n_);
    for (Index i = 0; i < n_; ++i)
        if (!is_basic(i)) slack_rate_[i] = -sign(i);
}

// t comes down from infinity to the first value at which some variable leaves its interval.
void LemkePath::enter_covering_variable() {
    double t = 0.0;
    IndexList tied;
    const auto consider = [&](Index id, double violation) {
        if (violation <= 0.0 || violation < t * (1.0 - tie_tolerance)) return;
        if (violation > t * (1.0 + tie_tolerance)) tied.clear();
        t = std::max(t, violation);
        tied.push_back(id);
    };
    for (const Index j : columns_) consider(j, std::max(lower_[j] - z_[j], z_[j] - upper_[j]));
    for (Index i = 0; i < n_; ++i)
        if (!is_basic(i)) consider(n_ + 1 + i, -sign(i) * w_[i]);
    if (tied.empty()) {
        t_ = 0.0;
        return;
    }
    break_ties(tied);
    for (std::size_t k = 0; k < columns_.size(); ++k) z_[columns_[k]] -= t * basic_rate_[static_cast<Index>(k)];
    w_ -= t * slack_rate_;
    t_ = t_start_ = t;
    entering_ = {.index = n_, .is_slack = false, .direction = -1.0};
    pivot(leaving_for(tied.front(), 0.0));
}

}  // namespace saltus
