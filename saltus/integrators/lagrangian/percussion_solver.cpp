#include "saltus/integrators/lagrangian/percussion_solver.hpp"

#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

bool is_box(const Law& law) { return std::holds_alternative<Interval>(law) || std::holds_alternative<Equality>(law); }

std::vector<int> sizes_of(const std::vector<Law>& laws) {
    std::vector<int> sizes;
    for (const Law& law : laws) sizes.push_back(dimension(law));
    return sizes;
}

}  // namespace

void PercussionSolver::set(const Matrix& W, std::vector<Law> laws) {
    is_box_ = std::all_of(laws.begin(), laws.end(), is_box);
    is_placed_ = false;
    box_.M = W;
    const Index n = W.rows();
    w_.resize(n);
    if (!is_box_) {
        curved_.W = BlockMatrix(W, sizes_of(laws));
        curved_.laws = std::move(laws);
        return;
    }
    box_.lower.resize(n);
    box_.upper.resize(n);
    Index at = 0;
    for (const Law& law : laws) {
        const Interval interval =
            std::holds_alternative<Interval>(law) ? std::get<Interval>(law) : Interval{-infinity, infinity};
        for (int i = 0; i < dimension(law); ++i, ++at) {
            box_.lower[at] = interval.lower;
            box_.upper[at] = interval.upper;
        }
    }
}

// The places that P - w suggests, and the factors of W restricted to the basic ones.
void PercussionSolver::place(const Eigen::VectorXd& q, const Eigen::VectorXd& P) {
    const Index n = q.size();
    w_ = q;
    box_.M.multiply_add(P, w_);
    Placement places(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
        const double scale = box_.M(i, i) > 0.0 ? 1.0 / box_.M(i, i) : 1.0;
        places[static_cast<std::size_t>(i)] = place_of({box_.lower[i], box_.upper[i]}, P[i] - scale * w_[i]);
    }
    if (is_placed_ && places == placement_) return;
    placement_ = std::move(places);
    basic_.clear();
    for (Index i = 0; i < n; ++i)
        if (placement_[static_cast<std::size_t>(i)] == Place::basic) basic_.push_back(i);
    basic_values_.resize(std::ssize(basic_));
    is_placed_ = factors_.compute_block(box_.M, basic_);
}

// W_BB P_B = -(q + W_BN P_N)_B, P_N at its bounds.
bool PercussionSolver::solve_placed(const Eigen::VectorXd& q, Eigen::VectorXd& P) {
    const Index n = q.size();
    for (Index i = 0; i < n; ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        P[i] = place == Place::basic ? 0.0 : bound_at({box_.lower[i], box_.upper[i]}, place);
    }
    w_ = q;
    if (std::ssize(basic_) < n) box_.M.multiply_add(P, w_);
    for (Index k = 0; k < std::ssize(basic_); ++k) basic_values_[k] = -w_[basic_[static_cast<std::size_t>(k)]];
    factors_.solve_in_place(basic_values_);
    for (Index k = 0; k < std::ssize(basic_); ++k) P[basic_[static_cast<std::size_t>(k)]] = basic_values_[k];
    if (std::ssize(basic_) < n) {
        w_ = q;
        box_.M.multiply_add(P, w_);
    }
    return holds(P);
}

bool PercussionSolver::holds(const Eigen::VectorXd& P) const {
    bool holds = true;
    for (Index i = 0; i < P.size(); ++i) {
        const Place place = placement_[static_cast<std::size_t>(i)];
        if (place == Place::basic)
            holds &= box_.lower[i] <= P[i] && P[i] <= box_.upper[i];
        else
            holds &= slack_sign({box_.lower[i], box_.upper[i]}, place) * w_[i] >= 0.0;
    }
    return holds;
}

const SolveReport& PercussionSolver::solve(const Eigen::VectorXd& q, Eigen::VectorXd& P) {
    if (!is_box_) {
        curved_.q = q;
        if (facets > 0) return solve_faceted(P);
        report_ = one_step::Auto{.tolerance = tolerance}.solve(curved_, P);
        return report_;
    }
    box_.q = q;
    if (!is_placed_) place(q, P);
    if (is_placed_ && solve_placed(q, P)) {
        report_.status = SolveStatus::converged;
        report_.iterations = 0;
        return report_;
    }
    report_ = Auto{.tolerance = tolerance}.solve(box_, P, workspace_);
    if (!report_.converged()) {
        is_placed_ = false;
        return report_;
    }
    place(q, P);
    // The placement gives the percussions more exactly than the solver.
    const Eigen::VectorXd solution = P;
    if (is_placed_ && !solve_placed(q, P)) P = solution;
    return report_;
}

const SolveReport& PercussionSolver::solve_faceted(Eigen::VectorXd& P) {
    faceted_.facets = facets;
    faceted_.tolerance = tolerance;
    report_ = faceted_.solve(curved_, P);
    return report_;
}

StepProblem PercussionSolver::problem() const {
    if (is_box_) return box_;
    if (facets > 0) return faceted_.problem();
    return curved_;
}

}  // namespace saltus
