#include "saltus/complementarity/one_step/one_step_interior_point.hpp"

#include <utility>

#include "saltus/complementarity/one_step/central_path.hpp"
#include "saltus/complementarity/one_step/newton_iteration.hpp"
#include "saltus/complementarity/one_step/proximal_point.hpp"
#include "saltus/core/interruption.hpp"

namespace saltus::one_step {

namespace {

// One step of Mehrotra's method. The state and memory are those of a whole run.
class Mehrotra {
public:
    explicit Mehrotra(InteriorState& state) : state_(state), d_(state.zero_direction()), target_(d_.s) {}

    // False at a numerical breakdown, and when the last steps were too short to continue.
    bool step() {
        if (!state_.factor()) return false;
        const auto& cones = state_.point().cones;
        for (std::size_t k = 0; k < cones.size(); ++k) target_[k] = -cones[k].scaling.lambda;
        state_.solve(state_.point().imbalance, target_, d_);
        const double gap = state_.gap(), predicted = state_.longest_step(d_, 1.0);
        const double ratio = gap > 0.0 ? std::clamp(state_.gap(d_, predicted) / gap, 0.0, 1.0) : 0.0;
        const double centring = std::pow(ratio, std::max(1.0, 3.0 * predicted * predicted));
        for (std::size_t k = 0; k < cones.size(); ++k) target_[k] = corrected_target(k, centring * gap);
        state_.solve(state_.point().imbalance, target_, d_);
        const double longest = state_.longest_step(d_, 1.0);
        const double length = std::min(1.0, (0.9 + 0.09 * longest) * longest);
        short_steps_ = length < short_length ? short_steps_ + 1 : 0;
        return state_.move(d_, length) && short_steps_ < most_short_steps;
    }

private:
    static constexpr double short_length = 0.05;
    static constexpr int most_short_steps = 3;

    // t with lambda o t = tau e - lambda o lambda - (F dy) o (F^-1 ds), of the predictor.           docs/theory.md (89)
    lorentz::Vector corrected_target(std::size_t k, double tau) const {
        const auto& [F, inverse, lambda] = state_.point().cones[k].scaling;
        lorentz::Vector b = -lorentz::product(lambda, lambda) - lorentz::product(F * d_.y[k], inverse * d_.s[k]);
        b[0] += tau;
        return lorentz::divide(b, lambda);
    }

    InteriorState& state_;
    InteriorDirection d_;
    std::vector<lorentz::Vector> target_;
    int short_steps_ = 0;
};

class InteriorRun {
    // The proximal term of the last steps: W may be singular there.
    static constexpr double polish_alpha = 1e-8;

public:
    InteriorRun(const InteriorPoint& options, const OneStepView& problem, Eigen::VectorXd& r)
        : options_(options),
          problem_(problem),
          newton_(problem, Formulation::alart_curnier),
          best_(r),
          report_{.residual = residual(problem, r), .solver = InteriorPoint::name},
          reached_(report_.residual) {}

    SolveReport run() {
        if (is_done()) return report_;
        last_.setZero(problem_.size());  // no interior point is ever near r = 0 relative to its own size
        project(problem_, last_);
        note(last_, residual(problem_, last_));
        for (const double size : {1.0, 10.0, 0.1}) {
            advance<Mehrotra>({.size = size, .fall = 3.0, .most = 100});
            finish();
        }
        for (const double size : {1.0, 10.0, 0.1, 100.0})
            advance<CentralPath>({.size = size, .fall = 10.0, .most = 300});
        if (report_.residual > options_.tolerance && report_.iterations < options_.max_iterations) {
            report_.status = SolveStatus::stalled;
            report_.message = "the interior point method ends at a singular system; use proximal-point from this r";
        }
        return report_;
    }

private:
    bool is_done() const {
        return report_.residual <= options_.tolerance || report_.iterations >= options_.max_iterations;
    }

    void note(const Eigen::VectorXd& r, double reached) {
        options_.history.add(std::exchange(reached_, reached));
        if (!(reached < report_.residual)) return;
        report_.residual = reached;
        best_ = r;
    }

    // A run from the start of the given size. Each start has its own central path: where one is long or leads nowhere,
    // another may be short.
    struct Attempt {
        double size;
        double fall;  // of the residual, from one polish to the next
        int most;     // factorizations
    };

    // Steps until nothing is left to do, or they fail; polishes whenever the residual has fallen enough.
    template <class Method>
    void advance(const Attempt& attempt) {
        if (is_done()) return;
        InteriorState state(problem_, attempt.size);
        if (std::is_same_v<Method, CentralPath> && state.point().cones.empty()) return;
        const int last = report_.iterations + attempt.most;
        Method method(state);
        double polished = 1e-3;
        while (!is_done() && report_.iterations < last) {
            check_interruption();
            ++report_.iterations;
            const bool goes_on = method.step();
            const double reached = state.residual(options_.tolerance);
            note(state.point().r, reached);
            if (reached <= polished && !is_done()) {
                polish(state.point().r);
                polished = reached / attempt.fall;
            }
            if (!goes_on) return;
        }
    }

    // From a point that is nearly a solution, where the system of the interior point method has become singular.
    void finish() {
        if (is_done() || report_.residual > 1e-5) return;
        const int most = std::min(100, options_.max_iterations - report_.iterations);
        last_ = best_;
        const SolveReport report =
            ProximalPoint{.tolerance = options_.tolerance, .max_iterations = most}.solve(problem_, last_);
        report_.iterations += report.iterations;
        note(last_, report.residual);
    }

    void polish(const Eigen::VectorXd& r) {
        newton_.start(r, 0.0, r);
        for (int k = 0; k < options_.polish_iterations && !is_done(); ++k) {
            check_interruption();
            ++report_.iterations;
            last_ = newton_.r();
            newton_.start(last_, polish_alpha, last_);
            if (!newton_.step(0.0, 1e-3)) return;
            note(newton_.r(), newton_.residual(options_.tolerance));
        }
    }

    const InteriorPoint& options_;
    const OneStepView& problem_;
    NewtonIteration newton_;
    Eigen::VectorXd& best_;
    Eigen::VectorXd last_;
    SolveReport report_;
    double reached_;  // the residual of the last point, for the history
};

}  // namespace

SolveReport InteriorPoint::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    require(polish_iterations >= 0, "{}: polish_iterations is {}; it must be zero or more", name, polish_iterations);
    leave_escape(problem, tolerance, r);
    return conclude(problem, r, tolerance, InteriorRun(*this, problem, r).run(), history);
}

}  // namespace saltus::one_step
