#include "saltus/simulation/time_stepping.hpp"

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

constexpr long steps_between_questions = 4096;

// The number of steps, the last of which ends at t_end.
long step_count(const Model& model, const TimeStepping& options) {
    require(options.step > 0.0 && std::isfinite(options.step), "simulation: step is {}; it must be positive",
            options.step);
    require(std::isfinite(options.t_end) && options.t_end > model.t0,
            "simulation: t_end is {}; it must be after the beginning, t = {}", options.t_end, model.t0);
    require(options.record_every >= 1, "simulation: record_every is {}; it must be 1 or more", options.record_every);
    const double count = (options.t_end - model.t0) / options.step;
    require(count < 1e15, "simulation: step {} makes {} steps; take a larger one", options.step, count);
    return std::max(1L, static_cast<long>(std::ceil(count * (1.0 - 1e-12) - 1e-9)));
}

// Finds the rows that changed their place.
class SwitchFinder {
public:
    SwitchFinder(const Model& model, const Placement& placement) : placement_(placement) {
        for (Index k = 0; k < std::ssize(model.interactions); ++k)
            for (Index i = 0; i < model.interactions[static_cast<std::size_t>(k)].rows(); ++i) rows_.push_back({k, i});
    }
    void tell(double t, const Placement& placement, const Observer& observer) {
        for (std::size_t i = 0; i < placement.size(); ++i)
            if (placement[i] != placement_[i] && observer.switched)
                observer.switched({t, rows_[i].first, rows_[i].second, placement_[i], placement[i]});
        placement_ = placement;
    }

private:
    Placement placement_;
    std::vector<std::pair<Index, Index>> rows_;  // interaction and row
};

template <class AnyStepper>
RunReport run_steps(const Model& model, const TimeStepping& options, long count, AnyStepper& stepper,
                    const Observer& observer) {
    RunReport report;
    SwitchFinder switches(model, stepper.placement());
    State state;
    const double measured = options.scheme.measures ? stepper.h() : 1.0;
    const auto sample = [&] {
        stepper.read(state);
        if (stepper.steps() > 0)
            report.worst_residual = std::max(report.worst_residual, law_residual(model, state, measured));
        if (observer.sample) observer.sample(state);
    };
    sample();
    while (stepper.steps() < count) {
        const StepOutcome outcome = stepper.step();
        if (outcome == StepOutcome::failed) {
            report.end = RunReport::End::failed;
            report.problem = stepper.problem();
            report.solve = stepper.report();
            break;
        }
        if (outcome == StepOutcome::switched) {
            ++report.switches;
            switches.tell(stepper.t(), stepper.placement(), observer);
        }
        const long steps = stepper.steps();
        if (steps % options.record_every == 0 || steps == count) sample();
        if (steps % steps_between_questions == 0 && observer.goes_on && !observer.goes_on(stepper.t(), steps)) {
            report.end = RunReport::End::interrupted;
            break;
        }
    }
    report.t = stepper.t();
    report.steps = stepper.steps();
    return report;
}

}  // namespace

double law_residual(const Model& model, const State& state, double step_of_measures) {
    double worst = 0.0, scale = 1.0;
    Index at = 0;
    for (const Interaction& interaction : model.interactions)
        for (Index i = 0; i < interaction.rows(); ++i, ++at) {
            const Interval law = interaction.law_of(i);
            const Interval scaled{law.lower * step_of_measures, law.upper * step_of_measures};
            const double lambda = state.lambda[at], y = state.y[at];
            worst = std::max(worst, std::abs(lambda - scaled.project(lambda - y)));
            scale = std::max({scale, std::abs(lambda), std::abs(y)});
        }
    return worst / scale;
}

RunReport TimeStepping::run(const Model& model, const Observer& observer) const {
    model.check();
    const long count = step_count(model, *this);
    Stepper stepper = make_stepper(model, scheme, (t_end - model.t0) / static_cast<double>(count));
    return std::visit([&](auto& s) { return run_steps(model, *this, count, s, observer); }, stepper);
}

Simulation simulate(const Model& model, const TimeStepping& options) {
    Simulation result;
    result.trajectory.channels = channel_names(model, options.scheme.measures);
    const Observer observer{.sample = [&](const State& state) { result.trajectory.add(state); },
                            .switched = [&](const Switch& s) { result.trajectory.switches.push_back(s); }};
    result.report = options.run(model, observer);
    return result;
}

}  // namespace saltus
