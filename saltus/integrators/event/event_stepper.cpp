#include "saltus/integrators/event/event_stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/event/time_stepped_passage.hpp"
#include "saltus/integrators/lagrangian/moreau_jean_stepper.hpp"
#include "saltus/integrators/lagrangian/scheme_limits.hpp"

namespace saltus {

namespace {

const LagrangianModel& checked(const LagrangianModel& model) {
    model.check();
    check_limits(EventDriven::name, {.has_forces = true, .has_rolling = false, .has_impact_map = true}, model);
    return model;
}

}  // namespace

EventStepper::EventStepper(const LagrangianModel& model, const EventDriven& scheme, double h)
    : EventStepperBase(model.t0, scheme, h),
      model_(checked(model)),
      mode_(model_, 100.0 * scheme.tolerance),
      scale_(mode_.coordinates(), h),
      selection_(mode_),
      impact_map_(model_),
      motion_(mode_, scheme, h),
      bounces_(mode_.interactions()) {
    x_ = Eigen::VectorXd::Zero(mode_.size());
    Index at = 0;
    for (const LagrangianSystem& system : model_.systems) {
        x_.segment(at, system.size()) = system.q0;
        x_.segment(mode_.coordinates() + at, system.size()) = system.v0;
        at += system.size();
    }
    y_ = u_ = u_before_ = P_ = percussions_ = Eigen::VectorXd::Zero(mode_.rows());
    mode_.evaluate_rows(t_, x_, y_, u_);
    mode_.set_time_scale(1e-3 * h);
    check_springs();
    resting_.assign(mode_.interactions(), 0);
    error_scale_ = Eigen::VectorXd::Ones(mode_.size());
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

void EventStepper::take_state() {
    t_ = motion_.t();
    x_ = motion_.x();
    update_scale();
}

void EventStepper::update_scale() {
    const Index n = mode_.coordinates();
    scale_.include(x_.head(n), x_.segment(n, n), mode_.free_acceleration());
    // Small entries have small errors, down to where rounding is near.
    const double part = std::max(0.01, 1e-13 / scheme_.tolerance);
    error_scale_.head(n) = part * scale_.lengths();
    error_scale_.segment(n, n) = part * scale_.speeds();
    motion_.set_scale(error_scale_);
}

bool EventStepper::advance() {
    for (int k = 0; k < most_moves && t_ < t_end_; ++k) {
        const Motion::Outcome outcome = motion_.advance(t_end_);
        take_state();
        if (outcome == Motion::Outcome::failed) return fail(motion_.message());
        if (!count_step()) return false;
        if (outcome != Motion::Outcome::event) continue;
        if (!count_event()) return false;
        if (!handle_event()) return false;
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
    report_.solver = {};  // problem() is that of the forces
    if (!report_.converged()) return false;
    x_.segment(n, n) = v_;
    percussions_ += P_;
    u_before_ = u_;
    mode_.evaluate_rows(t_, x_, y_, u_);
    x_[2 * n] += 0.5 * P_.dot(u_ + u_before_);
    return true;
}

// Two contacts that close at once differ by the errors of the motion before.
bool EventStepper::is_closed(Index k) const {
    constexpr double rounding = 1e-13;
    const Index row = mode_.block(k).start;
    const double speed = mode_.speed_of(row), approach = speed > 0.0 ? std::max(0.0, -u_[row]) / speed : 0.0;
    return y_[row] <= (rounding + 10.0 * scheme_.tolerance * approach) * mode_.length_of(row);
}

bool EventStepper::rests(Index k) const {
    const Index row = mode_.block(k).start;
    return std::abs(u_[row]) <= rest_part * mode_.speed_of(row);
}

IndexList EventStepper::find_closed(Index located) {
    mode_.evaluate_rows(t_, x_, y_, u_);
    mode_.set_scale(scale_);
    IndexList closed;
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        const bool is_contact = mode_.block(k).contact() != nullptr;
        const bool takes_part = !is_contact || k == located || is_closed(k);
        resting_[static_cast<std::size_t>(k)] = is_contact && takes_part ? 1 : 0;
        if (takes_part) closed.push_back(k);
    }
    return closed;
}

bool EventStepper::close_contacts(const Eigen::VectorXd& before, Index located) {
    const IndexList closed = find_closed(located);
    if (!hold_resting(true, nullptr)) return false;
    mode_.evaluate_rows(t_, x_, y_, u_);
    bool approaches = false;
    for (const Index k : closed)
        approaches = approaches || (mode_.block(k).contact() && u_[mode_.block(k).start] < 0.0 && !rests(k));
    if (approaches && !apply_impacts(closed)) return false;
    for (const Index k : closed) {
        const Index row = mode_.block(k).start;
        if (!mode_.block(k).contact()) continue;
        resting_[static_cast<std::size_t>(k)] = rests(k) ? 1 : 0;
        if (!approaches || !(u_before_[row] < -rest_part * mode_.speed_of(row))) continue;
        impacts_.push_back({t_, k, u_before_[row], u_[row], P_[row], y_[row]});
        bounces_.add(k, t_, std::max(-u_before_[row], u_[row]), mode_.length_of(row));
        record(t_, Event::Kind::impact, k, before);
    }
    return true;
}

// No function of the mode is below zero, and contacts that touch do not accelerate towards each other.
bool EventStepper::is_consistent() {
    if (!motion_.restart(t_, x_)) return false;
    const Eigen::VectorXd& values = motion_.values();
    for (Index i = 0; i < values.size(); ++i) {
        const ModeEnd& end = mode_.ends()[static_cast<std::size_t>(i)];
        if (end.kind == ModeEnd::Kind::gap) {
            if (!resting_[static_cast<std::size_t>(end.interaction)]) continue;
            const LagrangianMode::GapAcceleration acceleration = mode_.gap_acceleration(t_, end.interaction);
            if (acceleration.value < -1e-8 * acceleration.size) return false;
        } else if (end.kind == ModeEnd::Kind::slip) {
            if (motion_.rates()[i] < -1e-8 * motion_.slope().lpNorm<Eigen::Infinity>() &&
                values[i] < -1e4 * mode_.rounding(end))
                return false;
        } else if (values[i] < -1e4 * mode_.rounding(end)) {
            return false;
        }
    }
    return true;
}

// Contacts that rest are at y = 0 with u_N = 0 exactly: what rounding leaves would end the next mode at once. So is the
// sliding of one that stops. Before an impact: y = 0 alone.
bool EventStepper::hold_resting(bool positions_alone, const ModeEnd* turned) {
    std::vector<InteractionMode> modes = mode_.modes();
    for (std::size_t k = 0; k < modes.size(); ++k) {
        const StepBlock& block = mode_.block(static_cast<Index>(k));
        if (block.contact()) {
            modes[k].is_closed = resting_[k] != 0;
            const bool stops = turned && turned->kind == ModeEnd::Kind::slip && turned->interaction == Index(k);
            modes[k].slides = block.rows() == 1 || (!stops && u_.segment(block.start + 1, block.rows() - 1).norm() >
                                                                  mode_.least_sliding(block));
        } else if (std::holds_alternative<RelayLaw>(block.interaction().law)) {
            for (Index i = 0; i < block.rows(); ++i)  // which an impact may have moved
                if (std::abs(y_[block.start + i]) > rest_part * mode_.speed_of(block.start + i))
                    modes[k].places[static_cast<std::size_t>(i)] = Place::at_lower;
        }
    }
    const std::vector<InteractionMode> last = mode_.modes();
    mode_.set(std::move(modes));
    const bool is_held = mode_.project(t_, x_, positions_alone);
    mode_.set(last);
    return is_held || fail("contacts that rest cannot be held: a force or a position is not finite");
}

bool EventStepper::choose_mode(const ModeEnd* turned) {
    if (!hold_resting(false, turned)) return false;
    using AtBound = ModeSelection::AtBound;
    const auto attempt = [&](const ModeEnd* end, AtBound at_bound) {
        if (!selection_.select(t_, x_, resting_, end, at_bound)) return false;
        return mode_.project(t_, x_) && is_consistent();
    };
    // Redundant contacts first try to share their load in another way; so soon after that again, they cannot.
    const bool is_shared = turned && mode_.is_redundant();
    const bool may_share = is_shared && t_ > shared_at_ + 1e-6 * h_;
    if (is_shared) shared_at_ = t_;
    const bool is_chosen = (is_shared && attempt(nullptr, may_share ? AtBound::sticks : AtBound::slides)) ||
                           attempt(turned, AtBound::sticks) || attempt(nullptr, AtBound::sticks) ||
                           attempt(nullptr, AtBound::slides);
    if (!is_chosen) {
        report_ = selection_.report();
        if (report_.converged()) report_ = {.status = SolveStatus::stalled, .message = report_.message};
        report_.message = fmt::format(
            "no mode continues the motion: {}; contacts with much friction may have none (Painleve), and time stepping "
            "goes on there: scheme {}",
            report_.message.empty() ? "the forces of none agree with the laws" : report_.message, MoreauJean::name);
        return false;
    }
    mode_.evaluate_rows(t_, x_, y_, u_);
    return true;
}

bool EventStepper::continue_motion(const ModeEnd* turned) {
    return choose_mode(turned) || (jump() && choose_mode(nullptr));
}

// Where no mode continues the motion, a jump of velocities may: the percussion of a step as its length tends to zero.
bool EventStepper::jump() {
    const SolveReport reason = report_;
    const Index n = mode_.coordinates();
    const Eigen::VectorXd before = x_;
    mode_.evaluate_rows(t_, x_, y_, u_before_);
    const TimeSteppedPassage step(model_, t_, x_.head(n), x_.segment(n, n), t_ + 1e-3 * scheme_.accumulation, 1);
    if (!step.report.converged()) {
        report_ = reason;
        return false;
    }
    x_.segment(n, n) = step.end.v;
    mode_.evaluate_rows(t_, x_, y_, u_);
    const double change = 0.5 * step.percussions.dot(u_ + u_before_);
    percussions_ += step.percussions;
    x_[2 * n] += change;
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        const Index row = mode_.block(k).start;
        if (!resting_[static_cast<std::size_t>(k)] || !(step.percussions[row] > 0.0)) continue;
        impacts_.push_back({t_, k, u_before_[row], u_[row], step.percussions[row], y_[row]});
        record(t_, Event::Kind::jump, k, before);
    }
    return true;
}

void EventStepper::record_changes(const std::vector<InteractionMode>& last, std::size_t known,
                                  const Eigen::VectorXd& before) {
    for (Index k = 0; k < std::ssize(last); ++k) {
        const InteractionMode &was = last[static_cast<std::size_t>(k)],
                              &is = mode_.modes()[static_cast<std::size_t>(k)];
        if (!mode_.block(k).contact()) {
            for (std::size_t i = 0; i < is.places.size(); ++i)
                if (was.places[i] != is.places[i]) {
                    record(t_, Event::Kind::switching, k, before);
                    events_.back().row = static_cast<Index>(i);
                }
            continue;
        }
        const bool had_impact = std::any_of(events_.begin() + static_cast<std::ptrdiff_t>(known), events_.end(),
                                            [k](const Event& event) { return event.interaction == k; });
        if (was.is_closed != is.is_closed) {
            if (!had_impact) record(t_, is.is_closed ? Event::Kind::closing : Event::Kind::opening, k, before);
        } else if (is.is_closed && mode_.block(k).rows() > 1) {
            const bool turns = was.slides && is.slides && was.direction.dot(is.direction) < 0.0;
            if (was.slides && (!is.slides || turns)) record(t_, Event::Kind::sticking, k, before);
            if (!was.slides && is.slides) record(t_, Event::Kind::sliding, k, before);
        }
    }
}

bool EventStepper::handle_event() {
    const ModeEnd end = mode_.ends()[static_cast<std::size_t>(motion_.crossed())];
    worst_row_ = mode_.block(end.interaction).start + end.row;
    if (!guard_.allows(t_))
        return fail(fmt::format("events do not end: more than {} at the same time", EventGuard::most));
    const Eigen::VectorXd before = x_;
    const std::vector<InteractionMode> last = mode_.modes();
    const bool is_gap = end.kind == ModeEnd::Kind::gap;
    const std::size_t known = events_.size();
    if (!close_contacts(before, is_gap ? end.interaction : -1)) return false;
    if (!continue_motion(is_gap ? nullptr : &end)) return false;
    record_changes(last, known, before);
    update_placement();
    if (!is_gap) return true;
    const std::optional<Accumulation> accumulation = bounces_.accumulation(end.interaction, scheme_.accumulation);
    return !accumulation || pass_accumulation(end.interaction, *accumulation);
}

// Steps of Moreau and Jean's scheme until the impacts are over: the bounces that they do not see are shorter than they.
bool EventStepper::pass_accumulation(Index interaction, const Accumulation& accumulation) {
    constexpr int count = 16;
    const Index n = mode_.coordinates();
    const double least = 1e-12 * std::max(std::abs(t_), h_);  // a step has a length
    const double last = std::min(t_ + std::max(2.0 * (accumulation.end - t_), least), t_end_);
    if (!(last - t_ >= 0.5 * least)) return true;
    const Eigen::VectorXd before = x_;
    const TimeSteppedPassage passage(model_, t_, x_.head(n), x_.segment(n, n), last, count);
    report_ = passage.report;
    passing_ = passage.problem;
    if (!report_.converged()) return false;
    x_.head(n) = passage.end.q;
    x_.segment(n, n) = passage.end.v;
    x_[2 * n] += passage.work;
    percussions_ += passage.percussions;
    const double duration = last - t_;
    t_ = last;
    const std::vector<InteractionMode> modes = mode_.modes();
    const std::size_t known = events_.size();
    const IndexList ended = settle_bounces(interaction, accumulation.since, passage.percussions, duration);
    if (!continue_motion(nullptr)) return false;
    for (const Index k : ended) record(accumulation.end, Event::Kind::accumulation, k, before);
    record_changes(modes, known, before);
    update_placement();
    return true;
}

// Motion of a contact no larger than bounces, or than velocities which forces make meanwhile, is left out: it rests.
// A faster contact was thrown off, or will have its impact. Returns the contacts whose impacts accumulated.
IndexList EventStepper::settle_bounces(Index interaction, double since, const Eigen::VectorXd& percussions,
                                       double duration) {
    find_closed(-1);
    IndexList ended;
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        if (!mode_.block(k).contact()) continue;
        const Index row = mode_.block(k).start;
        const bool has_bounced = k == interaction || bounces_.takes_part(k, since);
        const bool touches =
            has_bounced || mode_.modes()[static_cast<std::size_t>(k)].is_closed || percussions[row] > 0.0;
        const double by_force = duration * mode_.gap_acceleration(t_, k).size;
        const double speed = has_bounced ? std::max(bounces_.speed(k, since), by_force) : by_force;
        const bool is_left = touches && std::abs(u_[row]) <= speed && y_[row] <= speed * duration;
        resting_[static_cast<std::size_t>(k)] = is_left || (is_closed(k) && rests(k)) ? 1 : 0;
        if (!has_bounced) continue;
        bounces_.forget(k);
        ended.push_back(k);
    }
    return ended;
}

bool EventStepper::begin() {
    is_begun_ = true;
    const Eigen::VectorXd before = x_;
    if (!mode_.assemble(t_, x_, {})) return fail("a force or the mass is not finite at the beginning");
    update_scale();
    if (!close_contacts(before, -1) || !continue_motion(nullptr)) return false;
    update_placement();
    return true;
}

StepOutcome EventStepper::step() {
    passing_.reset();
    impacts_.clear();
    events_.clear();
    if (!is_between()) {
        percussions_.setZero();
        begin_count();
    }
    last_placement_ = placement_;
    t_end_ = t0_ + static_cast<double>(steps_ + 1) * h_;
    if ((!is_begun_ && !begin()) || !advance()) return StepOutcome::failed;
    if (t_ >= t_end_) ++steps_;
    return placement_ == last_placement_ && impacts_.empty() && events_.empty() ? StepOutcome::kept
                                                                                : StepOutcome::switched;
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
