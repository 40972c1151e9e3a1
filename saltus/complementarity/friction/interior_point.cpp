#include "saltus/complementarity/friction/interior_point.hpp"

#include "saltus/complementarity/friction/central_path.hpp"
#include "saltus/complementarity/friction/newton_iteration.hpp"

namespace saltus::friction {

namespace {

// One step of Mehrotra's method. The state and memory are those of a whole run.
class Mehrotra {
public:
    explicit Mehrotra(InteriorState& state) : state_(state), d_(state.zero_direction()), target_(d_.s) {}

    // False at a numerical breakdown, and when the last steps were too short to go on.
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

    // t with lambda o t = tau e - lambda o lambda - (F dy) o (F^-1 ds), of the predictor.            docs/theory.md (89)
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
public:
    InteriorRun(const InteriorPoint& options, const OneStepView& problem, Eigen::VectorXd& r)
        : options_(options), problem_(problem), newton_(problem, Formulation::alart_curnier), best_(r),
          report_{.residual = residual(problem, r), .solver = InteriorPoint::name} {}

    SolveReport run() {
        if (is_done()) return report_;
        advance<Mehrotra>(3.0);
        if (!is_done()) advance<CentralPath>(10.0);
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
        if (!(reached < report_.residual)) return;
        report_.residual = reached;
        best_ = r;
    }

    // Steps until nothing is left to do, or they fail; polishes whenever the residual has fallen enough.
    template <class Method>
    void advance(double fall) {
        InteriorState state(problem_, 1.0);
        Method method(state);
        double polished = 1e-3;
        while (!is_done()) {
            ++report_.iterations;
            const bool goes_on = method.step();
            const double reached = state.residual();
            note(state.point().r, reached);
            if (reached <= polished && !is_done()) {
                polish(state.point().r);
                polished = reached / fall;
            }
            if (!goes_on) return;
        }
    }

    void polish(const Eigen::VectorXd& r) {
        newton_.start(r, 0.0, r);
        for (int k = 0; k < options_.polish_iterations && !is_done(); ++k) {
            ++report_.iterations;
            if (!newton_.step(0.0, 1e-3)) return;
            note(newton_.r(), newton_.residual());
        }
    }

    const InteriorPoint& options_;
    const OneStepView& problem_;
    NewtonIteration newton_;
    Eigen::VectorXd& best_;
    SolveReport report_;
};

}  // namespace

SolveReport InteriorPoint::solve(const OneStepView& problem, Eigen::VectorXd& r) const {
    problem.check(*this, r);
    return conclude(problem, r, tolerance, InteriorRun(*this, problem, r).run());
}

}  // namespace saltus::friction
