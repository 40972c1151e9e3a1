#include "saltus/simulation/time_stepping.hpp"

#include <chrono>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// "interaction 'diode', row 0", of a row of the stacked multipliers; empty for -1.
std::string row_name(const Model& model, Index row) {
    for (const Interaction& interaction : model.interactions) {
        if (row >= 0 && row < interaction.rows()) return fmt::format("interaction '{}', row {}", interaction.name, row);
        row -= interaction.rows();
    }
    return "";
}

// Finds the rows that changed their place.
class SwitchFinder {
public:
    SwitchFinder(const Model& model, const Placement& placement) : placement_(placement) {
        for (Index k = 0; k < std::ssize(model.interactions); ++k)
            for (Index i = 0; i < model.interactions[static_cast<std::size_t>(k)].rows(); ++i) rows_.push_back({k, i});
    }
    // False if none did.
    bool tell(double t, const Placement& placement, const Observer& observer) {
        if (placement == placement_) return false;
        for (std::size_t i = 0; i < placement.size(); ++i)
            if (placement[i] != placement_[i] && observer.switched)
                observer.switched({t, rows_[i].first, rows_[i].second, placement_[i], placement[i]});
        placement_ = placement;
        return true;
    }

private:
    Placement placement_;
    std::vector<std::pair<Index, Index>> rows_;  // interaction and row
};

// Asks an observer whether to go on, some fifty times a second, without looking at the clock in every step.
class Questions {
public:
    explicit Questions(const Observer& observer) : observer_(observer) {}
    bool goes_on(double t, long steps) {
        if (!observer_.goes_on || steps < next_) return true;
        const Clock::time_point now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        stride_ = seconds < 0.01 ? 2 * stride_ : seconds > 0.04 ? std::max(1L, stride_ / 2) : stride_;
        next_ = steps + stride_;
        return observer_.goes_on(t, steps);
    }

private:
    using Clock = std::chrono::steady_clock;
    const Observer& observer_;
    Clock::time_point last_ = Clock::now();
    long stride_ = 1, next_ = 1;
};

template <class AnyStepper>
class Run {
public:
    Run(const Model& model, const TimeStepping& options, const Scheme& scheme, AnyStepper& stepper,
        const Observer& observer)
        : model_(model),
          options_(options),
          scheme_(scheme),
          stepper_(stepper),
          observer_(observer),
          switches_(model, stepper.placement()),
          residual_(model, uses_measures(scheme) ? stepper.h() : 1.0) {}

    RunReport make(long count) {
        Questions questions(observer_);
        sample();
        while (stepper_.steps() < count) {
            const StepOutcome outcome = stepper_.step();
            if (outcome == StepOutcome::failed && !recover()) {
                report_.end = RunReport::End::failed;
                break;
            }
            if (outcome != StepOutcome::kept) {
                const bool has_switched = switches_.tell(stepper_.t(), stepper_.placement(), observer_);
                report_.switches += has_switched ? 1 : 0;
            }
            const long steps = stepper_.steps();
            if (steps % options_.record_every == 0 || steps == count) sample();
            if (!questions.goes_on(stepper_.t(), steps)) {
                report_.end = RunReport::End::interrupted;
                break;
            }
        }
        if (report_.end != RunReport::End::reached && stepper_.steps() % options_.record_every != 0) sample();
        report_.t = stepper_.t();
        report_.steps = stepper_.steps();
        return std::move(report_);
    }

private:
    void sample() {
        stepper_.read(state_);
        const double residual = residual_(state_);
        if (stepper_.steps() > 0) report_.worst_residual = std::max(report_.worst_residual, residual);
        if (observer_.sample) observer_.sample(state_, residual);
    }

    // What on_failure says; false if the run ends.
    bool recover() {
        FailedStep failure{.t = stepper_.t() + stepper_.h(),
                           .where = row_name(model_, stepper_.worst_row()),
                           .problem = stepper_.problem(),
                           .solve = stepper_.report()};
        if (options_.on_failure == OnFailure::take) failure.is_taken = stepper_.accept_unsolved();
        if (options_.on_failure == OnFailure::retry) failure.halvings = retry();
        report_.unsolved += failure.is_taken ? 1 : 0;
        report_.retried += failure.halvings > 0 ? 1 : 0;
        if (observer_.failed) observer_.failed(failure);
        const bool goes_on = failure.is_taken || failure.halvings > 0;
        if (!goes_on) report_.failure = std::move(failure);
        return goes_on;
    }

    // The number of halvings with which the step could be made; 0 if none helps.
    int retry() {
        Model rest = model_;
        stepper_.read(state_);
        rest.t0 = state_.t;
        for (std::size_t s = 0; s < rest.systems.size(); ++s)
            rest.systems[s].x0 = state_.x.segment(rest.state_start(static_cast<Index>(s)), rest.systems[s].x0.size());
        constexpr int most = 10;
        for (int halvings = 1; halvings <= most; ++halvings)
            if (const std::optional<State> end = advance(rest, 1L << halvings)) {
                stepper_.resume(*end);
                return halvings;
            }
        return 0;
    }

    // The end of one step of the run, made in `count` steps; the measure of the whole is the sum of theirs.
    std::optional<State> advance(const Model& rest, long count) const {
        try {
            AnyStepper stepper =
                std::get<AnyStepper>(make_stepper(rest, scheme_, stepper_.h() / static_cast<double>(count)));
            State state;
            Eigen::VectorXd measure = Eigen::VectorXd::Zero(rest.rows());
            while (stepper.steps() < count) {
                if (stepper.step() == StepOutcome::failed) return std::nullopt;
                stepper.read(state);
                measure += state.lambda;
            }
            if (uses_measures(scheme_)) state.lambda = measure;
            return state;
        } catch (const InvalidInput&) {  // the law has no multiplier at the beginning
            return std::nullopt;
        }
    }

    const Model& model_;
    const TimeStepping& options_;
    const Scheme& scheme_;
    AnyStepper& stepper_;
    const Observer& observer_;
    SwitchFinder switches_;
    LawResidual residual_;
    RunReport report_;
    State state_;
};

}  // namespace

void TimeStepping::check(const Model& model) const {
    require(step > 0.0 && std::isfinite(step), "simulation: step is {}; it must be positive", step);
    require(std::isfinite(t_end) && t_end > model.t0, "simulation: t_end is {}; it must be after the beginning, t = {}",
            t_end, model.t0);
    require(record_every >= 1, "simulation: record_every is {}; it must be 1 or more", record_every);
    const double count = (t_end - model.t0) / step;
    require(count < 1e15, "simulation: step {} makes {} steps; take a larger one", step, count);
}

long TimeStepping::step_count(const Model& model) const {
    const double count = (t_end - model.t0) / step;
    return std::max(1L, static_cast<long>(std::ceil(count * (1.0 - 1e-12) - 1e-9)));
}

Scheme TimeStepping::scheme_for(const Model& model) const {
    return scheme ? *scheme : choose_scheme(model, diagnose(model)).scheme;
}

RunReport TimeStepping::run(const Model& model, const Observer& observer) const {
    model.check();
    check(model);
    const long count = step_count(model);
    const Scheme chosen = scheme_for(model);
    Stepper stepper = make_stepper(model, chosen, (t_end - model.t0) / static_cast<double>(count));
    return std::visit([&](auto& s) { return Run(model, *this, chosen, s, observer).make(count); }, stepper);
}

Simulation simulate(const Model& model, const TimeStepping& options) {
    Simulation result;
    model.check();
    TimeStepping chosen = options;
    chosen.scheme = options.scheme_for(model);
    result.trajectory.channels = channel_names(model, uses_measures(*chosen.scheme));
    chosen.check(model);
    result.trajectory.reserve(chosen.step_count(model) / chosen.record_every + 2);
    const Observer observer{.sample = [&](const State& state, double) { result.trajectory.add(state); },
                            .switched = [&](const Switch& s) { result.trajectory.switches.push_back(s); }};
    result.report = chosen.run(model, observer);
    return result;
}

}  // namespace saltus
