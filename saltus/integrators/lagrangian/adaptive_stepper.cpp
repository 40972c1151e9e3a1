#include "saltus/integrators/lagrangian/adaptive_stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"

namespace saltus {

namespace {

// The number of halvings after which a step is not yet shorter than the shortest.
int halvings(double h, const StepControl& control) {
    constexpr double billionth = 1.0 / (1 << 30);
    const double shortest = control.min_step > 0.0 ? control.min_step : billionth * h;
    int count = 0;
    while (std::ldexp(h, -count - 1) >= shortest * (1.0 - 1e-12)) ++count;
    return count;
}

}  // namespace

AdaptiveStepper::AdaptiveStepper(const LagrangianModel& model, const MoreauJean& scheme, double h)
    : model_(model), scheme_(scheme), h_(h), shortest_(h), last_length_(h) {
    scheme_.control->check(h);
    // What Newton's method leaves must not look like an error of the step.
    scheme_.tolerance = std::min(scheme_.tolerance, std::max(1e-3 * scheme_.control->tolerance, 1e-13));
    finest_ = halvings(h, *scheme_.control);
    ladder_.resize(static_cast<std::size_t>(finest_) + 2);
    stepper(0).remember(start_);  // whose constructor checks the model
    stepper(0).read(halves_);
    Index row = 0;
    for (const LagrangianInteraction& interaction : model.interactions) {
        if (std::holds_alternative<ContactLaw>(interaction.law)) contacts_.push_back(row);
        row += model.rows_of(interaction);
    }
}

MoreauJeanStepper& AdaptiveStepper::stepper(int level) {
    std::unique_ptr<MoreauJeanStepper>& result = ladder_[static_cast<std::size_t>(level)];
    if (!result) result = std::make_unique<MoreauJeanStepper>(model_, scheme_, std::ldexp(h_, -level));
    last_level_ = level;
    return *result;
}

bool AdaptiveStepper::make_whole() {
    MoreauJeanStepper& whole = stepper(level_);
    whole.recall(start_);
    if (whole.step() == StepOutcome::failed) return false;
    whole.read(whole_);
    whole.for_each_impact([&](const Impact&) { jumps_ = true; });
    return true;
}

bool AdaptiveStepper::make_halves(bool takes_unsolved) {
    MoreauJeanStepper& half = stepper(level_ + 1);
    half.recall(start_);
    impacts_.clear();
    violation_ = 0.0;
    for (int i = 0; i < 2; ++i) {
        if (half.step() == StepOutcome::failed && !(takes_unsolved && half.accept_unsolved())) return false;
        half.for_each_impact([&](const Impact& impact) { impacts_.push_back(impact); });
        violation_ = std::max(violation_, half.violation());
        if (i > 0) continue;
        half.read(halves_);
        P_ = halves_.P;
        middle_t_ = halves_.t;
        middle_placement_ = half.placement();
    }
    half.read(halves_);
    halves_.P += P_;
    halves_.force = halves_.P / std::ldexp(h_, -level_);
    jumps_ = jumps_ || !impacts_.empty();
    return true;
}

double AdaptiveStepper::end_error() {
    const double weight = jumps_ ? std::ldexp(h_, -level_) : 1.0;
    P_ = whole_.P - halves_.P;
    dv_.setZero(halves_.v.size());
    last().add_velocities(P_, dv_);
    double worst = 0.0;
    for (Index i = 0; i < halves_.q.size(); ++i) {
        const double dq = std::abs(whole_.q[i] - halves_.q[i]) / std::max(1.0, std::abs(halves_.q[i]));
        const double dv = std::max(std::abs(whole_.v[i] - halves_.v[i]), std::abs(dv_[i]));
        worst = std::max({worst, dq, weight * dv / std::max(1.0, std::abs(halves_.v[i]))});
    }
    return worst;
}

// An impact at the gap y > 0 comes y / |u| too early, and moves the position by as long a flight at the change of u.
double AdaptiveStepper::contact_error() const {
    double worst = violation_;
    for (const Index row : contacts_) {
        const double before = std::min(0.0, start_.y[row]), after = std::min(0.0, halves_.y[row]);
        worst = std::max(worst, before - after);
    }
    for (const Impact& impact : impacts_)
        worst = std::max(worst, impact.gap * (impact.before - impact.after) / impact.before);
    return worst;
}

StepOutcome AdaptiveStepper::accept() {
    const Placement& placement = last().placement();
    const bool is_kept = placement == start_.placement && impacts_.empty();
    last().remember(start_);
    last_length_ = std::ldexp(h_, -level_);
    shortest_ = std::min(shortest_, last_length_);
    ticks_ += ticks_of(level_);
    if (ticks_ == ticks_of(0)) {
        ticks_ = 0;
        ++steps_;
    }
    ++made_;
    return is_kept ? StepOutcome::kept : StepOutcome::switched;
}

StepOutcome AdaptiveStepper::step() {
    // Steps twice as long have 2^(p + 1) times the error, of order p where the motion is smooth.
    const double growth = scheme_.theta == 0.5 ? 8.0 : 4.0;
    constexpr double safety = 2.0;
    for (;; ++level_, ++refused_) {
        jumps_ = false;
        const bool is_whole = make_whole();
        const bool is_halved = make_halves();
        const double found = is_whole && is_halved ? error() : infinity;
        const bool is_shortest = level_ == finest_;
        if (is_shortest && !is_halved) {
            last_length_ = std::ldexp(h_, -level_);
            return StepOutcome::failed;
        }
        if (!is_shortest && !(found <= 1.0)) continue;
        forced_ += found <= 1.0 ? 0 : 1;
        forced_in_turn_ = found <= 1.0 ? 0 : forced_in_turn_ + 1;
        if (gives_up()) return give_up();
        const StepOutcome outcome = accept();
        const bool may_grow = level_ > 0 && ticks_ % ticks_of(level_ - 1) == 0;
        if (may_grow && safety * growth * found <= 1.0) --level_;
        return outcome;
    }
}

StepOutcome AdaptiveStepper::give_up() {
    last_length_ = std::ldexp(h_, -level_);
    report_ = {.status = SolveStatus::stalled,
               .message = fmt::format("{} steps of the shortest length, {:.3g}, in turn have a larger error than the "
                                      "tolerance, {}; raise tolerance or min_step",
                                      most_forced, last_length_, scheme_.control->tolerance)};
    return StepOutcome::failed;
}

// The longest step that meets the others: the shortest ones would not get past what cannot be solved.
bool AdaptiveStepper::accept_unsolved() {
    forced_in_turn_ = 0;
    level_ = 0;
    while (ticks_ % ticks_of(level_) != 0) ++level_;
    if (!make_halves(true)) return false;
    accept();
    return true;
}

}  // namespace saltus
