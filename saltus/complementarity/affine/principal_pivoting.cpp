#include "saltus/complementarity/affine/principal_pivoting.hpp"

#include <algorithm>

#include "saltus/complementarity/affine/block_guard.hpp"
#include "saltus/complementarity/place.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/core/updatable_inverse.hpp"

namespace saltus {

namespace {

// A complementary basis of the box problem with the inverse of its block M_AA.
class Basis {
public:
    Basis(const AffineBox& problem, const Eigen::MatrixXd& M)
        : problem_(problem), M_(M), position_(static_cast<std::size_t>(problem.size()), -1), z_(problem.size()) {}

    // The basis that a guess suggests; failing that, the free variables alone. False if both are singular.
    bool start(const Eigen::VectorXd& guess) {
        return factor([&](Index i) { return place_of(problem_.interval(i), guess[i]); }) ||
               factor([&](Index i) { return place_of(problem_.interval(i), problem_.lower(i)); });
    }

    // z_A = -M_AA^-1 (q_A + M_AN z_N), refined once, and w = M z + q.
    void compute_values() {
        for (Index i = 0; i < problem_.size(); ++i)
            z_[i] = place_[i] == Place::basic ? 0.0 : bound_at(problem_.interval(i), place_[i]);
        w_ = M_ * z_ + problem_.q;
        for (int pass = 0; pass < 2; ++pass) {
            const Eigen::VectorXd correction = inverse_.matrix() * Eigen::VectorXd(w_(basic_));
            for (std::size_t k = 0; k < basic_.size(); ++k) {
                z_[basic_[k]] -= correction[static_cast<Index>(k)];
                w_ -= correction[static_cast<Index>(k)] * M_.col(basic_[k]);
            }
        }
    }

    // How far variable i is on the wrong side: of its interval if basic, of its slack's sign otherwise.
    double violation(Index i) const {
        const Interval interval = problem_.interval(i);
        if (place_[i] == Place::basic) return std::max(interval.lower - z_[i], z_[i] - interval.upper);
        return -slack_sign(interval, place_[i]) * w_[i];
    }

    // A basic variable goes to the bound it violates, another becomes basic. The pivot (a ratio of principal minors of
    // M, positive for P-matrices) is returned; nothing is done if it vanishes.
    double exchange(Index i) { return place_[i] == Place::basic ? leave(i) : enter(i); }

    const Eigen::VectorXd& z() const { return z_; }

private:
    template <class PlaceOf>
    bool factor(PlaceOf&& place) {
        basic_.clear();
        place_.clear();
        for (Index i = 0; i < problem_.size(); ++i) {
            place_.push_back(place(i));
            position_[i] = place_[i] == Place::basic ? std::ssize(basic_) : -1;
            if (place_[i] == Place::basic) basic_.push_back(i);
        }
        return inverse_.reset(M_(basic_, basic_));
    }

    double leave(Index i) {
        const Index k = position_[i];
        const double pivot = inverse_.matrix()(k, k);
        if (pivot == 0.0) return 0.0;
        inverse_.remove(k, k);
        place_[i] = z_[i] < problem_.lower(i) ? Place::at_lower : Place::at_upper;
        position_[basic_.back()] = k;
        basic_[k] = basic_.back();
        basic_.pop_back();
        position_[i] = -1;
        return pivot;
    }

    double enter(Index i) {
        const Eigen::VectorXd u = inverse_.matrix() * Eigen::VectorXd(M_.col(i)(basic_));
        const Eigen::VectorXd row = M_(i, basic_).transpose();
        const double pivot = M_(i, i) - row.dot(u);
        constexpr double rounding = 1e-13;
        if (std::abs(pivot) <= rounding * (std::abs(M_(i, i)) + row.cwiseAbs().dot(u.cwiseAbs()))) return 0.0;
        inverse_.append(u, inverse_.matrix().transpose() * row, pivot);
        place_[i] = Place::basic;
        position_[i] = std::ssize(basic_);
        basic_.push_back(i);
        return pivot;
    }

    const AffineBox& problem_;
    const Eigen::MatrixXd& M_;
    std::vector<Place> place_;
    IndexList basic_, position_;
    UpdatableInverse inverse_;
    Eigen::VectorXd z_, w_;
};

}  // namespace

SolveReport PrincipalPivoting::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    problem.check(*this, z);
    SolveReport report{.solver = name};
    if (is_solution(problem, z, tolerance)) return conclude(problem, z, tolerance, std::move(report), history);

    Eigen::MatrixXd copy;
    const Eigen::MatrixXd* const M = dense_matrix(problem, copy, report);
    if (!M) return conclude(problem, z, tolerance, std::move(report), history);
    Basis basis(problem, *M);
    if (!basis.start(z)) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = "the block of M of the free variables is singular";
        return conclude(problem, z, tolerance, std::move(report), history);
    }
    history.add([&] { return residual(problem, z); });
    const double zero = 0.1 * tolerance * std::max(1.0, problem.q.size() ? problem.q.lpNorm<Eigen::Infinity>() : 0.0);
    BlockGuard guard;
    IndexList wrong;
    std::string why_unsuitable;
    while (report.iterations < max_iterations) {
        check_interruption();
        basis.compute_values();
        wrong.clear();
        for (Index i = 0; i < z.size(); ++i)
            if (basis.violation(i) > zero) wrong.push_back(i);
        if (wrong.empty()) {
            report.status = SolveStatus::converged;
            break;
        }
        history.add([&] { return residual(problem, basis.z()); });
        if (rule == Rule::most_violated)
            std::iter_swap(wrong.begin(), std::max_element(wrong.begin(), wrong.end(), [&](Index i, Index j) {
                               return basis.violation(i) < basis.violation(j);
                           }));
        if (rule != Rule::block || !guard.allows_block(std::ssize(wrong))) wrong.erase(wrong.begin() + 1, wrong.end());
        int exchanged = 0;
        for (const Index i : wrong) {
            const double pivot = basis.exchange(i);
            exchanged += pivot != 0.0;
            if (pivot <= 0.0)
                why_unsuitable = fmt::format("pivot {:.3g} at variable {}: M is not a P-matrix; try lemke", pivot, i);
        }
        ++report.iterations;
        if (exchanged == 0) break;
    }
    // Such an M may still lead to a solution. If it does not, M is the reason, and not the number of rounds.
    if (!why_unsuitable.empty()) {
        report.status = SolveStatus::unsuitable_problem;
        report.message = std::move(why_unsuitable);
    }
    z = basis.z();
    return conclude(problem, z, tolerance, std::move(report), history);
}

}  // namespace saltus
