#pragma once

#include <memory>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// What moves in a model of this kind.
template <class AnyModel>
using StateOf = std::conditional_t<std::is_same_v<AnyModel, Model>, State, LagrangianState>;

// The options of TimeStepping, without the end.
struct OngoingOptions {
    double h = 0.0;  // the length of a step
    long record_every = 1;
    OnFailure on_failure = OnFailure::stop;
    long steps_before = 0;  // that count for record_every: those of a run which this one continues
    // Keeps what was reached before every step, so that an exception of a function of the model in the middle of a step
    // loses no more than that step. Costs a copy of the state and its sample per step.
    bool keeps_last = false;
};

// A run that advances piece by piece, and may be looked at in between. AnyModel is Model or LagrangianModel.
template <class AnyModel>
class OngoingRun {
public:
    // Throws InvalidInput if the scheme does not suit the model, which must have passed its check().
    OngoingRun(const AnyModel& model, const Scheme& scheme, const OngoingOptions& options);
    OngoingRun(OngoingRun&&) noexcept;
    OngoingRun& operator=(OngoingRun&&) noexcept;
    ~OngoingRun();

    // Continues until `steps` steps are made in total, from the beginning. Calls the observer as TimeStepping::run
    // does: the state at the beginning, every record_every-th one and, unless samples_end is false, the one where it
    // stops.
    // An exception of a function or of the observer passes through; the run has then failed, and can go on unless it
    // is_broken().
    void advance(long steps, const Observer& observer, bool samples_end = true) {
        implementation_->advance(steps, observer, samples_end);
    }

    long steps() const { return implementation_->steps(); }
    double t() const { return implementation_->t(); }
    void read(StateOf<AnyModel>& state) const { implementation_->read(state); }
    // The channels now.
    Sample sample() { return implementation_->sample_now(); }
    // The report of the whole run up to now; how it ended is that of the last advance().
    const RunReport& report() const { return implementation_->report(); }
    // The work of the interactions up to now: the channel energy.interactions.
    double work() const { return implementation_->work(); }
    // An exception came in the middle of a step. The run cannot go on, but another one from its state can: with
    // keeps_last everything above is that of the last step that was made (a part of a divided step does not count).
    bool is_broken() const { return implementation_->is_broken(); }

    class Implementation {
    public:
        virtual ~Implementation() = default;
        virtual void advance(long steps, const Observer& observer, bool samples_end) = 0;
        virtual Sample sample_now() = 0;
        virtual long steps() const = 0;
        virtual double t() const = 0;
        virtual double work() const = 0;
        virtual void read(StateOf<AnyModel>& state) const = 0;
        virtual const RunReport& report() const = 0;
        virtual bool is_broken() const = 0;
    };

private:
    std::unique_ptr<Implementation> implementation_;
};

extern template class OngoingRun<Model>;
extern template class OngoingRun<LagrangianModel>;

}  // namespace saltus
