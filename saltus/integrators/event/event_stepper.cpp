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
}

void ImpactHistory::add(double t) {
    times_.push_back(t);
    if (times_.size() > 4) times_.pop_front();
}

std::optional<double> ImpactHistory::accumulation() const {
    if (times_.size() < 4) return std::nullopt;
    const double a = times_[1] - times_[0], b = times_[2] - times_[1], c = times_[3] - times_[2];
    const double ratio = c / b;
    if (!(b < a && c < b && std::abs(ratio - b / a) < 0.1)) return std::nullopt;
    return times_[3] + c * ratio / (1.0 - ratio);
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
      method_(mode_.size()),
      next_length_(h),
      last_event_(model.t0) {
    x_ = slope_ = x_next_ = slope_next_ = Eigen::VectorXd::Zero(mode_.size());
    Index at = 0;
    for (const LagrangianSystem& system : model_.systems) {
        x_.segment(at, system.size()) = system.q0;
        x_.segment(mode_.coordinates() + at, system.size()) = system.v0;
        at += system.size();
    }
    y_ = u_ = y_next_ = u_next_ = P_ = percussions_ = Eigen::VectorXd::Zero(mode_.rows());
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

// What rounding may make of a function that is zero.
double EventStepper::noise(const ModeEnd& end) const {
    const Index n = mode_.coordinates();
    switch (end.kind) {
        case ModeEnd::Kind::gap:
            return 1e-15 * std::max(1e-2, x_.head(n).lpNorm<Eigen::Infinity>());
        case ModeEnd::Kind::slip:
            return 1e-14 * std::max(1.0, x_.segment(n, n).lpNorm<Eigen::Infinity>());
        default:
            return 1e-12 * std::max(1.0, mode_.forces().lpNorm<Eigen::Infinity>());
    }
}

bool EventStepper::evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& slope, Eigen::VectorXd& values) {
    if (!mode_(t, x, slope)) return false;
    mode_.evaluate_rows(t, x, y_next_, u_next_);
    mode_.evaluate_ends(y_next_, u_next_, values);
    for (Index i = 0; i < values.size(); ++i) {
        const ModeEnd& end = mode_.ends()[static_cast<std::size_t>(i)];
        values[i] += noise(end);
        // A gap that opens does not end a mode, whatever rounding left of it.
        if (end.kind == ModeEnd::Kind::gap && u_next_[mode_.block(end.interaction).start] > 0.0)
            values[i] = std::abs(values[i]);
    }
    return true;
}

double EventStepper::error_of(const Eigen::VectorXd& end) const {
    double worst = 0.0;
    for (Index i = 0; i < 2 * mode_.coordinates(); ++i)
        worst = std::max(worst, std::abs(method_.error()[i]) / std::max(1.0, std::abs(end[i])));
    return worst / scheme_.tolerance;
}

Index EventStepper::first_crossed() const {
    Index result = -1;
    for (Index i = 0; i < values_next_.size(); ++i)
        if (values_next_[i] < 0.0 && (result < 0 || values_next_[i] < values_next_[result])) result = i;
    return result;
}

bool EventStepper::evaluate_after(double s) {
    return method_.step(mode_, t_, x_, slope_, s, x_next_) && evaluate(t_ + s, x_next_, slope_next_, values_next_);
}

// The gap is least where u = 0, which bisection finds; it ends as soon as the gap is closed, or cannot close any more.
double EventStepper::dip_of(std::size_t end, double h) {
    const Index row = mode_.block(mode_.ends()[end].interaction).start;
    double low = 0.0, high = h;
    for (int k = 0; k < 60 && high - low > 1e-12 * h; ++k) {
        const double s = 0.5 * (low + high);
        if (!evaluate_after(s)) break;
        if (values_next_[static_cast<Index>(end)] < 0.0) return s;
        (u_next_[row] < 0.0 ? low : high) = s;
        const double width = high - low;
        const double most = 2.0 * std::abs(u_next_[row]) * width +
                            slope_next_.lpNorm<Eigen::Infinity>() * width * width;  // which it may still fall
        if (y_next_[row] > most) break;
    }
    return 0.0;
}

double EventStepper::find_dip(double h) {
    for (std::size_t i = 0; i < mode_.ends().size(); ++i) {
        const ModeEnd& end = mode_.ends()[i];
        if (end.kind != ModeEnd::Kind::gap) continue;
        const Index row = mode_.block(end.interaction).start;
        const double approach = -u_[row], departure = u_next_[row];
        if (!(approach > 0.0 && departure > 0.0)) continue;
        if (std::min(y_[row], y_next_[row]) > h * std::max(approach, departure)) continue;
        if (const double s = dip_of(i, h); s > 0.0) return s;
        evaluate_after(h);
    }
    return 0.0;
}

// The Illinois form of regula falsi, on the function that crosses first by its estimate; the lower end of the interval
// has crossed none, the upper one some.
bool EventStepper::locate(double h) {
    Eigen::VectorXd low_values = values_.cwiseMax(0.0), high_values = values_next_;
    double low = 0.0, high = h, low_weight = 1.0, high_weight = 1.0;
    bool is_slow = false;
    const double least = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), h);
    for (int k = 0; k < 100 && high - low > least; ++k) {
        double s = high;
        for (Index i = 0; i < high_values.size(); ++i) {
            if (high_values[i] >= 0.0) continue;
            const double a = low_weight * low_values[i], b = high_weight * high_values[i];
            s = std::min(s, low + (high - low) * a / (a - b));
        }
        const double margin = 0.5 * least, width = high - low;
        s = is_slow ? 0.5 * (low + high) : std::clamp(s, low + margin, high - margin);
        if (!evaluate_after(s)) return fail("the motion is not defined where an event is looked for");
        if (first_crossed() >= 0) {
            high = s;
            high_values = values_next_;
            high_weight = 1.0;
            low_weight *= 0.5;
        } else {
            low = s;
            low_values = values_next_;
            low_weight = 1.0;
            high_weight *= 0.5;
        }
        is_slow = !is_slow && high - low > 0.5 * width;  // as where a gap has just opened, and is zero at the lower end
    }
    located_ = high;
    return evaluate_after(high) || fail("the motion is not defined at an event");
}

bool EventStepper::move(double t_end) {
    const double left = t_end - t_;
    double h = std::min(next_length_, left);
    for (;;) {
        if (h < 1e-15 * std::max(1.0, std::abs(t_)))
            return fail(fmt::format(
                "steps of the smooth motion become shorter than {:.1e}: is the tolerance {} too small, or does the "
                "motion end here?",
                h, scheme_.tolerance));
        const bool is_defined = method_.step(mode_, t_, x_, slope_, h, x_next_);
        const double error = is_defined ? error_of(x_next_) : 1e9;
        const double factor = error > 0.0 ? 0.9 * std::pow(error, -1.0 / ExplicitRungeKutta::order) : 5.0;
        if (!(error <= 1.0)) {
            h *= std::clamp(factor, 0.1, 0.8);
            next_length_ = h;
            continue;
        }
        if (h < left || factor < 1.0) next_length_ = h * std::clamp(factor, 0.2, 5.0);
        break;
    }
    mode_.set_difference(std::clamp(1e-2 * h, 1e-6, 1e-3));
    if (!evaluate(t_ + h, x_next_, slope_next_, values_next_)) return fail("a force or the mass is not finite");
    if (first_crossed() < 0) {
        const double dip = find_dip(h);
        if (dip == 0.0) return settle(h == left ? t_end : t_ + h);
        h = dip;
    }
    if (!locate(h)) return false;
    t_ += located_;
    return handle_event();
}

// Ends a step at t: what is held is held exactly, up to the errors of the step.
bool EventStepper::settle(double t) {
    t_ = t;
    x_.swap(x_next_);
    if (!mode_.project(t_, x_) || !evaluate(t_, x_, slope_, values_))
        return fail("what is held cannot be held: a force or a position is not finite");
    y_.swap(y_next_);
    u_.swap(u_next_);
    return true;
}

bool EventStepper::advance(double t_end) {
    while (t_ < t_end)
        if (!move(t_end)) return false;
    return true;
}

void EventStepper::record(double t, Event::Kind kind, Index interaction, const Eigen::VectorXd& before) {
    const Index count = 2 * mode_.coordinates();
    events_.push_back({t, kind, interaction, before.head(count), x_.head(count)});
}

// Impacts at x_, if contacts approach; those which rest afterwards are in resting_.
bool EventStepper::close_contacts(const Eigen::VectorXd& before) {
    const Index n = mode_.coordinates();
    mode_.evaluate_rows(t_, x_, y_, u_);
    IndexList closed;
    bool approaches = false;
    std::fill(resting_.begin(), resting_.end(), char{0});
    for (Index k = 0; k < std::ssize(resting_); ++k) {
        const StepBlock& block = mode_.block(k);
        if (block.contact() && y_[block.start] > closed_gap) continue;
        if (block.contact()) approaches = approaches || u_[block.start] < -rest_speed;
        closed.push_back(k);
        if (block.contact()) resting_[static_cast<std::size_t>(k)] = 1;
    }
    if (!hold_resting(true)) return false;
    if (approaches) {
        q_ = x_.head(n);
        v_ = x_.segment(n, n);
        P_.setZero();
        report_ = impact_map_.apply(t_, q_, closed, v_, P_);
        if (!report_.converged()) return false;
        x_.segment(n, n) = v_;
        percussions_ += P_;
        u_next_ = u_;
        mode_.evaluate_rows(t_, x_, y_, u_);
        x_[2 * n] += 0.5 * P_.dot(u_ + u_next_);
    }
    std::fill(resting_.begin(), resting_.end(), char{0});
    for (const Index k : closed) {
        const StepBlock& block = mode_.block(k);
        if (!block.contact()) continue;
        resting_[static_cast<std::size_t>(k)] = std::abs(u_[block.start]) <= rest_speed ? 1 : 0;
        if (!approaches || !(u_next_[block.start] < -rest_speed)) continue;
        impacts_.push_back({t_, k, u_next_[block.start], u_[block.start], P_[block.start], y_[block.start]});
        histories_[static_cast<std::size_t>(k)].add(t_);
        record(t_, Event::Kind::impact, k, before);
    }
    return true;
}

// No function of the mode is below zero, and contacts that touch do not accelerate towards each other.
bool EventStepper::is_consistent() {
    if (!evaluate(t_, x_, slope_, values_)) return false;
    const double size = std::max(1.0, slope_.lpNorm<Eigen::Infinity>());
    for (Index i = 0; i < values_.size(); ++i) {
        const ModeEnd& end = mode_.ends()[static_cast<std::size_t>(i)];
        const bool is_gap = end.kind == ModeEnd::Kind::gap;
        if (is_gap && resting_[static_cast<std::size_t>(end.interaction)] &&
            mode_.gap_acceleration(t_, end.interaction) < -1e-8 * size)
            return false;
        if (!is_gap && values_[i] < -1e-8 * std::max(size, mode_.forces().lpNorm<Eigen::Infinity>())) return false;
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
    next_length_ = std::max(next_length_, 1e-3 * h_);
    return true;
}

bool EventStepper::handle_event() {
    const Index crossed = first_crossed();
    const ModeEnd end = mode_.ends()[static_cast<std::size_t>(std::max<Index>(crossed, 0))];
    worst_row_ = mode_.block(end.interaction).start + end.row;
    events_at_once_ = t_ - last_event_ <= 1e-10 * std::max(1.0, std::abs(t_)) ? events_at_once_ + 1 : 0;
    last_event_ = t_;
    if (events_at_once_ > 100) return fail("events do not end: more than 100 at the same time");
    x_.swap(x_next_);
    mode_.project(t_, x_);
    mode_(t_, x_, slope_);
    const Eigen::VectorXd before = x_;
    const bool is_gap = end.kind == ModeEnd::Kind::gap;
    const std::size_t known = events_.size();
    if (!close_contacts(before)) return false;
    if (!choose_mode(is_gap ? nullptr : &end)) return false;
    const InteractionMode& mode = mode_.modes()[static_cast<std::size_t>(end.interaction)];
    if (is_gap && events_.size() == known && mode.is_closed) record(t_, Event::Kind::closing, end.interaction, before);
    if (end.kind == ModeEnd::Kind::pressure && !mode.is_closed)
        record(t_, Event::Kind::opening, end.interaction, before);
    if (end.kind == ModeEnd::Kind::grip) record(t_, Event::Kind::sliding, end.interaction, before);
    if (end.kind == ModeEnd::Kind::slip) record(t_, Event::Kind::sticking, end.interaction, before);
    if (end.kind == ModeEnd::Kind::below || end.kind == ModeEnd::Kind::above)
        record(t_, Event::Kind::switching, end.interaction, before);
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
    for (Index i = 0; i < values_.size(); ++i) worst = std::max(worst, -values_[i]);
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
