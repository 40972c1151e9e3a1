#include "saltus/simulation/time_stepping.hpp"

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>

#include "saltus/core/check.hpp"
#include "saltus/core/interruption.hpp"
#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/simulation/ongoing_run.hpp"

namespace saltus {

namespace {

Index rows_of(const Model&, const Interaction& interaction) { return interaction.rows(); }
Index rows_of(const LagrangianModel& model, const LagrangianInteraction& interaction) {
    return model.rows_of(interaction);
}

// "interaction 'diode', row 0", of a row of the stacked multipliers; empty for -1.
template <class AnyModel>
std::string row_name(const AnyModel& model, Index row) {
    for (const auto& interaction : model.interactions) {
        const Index rows = rows_of(model, interaction);
        if (row >= 0 && row < rows) return fmt::format("interaction '{}', row {}", interaction.name, row);
        row -= rows;
    }
    return "";
}

Eigen::VectorXd& multipliers(State& state) { return state.lambda; }
Eigen::VectorXd& multipliers(LagrangianState& state) { return state.P; }

// Finds the rows that changed their place.
class SwitchFinder {
public:
    template <class AnyModel>
    SwitchFinder(const AnyModel& model, const Placement& placement) : placement_(placement) {
        for (Index k = 0; k < std::ssize(model.interactions); ++k) {
            const Index rows = rows_of(model, model.interactions[static_cast<std::size_t>(k)]);
            for (Index i = 0; i < rows; ++i) rows_.push_back({k, i});
        }
    }
    const Placement& placement() const { return placement_; }
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

// Asks an observer whether to continue, some fifty times a second, without reading the clock in every step.
class Questions {
public:
    // step_seconds is what a step took before, infinite if none was made.
    Questions(const Observer& observer, double& step_seconds) : observer_(observer), step_seconds_(step_seconds) {}
    bool goes_on(double t, long steps) {
        if (!observer_.goes_on || ++calls_ < next_) return true;
        const Clock::time_point now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - last_).count();
        step_seconds_ = seconds / static_cast<double>(calls_ - std::exchange(asked_, calls_));
        last_ = now;
        stride_ = seconds < 0.01 ? 2 * stride_ : seconds > 0.04 ? std::max(1L, stride_ / 2) : stride_;
        next_ = calls_ + stride_;
        return observer_.goes_on(t, steps);
    }
    // Steps in which the observer is asked too: beside them, what this costs is nothing.
    bool is_asked_in_steps() const { return observer_.goes_on && step_seconds_ > 50e-6; }

private:
    using Clock = std::chrono::steady_clock;
    const Observer& observer_;
    double& step_seconds_;
    Clock::time_point last_ = Clock::now();
    long stride_ = 1, next_ = 1, calls_ = 0, asked_ = 0;
};

// A stepper may divide a step of the run: the number of steps that were made, and whether one is being divided.
template <class AnyStepper>
long made(const AnyStepper& stepper) {
    if constexpr (requires { stepper.made(); })
        return stepper.made();
    else
        return stepper.steps();
}
template <class AnyStepper>
bool is_between(const AnyStepper& stepper) {
    if constexpr (requires { stepper.is_between(); })
        return stepper.is_between();
    else
        return false;
}

// Whether a stepper goes from event to event: one that fails has then made part of the way.
template <class AnyStepper>
constexpr bool has_events = requires(const AnyStepper& stepper) {
    stepper.for_each_event([](const Event&) {});
};

FirstOrderRecorder make_recorder(const Model& model, const Scheme& scheme, double h) { return {model, scheme, h}; }
LagrangianRecorder make_recorder(const LagrangianModel& model, const Scheme&, double) {
    return LagrangianRecorder(model);
}

template <class AnyModel, class AnyStepper>
class Run : public OngoingRun<AnyModel>::Implementation {
public:
    // `owner` holds the stepper, which cannot be moved.
    Run(const AnyModel& model, const Scheme& scheme, const OngoingOptions& options, AnyStepper& stepper,
        std::shared_ptr<void> owner)
        : model_(model),
          options_(options),
          scheme_(scheme),
          owner_(std::move(owner)),
          stepper_(stepper),
          recorder_(make_recorder(model, scheme, options.h)),
          switches_(model, options.placement_before.empty() ? stepper_.placement() : options.placement_before) {}

    void advance(long count, const Observer& observer, bool samples_end) override {
        if (is_broken_) throw std::runtime_error("this run was ended in the middle of a step");
        observer_ = &observer;
        report_.end = RunReport::End::reached;
        try {
            begin();
            make_steps(count);
            if (!is_sampled_ && (samples_end || report_.end != RunReport::End::reached)) sample();
        } catch (const EndedInStep&) {
            go_back(RunReport::End::interrupted);
            if (sample_.t < last_->sample.t && observer.sample) observer.sample(last_->sample);
        } catch (...) {
            go_back(RunReport::End::failed);
            conclude();
            throw;
        }
        conclude();
    }

    long steps() const override { return is_at_last() ? last_->steps : stepper_.steps(); }
    double t() const override { return is_at_last() ? last_->state.t : stepper_.t(); }
    double work() const override { return is_at_last() ? last_->work : work_now(); }
    void read(StateOf<AnyModel>& state) const override {
        if (is_at_last())
            state = last_->state;
        else
            stepper_.read(state);
    }
    Sample sample_now() override {
        if (is_at_last()) return last_->sample;
        Sample result;
        recorder_.read(stepper_, result);
        return result;
    }
    const RunReport& report() const override { return report_; }
    const Placement& placement() const override { return switches_.placement(); }
    bool is_broken() const override { return is_broken_; }

private:
    using AnyState = typename AnyStepper::AnyState;

    // The observer ended the run within a step. The Interrupted of somebody around the run passes through instead.
    struct EndedInStep {};

    // What was reached before a step.
    struct Last {
        AnyState state{};
        Sample sample{};
        std::vector<double> values{};  // of the sample
        RunReport report{};
        double work = 0.0;
        long steps = 0, made = 0;
    };

    // An exception has left the stepper somewhere in a step.
    bool is_at_last() const { return is_broken_ && is_kept_; }

    void go_back(RunReport::End end) {
        if (is_at_last()) report_ = last_->report;
        report_.end = end;
    }

    double work_now() const {
        if constexpr (requires { stepper_.work(); })
            return stepper_.work();
        else
            return 0.0;
    }

    void begin() {
        if (is_begun_) return;
        if (observer_->begins) observer_->begins(switches_.placement());
        read_sample();
        is_begun_ = true;
        tell_sample();
    }

    void make_steps(long count) {
        Questions questions(*observer_, step_seconds_);
        if (owes_sample_) sample();
        while (stepper_.steps() < count && report_.end == RunReport::End::reached) {
            const bool is_asked = questions.is_asked_in_steps() && !is_between(stepper_);
            if (!is_between(stepper_)) is_kept_ = options_.keeps_last || is_asked;
            if (is_kept_ && !is_between(stepper_)) keep_last();
            is_broken_ = true;  // unless the step comes to its end
            stepper_.clear_iterations();
            const StepOutcome outcome = is_asked ? make_interruptible_step() : make_step();
            iterations_ = std::max(iterations_, stepper_.report().iterations);
            const bool is_made = outcome != StepOutcome::failed || recover();
            is_broken_ = false;
            if (!is_made) {
                if (has_events<AnyStepper>) tell_changes();
                report_.end = RunReport::End::failed;
                break;
            }
            is_sampled_ = false;
            owes_sample_ = is_due();
            if (outcome != StepOutcome::kept) tell_changes();
            if (owes_sample_) sample();
            if (report_.end == RunReport::End::reached && !questions.goes_on(stepper_.t(), made(stepper_)))
                report_.end = RunReport::End::interrupted;
        }
    }

    void keep_last() {
        if (!last_) last_.emplace();
        stepper_.read(last_->state);
        if (is_sampled_) {
            last_->sample = sample_;
        } else {
            recorder_.read(stepper_, last_->sample);
            last_->sample.iterations = iterations_;
        }
        last_->values.assign(last_->sample.values.begin(), last_->sample.values.end());
        last_->sample.values = last_->values;
        last_->report = report_;
        last_->work = work_now();
        last_->steps = stepper_.steps();
        last_->made = made(stepper_);
    }

    // Parts of a step are sampled too, except in event-driven motion: its step is the time between samples.
    bool is_due() const {
        if (is_between(stepper_)) return options_.record_every == 1 && !has_events<AnyStepper>;
        return (options_.steps_before + stepper_.steps()) % options_.record_every == 0;
    }

    void conclude() {
        report_.t = t();
        report_.steps = is_at_last() ? last_->made : made(stepper_);
        report_.shortest = stepper_.h();
        if constexpr (std::is_same_v<AnyStepper, AdaptiveStepper>) {
            report_.refused = stepper_.refused();
            report_.forced = stepper_.forced();
            report_.shortest = stepper_.shortest();
        }
    }

    void sample() {
        read_sample();
        tell_sample();
    }
    void read_sample() {
        recorder_.read(stepper_, sample_);
        sample_.iterations = std::exchange(iterations_, 0);
        is_sampled_ = true;
        owes_sample_ = false;
        if (made(stepper_) > 0) report_.worst_residual = std::max(report_.worst_residual, sample_.residual);
    }
    void tell_sample() {
        if (observer_->sample) observer_->sample(sample_);
        if (made(stepper_) > 0 && !std::isfinite(sample_.residual)) lose();
    }

    // It is not known whether the laws hold: the run ends.
    void lose() {
        report_.end = RunReport::End::failed;
        report_.failure = {.t = stepper_.t(),
                           .solve = {.status = SolveStatus::stalled,
                                     .message = "a state, a gap or an output is not finite there: does the model blow "
                                                "up, or is a function of it not defined?"},
                           .is_at_event = true};
        if (observer_->failed) observer_->failed(report_.failure);
    }

    [[gnu::noinline]] StepOutcome make_interruptible_step() {
        const Interruption interruption([this] { return observer_->goes_on(last_->state.t, last_->made); });
        try {
            return make_step();
        } catch (const Interrupted&) {
            throw EndedInStep{};
        }
    }

    // Wrong numbers in the first step are a mistake of the caller; later, they end the run.
    StepOutcome make_step() {
        if (made(stepper_) == 0) return stepper_.step();
        try {
            return stepper_.step();
        } catch (const InvalidInput& error) {
            refusal_ = error.what();
            return StepOutcome::failed;
        }
    }

    void tell_changes() {
        tell_switches();
        tell_impacts();
        tell_events();
    }

    void tell_switches() {
        if constexpr (std::is_same_v<AnyStepper, AdaptiveStepper>)
            report_.switches += switches_.tell(stepper_.middle(), stepper_.middle_placement(), *observer_) ? 1 : 0;
        report_.switches += switches_.tell(stepper_.t(), stepper_.placement(), *observer_) ? 1 : 0;
    }

    void tell_impacts() {
        if constexpr (std::is_same_v<AnyModel, LagrangianModel>)
            stepper_.for_each_impact([&](const Impact& impact) {
                ++report_.impacts;
                if (observer_->impact) observer_->impact(impact);
            });
    }

    void tell_events() {
        if constexpr (has_events<AnyStepper>)
            stepper_.for_each_event([&](const Event& event) {
                report_.events.add(event.t, event.kind);
                if (observer_->event) observer_->event(event);
            });
    }

    // What on_failure says; false if the run ends.
    bool recover() {
        FailedStep failure{.t = stepper_.t() + (has_events<AnyStepper> ? 0.0 : stepper_.h()),
                           .where = row_name(model_, stepper_.worst_row()),
                           .solve = stepper_.report(),
                           .is_at_event = has_events<AnyStepper>};
        if (refusal_.empty() && !failure.solve.solver.empty()) failure.problem = stepper_.problem();
        if (!refusal_.empty()) {
            failure.solve = {.status = SolveStatus::stalled, .message = refusal_};
            if (observer_->failed) observer_->failed(failure);
            report_.failure = std::move(failure);
            return false;
        }
        if (options_.on_failure == OnFailure::take) failure.is_taken = stepper_.accept_unsolved();
        if (options_.on_failure == OnFailure::retry) failure.halvings = retry();
        report_.unsolved += failure.is_taken ? 1 : 0;
        report_.retried += failure.halvings > 0 ? 1 : 0;
        if (observer_->failed) observer_->failed(failure);
        const bool goes_on = failure.is_taken || failure.halvings > 0;
        if (!goes_on) report_.failure = std::move(failure);
        return goes_on;
    }

    // The number of halvings with which the step could be made; 0 if none helps.
    int retry() {
        if constexpr (std::is_same_v<AnyStepper, AdaptiveStepper> || has_events<AnyStepper>)
            return 0;  // it was divided as often as allowed
        else
            return divide();
    }

    int divide() {
        AnyState state;
        stepper_.read(state);
        const AnyModel rest = starting_from(model_, state);
        constexpr int most = 10;
        for (int halvings = 1; halvings <= most; ++halvings)
            if (const std::optional<AnyState> end = advance(rest, 1L << halvings)) {
                stepper_.resume(*end);
                return halvings;
            }
        return 0;
    }

    // The end of one step of the run, made in `count` steps; the measure of the whole is the sum of theirs.
    std::optional<AnyState> advance(const AnyModel& rest, long count) const {
        try {
            AnyStepper stepper =
                std::get<AnyStepper>(make_stepper(rest, scheme_, stepper_.h() / static_cast<double>(count)));
            AnyState state;
            Eigen::VectorXd measure = Eigen::VectorXd::Zero(rest.rows());
            while (stepper.steps() < count) {
                if (stepper.step() == StepOutcome::failed) return std::nullopt;
                stepper.read(state);
                measure += multipliers(state);
            }
            if (uses_measures(scheme_)) multipliers(state) = measure;
            return state;
        } catch (const InvalidInput&) {  // the law has no multiplier at the beginning
            return std::nullopt;
        }
    }

    AnyModel model_;
    OngoingOptions options_;
    Scheme scheme_;
    std::shared_ptr<void> owner_;
    AnyStepper& stepper_;
    decltype(make_recorder(std::declval<AnyModel>(), Scheme(), 0.0)) recorder_;
    const Observer* observer_ = nullptr;
    SwitchFinder switches_;
    bool is_begun_ = false;
    std::string refusal_;       // what a step threw
    bool is_sampled_ = false;   // the last step
    bool owes_sample_ = false;  // it is due, and an exception came before it was read
    bool is_broken_ = false;
    bool is_kept_ = false;  // last_ is what was reached before the step that is made
    double step_seconds_ = std::numeric_limits<double>::infinity();
    Sample sample_;       // the last one, whose values are those of the recorder
    int iterations_ = 0;  // of the worst step since the last sample
    RunReport report_;
    std::optional<Last> last_;
};

template <class AnyModel>
RunReport run_model(const TimeStepping& options, const AnyModel& model, const Observer& observer) {
    model.check();
    options.check(model.t0);
    const long count = options.step_count(model.t0);
    OngoingRun<AnyModel> run(model, options.scheme_for(model),
                             {.h = (options.t_end - model.t0) / static_cast<double>(count),
                              .record_every = options.record_every,
                              .on_failure = options.on_failure});
    run.advance(count, observer);
    return run.report();
}

template <class AnyModel>
Simulation simulate_model(const AnyModel& model, const TimeStepping& options) {
    Simulation result;
    model.check();
    TimeStepping chosen = options;
    chosen.scheme = options.scheme_for(model);
    result.trajectory.channels = channel_names(model, *chosen.scheme);
    chosen.check(model.t0);
    result.trajectory.reserve(chosen.step_count(model.t0) / chosen.record_every + 2);
    const Observer observer{.sample = [&](const Sample& sample) { result.trajectory.add(sample); },
                            .switched = [&](const Switch& s) { result.trajectory.switches.push_back(s); },
                            .impact = [&](const Impact& impact) { result.trajectory.impacts.push_back(impact); },
                            .event = [&](const Event& event) { result.trajectory.events.push_back(event); }};
    result.report = chosen.run(model, observer);
    return result;
}

}  // namespace

template <class AnyModel>
OngoingRun<AnyModel>::OngoingRun(const AnyModel& model, const Scheme& scheme, const OngoingOptions& options) {
    using AnyStepper = decltype(make_stepper(model, scheme, options.h));
    const std::shared_ptr<AnyStepper> owner(new AnyStepper(make_stepper(model, scheme, options.h)));
    std::visit(
        [&]<class Stepper>(Stepper& stepper) {
            implementation_ = std::make_unique<Run<AnyModel, Stepper>>(model, scheme, options, stepper, owner);
        },
        *owner);
}
template <class AnyModel>
OngoingRun<AnyModel>::OngoingRun(OngoingRun&&) noexcept = default;
template <class AnyModel>
OngoingRun<AnyModel>& OngoingRun<AnyModel>::operator=(OngoingRun&&) noexcept = default;
template <class AnyModel>
OngoingRun<AnyModel>::~OngoingRun() = default;

template class OngoingRun<Model>;
template class OngoingRun<LagrangianModel>;

std::optional<OnFailure> on_failure_of(std::string_view name) {
    if (name == "stop") return OnFailure::stop;
    if (name == "continue") return OnFailure::take;
    if (name == "retry") return OnFailure::retry;
    return std::nullopt;
}

void TimeStepping::check(double t0) const {
    require(step > 0.0 && std::isfinite(step), "simulation: step is {}; it must be positive", step);
    require(std::isfinite(t_end) && t_end > t0, "simulation: t_end is {}; it must be after the beginning, t = {}",
            t_end, t0);
    require(record_every >= 1, "simulation: record_every is {}; it must be 1 or more", record_every);
    const double count = (t_end - t0) / step;
    require(count < 1e15, "simulation: step {} makes {} steps; take a larger one", step, count);
}

long TimeStepping::step_count(double t0) const {
    const double count = (t_end - t0) / step;
    return std::max(1L, static_cast<long>(std::ceil(count * (1.0 - 1e-12) - 1e-9)));
}

Scheme TimeStepping::scheme_for(const Model& model) const {
    return scheme ? *scheme : choose_scheme(model, diagnose(model)).scheme;
}

Scheme TimeStepping::scheme_for(const LagrangianModel&) const { return scheme.value_or(MoreauJean{}); }

RunReport TimeStepping::run(const Model& model, const Observer& observer) const {
    return run_model(*this, model, observer);
}

RunReport TimeStepping::run(const LagrangianModel& model, const Observer& observer) const {
    return run_model(*this, model, observer);
}

Simulation simulate(const Model& model, const TimeStepping& options) { return simulate_model(model, options); }

Simulation simulate(const LagrangianModel& model, const TimeStepping& options) {
    return simulate_model(model, options);
}

}  // namespace saltus
