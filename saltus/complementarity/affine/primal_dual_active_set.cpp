#include "saltus/complementarity/affine/primal_dual_active_set.hpp"

#include <algorithm>
#include <optional>

#include "saltus/complementarity/place.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus {

namespace {

using Options = PrimalDualActiveSet;
using Order = ProjectedSweep::Order;
using Symmetry = Factorization::Symmetry;

// Sweeps with an unsymmetric M are abandoned when they enlarge the residual by this factor.
constexpr double tolerated_growth = 10.0;
// Solves with the same set that do not halve the residual, before rounding is blamed.
constexpr int tolerated_repeats = 5;
// Added to the diagonal of a singular M_AA, relative to the largest entry of M.
constexpr double relative_shift = 1e-10;

class ActiveSetIteration {
public:
    ActiveSetIteration(const Options& options, const AffineBox& problem, Eigen::VectorXd& z, Options::Workspace& space)
        : options_(options), problem_(problem), z_(z), space_(space), sweep_(space.sweep) {
        target_ = options.tolerance * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
        sweeping_ = options.sweeps > 0 && !ProjectedSweep::undefined_row(problem);
        space.visited.clear();
        sweep_.start(problem, z);
    }

    SolveReport run() {
        SolveReport report{.solver = Options::name};
        bool trusted = is_warm_start();
        double last_residual = sweep_.natural_residual(z_);
        while (last_residual > target_ && report.iterations < options_.max_iterations) {
            check_interruption();
            options_.history.add([&] { return residual(problem_, z_); });
            if (sweeping_ && !trusted) relax();
            ++report.iterations;
            report.message = take_set(trusted);
            trusted = false;
            if (report.message.empty()) {
                solve_between_bounds();
                report.message = judge_progress(last_residual);
            }
            if (!report.message.empty()) {
                report.status = SolveStatus::stalled;
                break;
            }
        }
        if (last_residual <= target_) report.status = SolveStatus::converged;
        z_ = z_.cwiseMax(sweep_.lower()).cwiseMin(sweep_.upper());
        return report;
    }

private:
    // Where the relaxation step (10) with relaxation 1 would leave z_i: the prediction (12).
    Place predicted_place(Index i) const {
        const double c = sweep_.inverse_diagonal()[i];
        const double next = z_[i] - (c > 0.0 ? c : 1.0) * sweep_.w()[i];
        return place_of({sweep_.lower()[i], sweep_.upper()[i]}, next);
    }

    Place place(Index i) const { return place_of({sweep_.lower()[i], sweep_.upper()[i]}, z_[i]); }

    // A guess that lies at its bounds almost exactly where it is predicted to: its own set is worth a factorization.
    bool is_warm_start() const {
        Index differences = 0;
        for (Index i = 0; i < z_.size(); ++i) differences += place(i) != predicted_place(i);
        return differences <= z_.size() / 20;
    }

    bool is_symmetric() {
        if (!symmetric_) symmetric_ = problem_.M.is_symmetric(symmetry_rounding);
        return *symmetric_;
    }

    // Sweeps, forward and backward in turn, until no variable reaches or leaves a bound.
    void relax() {
        const double relaxation = is_symmetric() ? options_.relaxation : std::min(options_.relaxation, 1.0);
        const double before = sweep_.natural_residual(z_);
        remember_point();
        for (int k = 0; k < options_.sweeps; ++k)
            if (sweep_.pass(z_, relaxation, k % 2 ? Order::backward : Order::forward).crossings == 0) break;
        if (is_symmetric() || sweep_.natural_residual(z_) <= tolerated_growth * before) return;
        sweeping_ = false;
        z_ = space_.from;
        sweep_.set_w(space_.w_from);
    }

    void remember_point() {
        space_.from = z_;
        space_.w_from = sweep_.w();
    }

    // Takes the predicted set, or that of the guess, puts the variables outside A at their bounds and factors M_AA
    // unless it is factored already. The text says why that is impossible.
    std::string take_set(bool of_guess) {
        remember_point();
        const std::uint64_t set = divide(of_guess);
        if (!space_.visited.empty() && space_.visited.back() == set) {
            ++repeats_;
            return {};
        }
        repeats_ = 0;
        const auto& visited = space_.visited;
        if (std::find(visited.begin(), visited.end(), set) != visited.end() && !(sweeping_ && is_symmetric())) {
            if (!sweeping_) return "the active sets repeat in a cycle; try lemke";
            sweeping_ = false;
            space_.visited.clear();
        }
        space_.visited.push_back(set);
        const Symmetry symmetry = !symmetric_.has_value() ? Symmetry::unknown
                                  : *symmetric_           ? Symmetry::symmetric
                                                          : Symmetry::unsymmetric;
        return factor(symmetry);
    }

    // A singular M_AA (hyperstatic contacts) is shifted: corrections with the shifted matrix, repeated while the set
    // stays, converge to the solution nearest to z when there is one.
    std::string factor(Symmetry symmetry) {
        Factorization& factorization = space_.factorization;
        if (factorization.compute_block(problem_.M, space_.A, symmetry)) return {};
        const double shift = relative_shift * problem_.M.largest_entry();
        if (factorization.compute_block(problem_.M, space_.A, symmetry, shift)) return {};
        return fmt::format("M_AA is singular, A the {} variables between their bounds", space_.A.size());
    }

    // Finds the three sets at one point, then moves the variables outside A. Returns a hash (FNV-1a) of the sets.
    std::uint64_t divide(bool of_guess) {
        std::uint64_t hash = 14695981039346656037u;
        space_.A.clear();
        space_.target = z_;
        for (Index i = 0; i < z_.size(); ++i) {
            const Place chosen = of_guess ? place(i) : predicted_place(i);
            hash = (hash ^ static_cast<std::uint64_t>(chosen)) * 1099511628211u;
            if (chosen == Place::basic)
                space_.A.push_back(i);
            else
                space_.target[i] = bound_at({sweep_.lower()[i], sweep_.upper()[i]}, chosen);
        }
        for (Index i = 0; i < z_.size(); ++i)
            if (space_.target[i] != z_[i]) sweep_.move(i, space_.target[i], z_);
        return hash;
    }

    // (13) as a correction of z_A, whose rounding error is that of w: M_AA d = -w_A.
    void solve_between_bounds() {
        const IndexList& A = space_.A;
        space_.correction.resize(z_.size());
        auto d = space_.correction.head(std::ssize(A));
        for (std::size_t k = 0; k < A.size(); ++k) d[static_cast<Index>(k)] = -sweep_.w()[A[k]];
        space_.factorization.solve_in_place(d);
        for (std::size_t k = 0; k < A.size(); ++k) z_[A[k]] += d[static_cast<Index>(k)];
        if (sweeping_) z_ = z_.cwiseMax(sweep_.lower()).cwiseMin(sweep_.upper());
        sweep_.jump(z_);
        if (sweeping_ && sweep_.natural_residual(z_) > target_ && is_symmetric()) limit_step();
    }

    // From the point before (13) to the one after, no further than the minimum of the energy (14).
    void limit_step() {
        const Eigen::VectorXd &from = space_.from, &w_from = space_.w_from, &w = sweep_.w();
        const double slope = w_from.dot(z_) - w_from.dot(from);
        const double curvature = (z_ - from).dot(w - w_from);
        const double step = curvature > 0.0 ? -slope / curvature : slope < 0.0 ? 1.0 : 0.0;
        if (step >= 1.0) return;
        repeats_ = 0;  // the set is wrong, and the sweeps will find another
        z_ = from + std::max(step, 0.0) * (z_ - from);
        sweep_.jump(z_);
    }

    // Updates the residual; says why to give up, if so.
    std::string judge_progress(double& last_residual) {
        const double reached = sweep_.natural_residual(z_);
        if (repeats_ > 0 && reached <= 0.5 * last_residual) repeats_ = 0;
        last_residual = reached;
        if (repeats_ <= tolerated_repeats || reached <= target_) return {};
        return "the active set repeats but the residual stays above the tolerance: M_AA is ill-conditioned";
    }

    const Options& options_;
    const AffineBox& problem_;
    Eigen::VectorXd& z_;
    Options::Workspace& space_;
    ProjectedSweep& sweep_;
    double target_ = 0.0;
    bool sweeping_ = false;
    int repeats_ = 0;
    std::optional<bool> symmetric_;
};

}  // namespace

SolveReport PrimalDualActiveSet::solve(const AffineBox& problem, Eigen::VectorXd& z) const {
    Workspace workspace;
    return solve(problem, z, workspace);
}

SolveReport PrimalDualActiveSet::solve(const AffineBox& problem, Eigen::VectorXd& z, Workspace& workspace) const {
    problem.check(*this, z);
    require(0.0 < relaxation && relaxation < 2.0, "{}: relaxation is {}; it must lie strictly between 0 and 2", name,
            relaxation);
    require(sweeps >= 0, "{}: sweeps is {}; it must not be negative", name, sweeps);
    if (z.size() == 0) return conclude(problem, z, tolerance, {.solver = name}, history);
    return conclude(problem, z, tolerance, ActiveSetIteration(*this, problem, z, workspace).run(), history);
}

}  // namespace saltus
