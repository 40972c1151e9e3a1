#include "saltus/integrators/event/first_order_event_stepper.hpp"

#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/stepper.hpp"

namespace saltus {

namespace {

const Model& checked_model(const Model& model) {
    model.check();
    return model;
}

}  // namespace

FirstOrderEventStepper::FirstOrderEventStepper(const Model& model, const EventDriven& scheme, double h)
    : EventStepperBase(model.t0, scheme, h),
      model_(checked_model(model)),
      mode_(model_),
      selection_(mode_),
      motion_(mode_, scheme, h),
      histories_(static_cast<std::size_t>(model_.rows())) {
    x_ = model_.initial_state();
    for (Index k = 0; k < std::ssize(model_.interactions); ++k)
        for (Index i = 0; i < model_.interactions[static_cast<std::size_t>(k)].rows(); ++i) rows_.emplace_back(k, i);
    check_degrees();
}

// In a linear model the relative degree of every row is 0 or 1: y or its derivative depends on lambda.
void FirstOrderEventStepper::check_degrees() const {
    if (!model_.is_linear()) return;
    const Linearisation& at = mode_.point();
    const Eigen::MatrixXd rates = at.y_x * mode_.solve_mass(at.r_lambda);
    const double size = at.y_x.lpNorm<Eigen::Infinity>() * at.r_lambda.lpNorm<Eigen::Infinity>();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto row = static_cast<Index>(i);
        const bool depends =
            !at.y_lambda.row(row).isZero(0.0) || rates.row(row).lpNorm<Eigen::Infinity>() > 1e-14 * size;
        require(
            depends,
            "interaction '{}', row {}: neither y nor its derivative depends on lambda (relative degree 2 or more); {} "
            "takes 0 and 1: take {} or {}, or write a mechanical model, with q0 and contacts",
            model_.interactions[static_cast<std::size_t>(rows_[i].first)].name, rows_[i].second, EventDriven::name,
            EulerMoreau::name, HigherOrderSweeping::name);
    }
}

void FirstOrderEventStepper::record(double t, Event::Kind kind, Index row, const Eigen::VectorXd& before) {
    const auto [interaction, i] = rows_[static_cast<std::size_t>(row)];
    events_.push_back({t, kind, interaction, before, x_, i});
}

bool FirstOrderEventStepper::choose_mode(const FirstOrderMode::End* turned) {
    const Eigen::VectorXd before = x_;
    if (!selection_.select(t_, x_, turned, std::min(h_, motion_.time_scale()))) {
        report_ = selection_.report();
        report_.message = fmt::format("no mode continues the motion at t = {:.12g}: {}", t_, report_.message);
        return false;
    }
    const double jump = (x_ - before).lpNorm<Eigen::Infinity>();
    if (jump > FirstOrderSelection::jump_tolerance * std::max(1.0, before.lpNorm<Eigen::Infinity>())) {
        Index row = turned ? turned->row : 0;
        for (Index i = 0; i < mode_.rows(); ++i)
            if (!turned && mode_.placement()[static_cast<std::size_t>(i)] == Place::basic) row = i;
        record(t_, Event::Kind::jump, row, before);
    }
    return motion_.restart(t_, x_) || fail(motion_.message());
}

bool FirstOrderEventStepper::begin() {
    is_begun_ = true;
    if (mode_.rows() == 0) return motion_.restart(t_, x_) || fail(motion_.message());
    return choose_mode(nullptr);
}

bool FirstOrderEventStepper::advance() {
    for (int k = 0; k < most_moves && t_ < t_end_; ++k) {
        const Motion::Outcome outcome = motion_.advance(t_end_);
        t_ = motion_.t();
        x_ = motion_.x();
        if (outcome == Motion::Outcome::failed) return fail(motion_.message());
        if (!count_step()) return false;
        if (outcome == Motion::Outcome::event && (!count_event() || !handle_event())) return false;
    }
    return true;
}

bool FirstOrderEventStepper::handle_event() {
    const FirstOrderMode::End end = mode_.ends()[static_cast<std::size_t>(motion_.crossed())];
    worst_row_ = end.row;
    const Eigen::VectorXd before = x_;
    const bool gets_on = guard_.allows(t_);
    EventHistory& history = histories_[static_cast<std::size_t>(end.row)];
    history.add(t_);
    const std::optional<double> limit = history.accumulation();
    const bool accumulates = limit && *limit - t_ < scheme_.accumulation;
    if (accumulates || !gets_on) {
        const double last = accumulates ? t_ + 2.0 * (*limit - t_) : t_ + scheme_.accumulation;
        if (!pass(std::min(last, t_end_))) return false;
        record(accumulates ? *limit : t_, Event::Kind::accumulation, end.row, before);
        return true;
    }
    const std::size_t known = events_.size();
    if (!choose_mode(&end)) return false;
    if (guard_.is_alone()) passes_ = 0;
    if (events_.size() == known) record(t_, Event::Kind::switching, end.row, before);
    return true;
}

bool FirstOrderEventStepper::pass(double last) {
    constexpr int count = 16, most = 3;
    for (EventHistory& history : histories_) history.clear();
    if (++passes_ > most)
        return fail(fmt::format("events do not end: more than {} at the same time, again after steps of {} over {}",
                                EventGuard::most, EulerMoreau::name, scheme_.accumulation));
    if (!(last > t_)) return choose_mode(nullptr);
    State state{.t = t_, .x = x_};
    Stepper stepper = make_stepper(starting_from(model_, state), EulerMoreau{}, (last - t_) / count);
    const bool is_solved = std::visit(
        [&](auto& s) {
            for (int k = 0; k < count; ++k)
                if (s.step() == StepOutcome::failed) {
                    report_ = s.report();
                    passing_ = s.problem();
                    return false;
                }
            s.read(state);
            return true;
        },
        stepper);
    if (!is_solved) return false;
    x_ = state.x;
    t_ = last;
    return choose_mode(nullptr);
}

StepOutcome FirstOrderEventStepper::step() {
    passing_.reset();
    events_.clear();
    if (!is_between()) begin_count();
    last_placement_ = mode_.placement();
    t_end_ = t0_ + static_cast<double>(steps_ + 1) * h_;
    if ((!is_begun_ && !begin()) || !advance()) return StepOutcome::failed;
    if (t_ >= t_end_) ++steps_;
    element_residual_ = motion_.take_element_residual();
    return mode_.placement() == last_placement_ && events_.empty() ? StepOutcome::kept : StepOutcome::switched;
}

void FirstOrderEventStepper::read(State& state) const {
    state.t = t_;
    state.x = x_;
    state.lambda = mode_.lambda();
    state.y = mode_.y();
}

}  // namespace saltus
