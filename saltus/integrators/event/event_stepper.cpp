#include "saltus/integrators/event/event_stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/lagrangian/moreau_jean.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

// Velocities and gaps below these are zero after an impact.
constexpr double rest_speed = 1e-9, closed_gap = 1e-9;

const LagrangianModel& checked(const LagrangianModel& model, const EventDriven& scheme, double h) {
    model.check();
    scheme.check();
    require(h > 0.0 && std::isfinite(h), "{}: the time between samples is {}; it must be positive", EventDriven::name,
            h);
    check_limits(EventDriven::name, {.has_forces = true, .has_rolling = false, .has_impact_map = true}, model);
    return model;
}

}  // namespace

void EventDriven::check() const {
    require(tolerance >= 1e-14 && tolerance <= 0.1, "{}: the tolerance is {}; it must be between 1e-14 and 0.1", name,
            tolerance);
    require(accumulation > 0.0 && std::isfinite(accumulation), "{}: accumulation is {}; it must be positive", name,
            accumulation);
    require(stages >= 1 && stages <= Collocation::most_stages, "{}: stages is {}; it must be between 1 and {}", name,
            stages, Collocation::most_stages);
}

EventStepper::EventStepper(const LagrangianModel& model, const EventDriven& scheme, double h)
    : model_(checked(model, scheme, h)),
      scheme_(scheme),
      t0_(model.t0),
      h_(h),
      t_(model.t0),
      mode_(model_, 100.0 * scheme.tolerance),
      selection_(mode_),
      impact_map_(model_),
      motion_(mode_, scheme, h),
      guard_(model.t0) {
    x_ = Eigen::VectorXd::Zero(mode_.size());
    Index at = 0;
    for (const LagrangianSystem& system : model_.systems) {
        x_.segment(at, system.size()) = system.q0;
        x_.segment(mode_.coordinates() + at, system.size()) = system.v0;
        at += system.size();
    }
    y_ = u_ = u_before_ = P_ = percussions_ = Eigen::VectorXd::Zero(mode_.rows());
    mode_.evaluate_rows(t_, x_, y_, u_);
    check_springs();
    resting_.assign(mode_.interactions(), 0);
    histories_.resize(mode_.interactions());
    placement_.assign(static_cast<std::size_t>(mode_.rows()), Place::at_lower);
}

// The force of a spring must be a function of positions and velocities.
void EventStepper::check_springs() const {
    for (Index k = 0; k < std::ssize(model_.interactions); ++k) {
        const StepBlock& block = mode_.block(k);
        const SpringLaw* law = std::get_if<SpringLaw>(&block.interaction().law);
        if (!law) continue;
        bool is_soft = block.functions.compliance().rows() == 0;
        for (const SpringLaw::Piece& piece : law->pieces) is_soft = is_soft && std::isfinite(piece.stiffness);
        require(is_soft, "interaction '{}': {} has no springs that are rigid or whose gap depends on lambda; take {}",
                block.interaction().name, EventDriven::name, MoreauJean::name);
    }
}

bool EventStepper::fail(std::string message) {
    report_ = {.status = SolveStatus::stalled, .message = std::move(message)};
    return false;
}

void EventStepper::take_state() {
    t_ = motion_.t();
    x_ = motion_.x();
}

bool EventStepper::advance(double t_end) {
    while (t_ < t_end) {
        const Motion::Outcome outcome = motion_.advance(t_end);
        take_state();
        if (outcome == Motion::Outcome::failed) return fail(motion_.message());
        if (outcome == Motion::Outcome::event && !handle_event()) return false;
    }
    mode_.evaluate_rows(t_, x_, y_, u_);
    return true;
}

void EventStepper::record(double t, Event::Kind kind, Index interaction, const Eigen::VectorXd& before) {
    const Index count = 2 * mode_.coordinates();
    events_.push_back({t, kind, interaction, before.head(count), x_.head(count)});
}

bool EventStepper::apply_impacts(const IndexList& closed) {
    const Index n = mode_.coordinates();
    q_ = x_.head(n);
    v_ = x_.segment(n, n);
    P_.setZero();
    report_ = impact_map_.apply(t_, q_, closed, v_, P_);
    if (!report_.converged()) return false;
    x_.segment(n, n) = v_;
    percussions_ += P_;
    u_before_ = u_;
    mode_.evaluate_rows(t_, x_, y_, u_);
    x_[2 * n] += 0.5 * P_.dot(u_ + u_before_);
    return true;
}

bool EventStepper::close_contacts(const Eigen::VectorXd& before) {
    mode_.evaluate_rows(t_, x_, y_, u_);
    IndexList closed;
    bool approaches = false;
    std::fill(resting_.begin(), resting_.end(), char{0});
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        const StepBlock& block = mode_.block(k);
        if (block.contact() && y_[block.start] > closed_gap) continue;
        closed.push_back(k);
        if (!block.contact()) continue;
        approaches = approaches || u_[block.start] < -rest_speed;
        resting_[static_cast<std::size_t>(k)] = 1;
    }
    if (!hold_resting(true)) return false;
    if (approaches && !apply_impacts(closed)) return false;
    std::fill(resting_.begin(), resting_.end(), char{0});
    for (const Index k : closed) {
        const StepBlock& block = mode_.block(k);
        if (!block.contact()) continue;
        resting_[static_cast<std::size_t>(k)] = std::abs(u_[block.start]) <= rest_speed ? 1 : 0;
        if (!approaches || !(u_before_[block.start] < -rest_speed)) continue;
        impacts_.push_back({t_, k, u_before_[block.start], u_[block.start], P_[block.start], y_[block.start]});
        histories_[static_cast<std::size_t>(k)].add(t_);
        record(t_, Event::Kind::impact, k, before);
    }
    return true;
}

// No function of the mode is below zero, and contacts that touch do not accelerate towards each other.
bool EventStepper::is_consistent() {
    if (!motion_.restart(t_, x_)) return false;
    const Eigen::VectorXd& values = motion_.values();
    const double size = std::max(1.0, motion_.slope().lpNorm<Eigen::Infinity>());
    for (Index i = 0; i < values.size(); ++i) {
        const ModeEnd& end = mode_.ends()[static_cast<std::size_t>(i)];
        const bool is_gap = end.kind == ModeEnd::Kind::gap;
        if (is_gap && resting_[static_cast<std::size_t>(end.interaction)] &&
            mode_.gap_acceleration(t_, end.interaction) < -1e-8 * size)
            return false;
        if (!is_gap && values[i] < -1e-8 * std::max(size, mode_.forces().lpNorm<Eigen::Infinity>())) return false;
    }
    return true;
}

// Contacts that rest are at y = 0 with u_N = 0 exactly: what rounding leaves would end the next mode at once.
// Before an impact: y = 0 alone.
bool EventStepper::hold_resting(bool positions_alone) {
    std::vector<InteractionMode> modes = mode_.modes();
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (mode_.block(static_cast<Index>(k)).contact()) {
            modes[k].is_closed = resting_[k] != 0;
            modes[k].slides = true;  // of which u_T is not held
        }
    const std::vector<InteractionMode> last = mode_.modes();
    mode_.set(std::move(modes));
    const bool is_held = mode_.project(t_, x_, positions_alone);
    mode_.set(last);
    return is_held || fail("contacts that rest cannot be held: a force or a position is not finite");
}

bool EventStepper::choose_mode(const ModeEnd* turned) {
    if (!hold_resting(false)) return false;
    const auto attempt = [&](const ModeEnd* end) {
        if (!selection_.select(t_, x_, resting_, end)) return false;
        return mode_.project(t_, x_) && is_consistent();
    };
    if (!attempt(turned) && !attempt(nullptr)) {
        report_ = selection_.report();
        if (report_.converged()) report_.status = SolveStatus::stalled;
        report_.message = fmt::format(
            "no mode continues the motion: {}; contacts with much friction may have none (Painleve), and time stepping "
            "goes on there: scheme moreau-jean",
            report_.message.empty() ? "the forces of none agree with the laws" : report_.message);
        return false;
    }
    mode_.evaluate_rows(t_, x_, y_, u_);
    return true;
}

void EventStepper::record_end(const ModeEnd& end, const Eigen::VectorXd& before, bool had_impact) {
    const InteractionMode& mode = mode_.modes()[static_cast<std::size_t>(end.interaction)];
    switch (end.kind) {
        case ModeEnd::Kind::gap:
            if (!had_impact && mode.is_closed) record(t_, Event::Kind::closing, end.interaction, before);
            break;
        case ModeEnd::Kind::pressure:
            if (!mode.is_closed) record(t_, Event::Kind::opening, end.interaction, before);
            break;
        case ModeEnd::Kind::grip:
            record(t_, Event::Kind::sliding, end.interaction, before);
            break;
        case ModeEnd::Kind::slip:
            record(t_, Event::Kind::sticking, end.interaction, before);
            break;
        case ModeEnd::Kind::below:
        case ModeEnd::Kind::above:
            record(t_, Event::Kind::switching, end.interaction, before);
            break;
    }
}

bool EventStepper::handle_event() {
    const ModeEnd end = mode_.ends()[static_cast<std::size_t>(motion_.crossed())];
    worst_row_ = mode_.block(end.interaction).start + end.row;
    if (!guard_.allows(t_))
        return fail(fmt::format("events do not end: more than {} at the same time", EventGuard::most));
    const Eigen::VectorXd before = x_;
    const bool is_gap = end.kind == ModeEnd::Kind::gap;
    const std::size_t known = events_.size();
    if (!close_contacts(before)) return false;
    if (!choose_mode(is_gap ? nullptr : &end)) return false;
    record_end(end, before, events_.size() > known);
    update_placement();
    if (!is_gap) return true;
    const std::optional<double> accumulation = histories_[static_cast<std::size_t>(end.interaction)].accumulation();
    if (accumulation && *accumulation - t_ < scheme_.accumulation)
        return pass_accumulation(end.interaction, *accumulation);
    return true;
}

// Steps of Moreau and Jean's scheme until the impacts are over: the bounces that they do not see are shorter than they.
bool EventStepper::pass_accumulation(Index interaction, double end) {
    constexpr int count = 16;
    const Index n = mode_.coordinates();
    const double last = std::min(t_ + 2.0 * (end - t_), t_end_);
    if (!(last > t_)) return true;
    const Eigen::VectorXd before = x_;
    const double speed = std::abs(u_[mode_.block(interaction).start]);
    LagrangianState state;
    state.t = t_;
    state.q = x_.head(n);
    state.v = x_.segment(n, n);
    MoreauJeanStepper stepper(starting_from(model_, state), MoreauJean{}, (last - t_) / count);
    for (int k = 0; k < count; ++k) {
        if (stepper.step() == StepOutcome::failed) {
            report_ = stepper.report();
            return false;
        }
        stepper.read(state);
        percussions_ += state.P;
    }
    x_.head(n) = state.q;
    x_.segment(n, n) = state.v;
    x_[2 * n] += stepper.work();
    record(end, Event::Kind::accumulation, interaction, before);
    t_ = last;
    histories_[static_cast<std::size_t>(interaction)].clear();
    if (!close_contacts(before)) return false;
    // The bounces that are left are those of the steps: the contact rests, unless it was thrown off.
    const Index row = mode_.block(interaction).start;
    if (y_[row] <= closed_gap && std::abs(u_[row]) <= speed) resting_[static_cast<std::size_t>(interaction)] = 1;
    if (!choose_mode(nullptr)) return false;
    update_placement();
    return true;
}

bool EventStepper::begin() {
    is_begun_ = true;
    const Eigen::VectorXd before = x_;
    if (!close_contacts(before) || !choose_mode(nullptr)) return false;
    update_placement();
    return true;
}

StepOutcome EventStepper::step() {
    impacts_.clear();
    events_.clear();
    percussions_.setZero();
    const Placement last = placement_;
    t_end_ = t0_ + static_cast<double>(steps_ + 1) * h_;
    if ((!is_begun_ && !begin()) || !advance(t_end_)) return StepOutcome::failed;
    ++steps_;
    return placement_ == last && impacts_.empty() && events_.empty() ? StepOutcome::kept : StepOutcome::switched;
}

void EventStepper::update_placement() {
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        const StepBlock& block = mode_.block(k);
        const InteractionMode& mode = mode_.modes()[static_cast<std::size_t>(k)];
        for (Index i = 0; i < block.rows(); ++i)
            placement_[static_cast<std::size_t>(block.start + i)] = !block.contact()
                                                                        ? mode.places[static_cast<std::size_t>(i)]
                                                                    : !mode.is_closed        ? Place::at_lower
                                                                    : i == 0 || !mode.slides ? Place::basic
                                                                                             : Place::at_upper;
    }
}

double EventStepper::law_residual() const {
    double worst = 0.0;
    for (const double value : motion_.values()) worst = std::max(worst, -value);
    return worst / std::max(1.0, mode_.forces().lpNorm<Eigen::Infinity>());
}

void EventStepper::read(LagrangianState& state) const {
    const Index n = mode_.coordinates();
    state.t = t_;
    state.q = x_.head(n);
    state.v = x_.segment(n, n);
    state.y = y_;
    state.u = u_;
    state.P = percussions_;
    state.force = mode_.forces();
}

}  // namespace saltus
