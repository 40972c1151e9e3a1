#include "saltus/complementarity/one_step/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/complementarity/one_step/one_step_interior_point.hpp"
#include "saltus/complementarity/one_step/proximal_point.hpp"

namespace saltus::one_step {

ProblemPart::ProblemPart(const OneStepView& problem, IndexList blocks, const std::vector<int>& owner, int number)
    : blocks_(std::move(blocks)), problem_(restriction(problem, blocks_)), free_q_(problem_.q) {
    for (Index b = 0; b < size(); ++b) {
        const Index i = blocks_[static_cast<std::size_t>(b)];
        const auto columns = problem.W.columns(i);
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (owner[static_cast<std::size_t>(columns[k])] != number)
                couplings_.push_back({i, problem_.W.start(b), k});
    }
}

void ProblemPart::load(const BlockMatrix& W, const Eigen::VectorXd& r) {
    problem_.q = free_q_;
    for (const auto& [i, row, k] : couplings_) {
        const Index j = W.columns(i)[k];
        problem_.q.segment(row, W.size(i)) += W.block(i, k).lazyProduct(r.segment(W.start(j), W.size(j)));
    }
    r_part = gather(W, blocks_, r);
}

Clusters::Clusters(const OneStepView& problem)
    : problem_(problem),
      is_member_(static_cast<std::size_t>(problem.blocks()), false),
      rings_(static_cast<std::size_t>(problem.blocks()), 0) {
    build();
}

namespace {

// The semismooth Newton method from the last solution, which is near; else the interior point method from afar.
void solve_cluster(const OneStepProblem& cluster, double accuracy, Eigen::VectorXd& r) {
    constexpr int near_steps = 15, far_steps = 100;
    constexpr double least_alpha = 1e-6;
    const SolveReport near =
        ProximalPoint{.tolerance = accuracy, .max_iterations = near_steps, .alpha = least_alpha}.solve(cluster, r);
    if (near.converged()) return;
    Eigen::VectorXd other = r;
    const SolveReport far = InteriorPoint{.tolerance = accuracy, .max_iterations = far_steps}.solve(cluster, other);
    if (far.residual < near.residual) r = std::move(other);
}

}  // namespace

void Clusters::sweep(Eigen::VectorXd& r, double accuracy) {
    if (sweep_) {
        singles_->load(problem_.W, r);
        sweep_->run(singles_->r_part);
        singles_->unload(problem_.W, r);
    }
    for (ProblemPart& cluster : clusters_) {
        cluster.load(problem_.W, r);
        solve_cluster(cluster.problem(), accuracy, cluster.r_part);
        cluster.unload(problem_.W, r);
    }
}

void Clusters::grow(const Eigen::VectorXd& movement, double share) {
    IndexList order(static_cast<std::size_t>(movement.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return movement[a] > movement[b]; });
    const double goal = share * movement.sum();
    double sum = 0.0;
    for (const Index seed : order) {
        add_around(seed);
        sum += movement[seed];
        if (sum > goal) break;
    }
    build();
}

void Clusters::add_around(Index seed) {
    IndexList ball{seed};
    std::vector<bool> is_inside(is_member_.size(), false);
    is_inside[static_cast<std::size_t>(seed)] = true;
    std::size_t first = 0;
    for (int ring = ++rings_[static_cast<std::size_t>(seed)]; ring > 0; --ring) {
        const std::size_t last = ball.size();
        for (; first < last; ++first)
            for (const int j : problem_.W.columns(ball[first])) {
                if (is_inside[static_cast<std::size_t>(j)]) continue;
                is_inside[static_cast<std::size_t>(j)] = true;
                ball.push_back(j);
            }
    }
    for (const Index i : ball) is_member_[static_cast<std::size_t>(i)] = true;
}

void Clusters::build() {
    IndexList members, singles;
    for (Index i = 0; i < problem_.blocks(); ++i)
        (is_member_[static_cast<std::size_t>(i)] ? members : singles).push_back(i);
    std::vector<IndexList> parts = islands(problem_.W.principal(members));
    constexpr int single = -1;
    std::vector<int> owner(is_member_.size(), single);
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (Index& i : parts[p]) {
            i = members[static_cast<std::size_t>(i)];
            owner[static_cast<std::size_t>(i)] = static_cast<int>(p);
        }
    clusters_.clear();
    for (std::size_t p = 0; p < parts.size(); ++p)
        clusters_.emplace_back(problem_, std::move(parts[p]), owner, static_cast<int>(p));
    sweep_.reset();
    view_.reset();
    singles_.reset();
    if (singles.empty()) return;
    singles_.emplace(problem_, std::move(singles), owner, single);
    view_.emplace(singles_->problem());
    sweep_.emplace(*view_, Sweep::Options{});
}

Index Clusters::largest() const {
    Index result = 0;
    for (const ProblemPart& cluster : clusters_) result = std::max(result, cluster.size());
    return result;
}

}  // namespace saltus::one_step
