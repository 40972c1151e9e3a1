#include "saltus/simulation/boundary_value.hpp"

#include "saltus/complementarity/affine/interior_point.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/complementarity/ladder.hpp"
#include "saltus/core/assemble.hpp"
#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/integrators/step_equations.hpp"
#include "saltus/model/stacked.hpp"
#include "saltus/simulation/recorder.hpp"

namespace saltus {

namespace {

// Relays that switch often take a few hundred iterations of the interior point method; active sets that are not found
// soon are not found at all.
constexpr int most_iterations = 500, most_sets = 50;

void check(const BoundaryValue& options, const Model& model) {
    model.check();
    options.scheme.check();
    const Index n = model.states();
    require(model.is_linear(), "boundary values: model '{}' has functions of x or lambda; it must be linear",
            model.name);
    require(!options.scheme.measures, "boundary values: the scheme has measures; take theta and gamma instead");
    require(options.steps > 0, "boundary values: {} steps; give at least one", options.steps);
    require(std::isfinite(options.t_end) && options.t_end > model.t0,
            "boundary values: t_end is {}; it must be after the beginning, t = {}", options.t_end, model.t0);
    require(options.c.size() == n && options.c.allFinite(),
            "boundary values: c has {} entries; give {} numbers, one per state", options.c.size(), n);
    for (const auto& [name, E] : {std::pair<const char*, const Matrix&>{"E0", options.E0}, {"E1", options.E1}})
        require((E.rows() == 0 && E.cols() == 0) || (E.rows() == n && E.cols() == n && !E.find_non_finite()),
                "boundary values: {} is {} x {}; it must be {} x {}, of finite numbers", name, E.rows(), E.cols(), n,
                n);
}

// The problem of all steps. Its unknowns are (x_0, lambda_0), ..., (x_N, lambda_N), lambda_0 only if gamma < 1.
class AllSteps {
public:
    AllSteps(const BoundaryValue& options, const Model& model)
        : options_(options), parts_(model), signals_(model), t0_(model.t0), N_(options.steps) {
        h_ = (options.t_end - model.t0) / static_cast<double>(N_);
    }

    double t(Index k) const { return k == N_ ? options_.t_end : t0_ + static_cast<double>(k) * h_; }
    Index x_start(Index k) const { return k == 0 ? 0 : k * (n() + m()) - (has_multipliers(0) ? 0 : m()); }
    Index lambda_start(Index k) const { return x_start(k) + n(); }
    bool has_multipliers(Index k) const { return k > 0 || options_.scheme.gamma < 1.0; }

    BoxVi problem() const {
        const Index size = x_start(N_) + n() + m();
        BoxVi result{{},
                     Eigen::VectorXd::Zero(size),
                     Eigen::VectorXd::Constant(size, -infinity),
                     Eigen::VectorXd::Constant(size, infinity)};
        std::vector<MatrixBlock> blocks;
        if (options_.E0.rows() > 0) blocks.push_back({0, 0, options_.E0});
        if (options_.E1.rows() > 0) blocks.push_back({0, x_start(N_), options_.E1});
        result.q.head(n()) = -options_.c;
        for (Index k = 0; k <= N_; ++k) {
            if (k > 0) add_step(k, blocks, result);
            if (has_multipliers(k)) add_law(k, blocks, result);
        }
        result.M = assemble(size, size, Storage::sparse, blocks);
        return result;
    }

    void sample(const Eigen::VectorXd& z, Index k, Trajectory& trajectory) const {
        const Eigen::VectorXd x = z.segment(x_start(k), n()), free = parts_.C * x + offset(t(k));
        Eigen::VectorXd lambda, values(n() + 2 * m());
        if (has_multipliers(k))
            lambda = z.segment(lambda_start(k), m());
        else
            solve_laws({parts_.D, free, parts_.lower, parts_.upper}, lambda);
        values << x, lambda, free + parts_.D * lambda;
        trajectory.add({t(k), {values.data(), static_cast<std::size_t>(values.size())}});
    }

private:
    Index n() const { return parts_.states(); }
    Index m() const { return parts_.rows(); }
    // The rows of the step from k - 1 to k.
    void add_step(Index k, std::vector<MatrixBlock>& blocks, BoxVi& problem) const {
        const double theta = options_.scheme.theta, gamma = options_.scheme.gamma;
        const Index x = x_start(k), x_before = x_start(k - 1);
        blocks.push_back({x, x, parts_.M});
        blocks.push_back({x, x, parts_.A, -h_ * theta});
        blocks.push_back({x, lambda_start(k), parts_.B, -h_ * gamma});
        blocks.push_back({x, x_before, parts_.M, -1.0});
        blocks.push_back({x, x_before, parts_.A, -h_ * (1.0 - theta)});
        if (has_multipliers(k - 1)) blocks.push_back({x, lambda_start(k - 1), parts_.B, -h_ * (1.0 - gamma)});
        problem.q.segment(x, n()) = -h_ * (theta * input(t(k)) + (1.0 - theta) * input(t(k - 1)));
    }
    void add_law(Index k, std::vector<MatrixBlock>& blocks, BoxVi& problem) const {
        const Index lambda = lambda_start(k);
        blocks.push_back({lambda, x_start(k), parts_.C});
        blocks.push_back({lambda, lambda, parts_.D});
        problem.q.segment(lambda, m()) = offset(t(k));
        problem.lower.segment(lambda, m()) = parts_.lower;
        problem.upper.segment(lambda, m()) = parts_.upper;
    }
    Eigen::VectorXd input(double t) const {
        Eigen::VectorXd b = Eigen::VectorXd::Zero(n()), values(signals_.inputs());
        signals_.evaluate_inputs(t, values.data());
        b(signals_.input_rows()) = values;
        return b;
    }
    Eigen::VectorXd offset(double t) const {
        Eigen::VectorXd e = Eigen::VectorXd::Zero(m()), values(signals_.offsets());
        signals_.evaluate_offsets(t, values.data());
        e(signals_.offset_rows()) = values;
        return e;
    }

    const BoundaryValue& options_;
    Stacked parts_;
    Signals signals_;
    double t0_, h_;
    Index N_;
};

}  // namespace

BoundaryValue::Solution BoundaryValue::solve(const Model& model) const {
    check(*this, model);
    const AllSteps all(*this, model);
    const BoxVi problem = all.problem();
    Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size()).cwiseMax(problem.lower).cwiseMin(problem.upper);
    const AffineBox view(problem);  // the ladder keeps a reference
    Ladder<AffineBox> ladder(view, tolerance, most_iterations, z, Ladder<AffineBox>::Start::guess);
    ladder.attempt(InteriorPoint{.max_iterations = most_iterations});
    ladder.attempt(PrimalDualActiveSet{.max_iterations = most_sets});
    Solution solution{.trajectory = {}, .report = ladder.outcome()};
    solution.trajectory.channels = channel_names(model, false);
    for (Index k = 0; k <= steps; ++k) all.sample(z, k, solution.trajectory);
    return solution;
}

}  // namespace saltus
