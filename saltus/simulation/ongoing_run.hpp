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
    long steps_before = 0;  // that count for record_every: of a run which this one goes on
};

// A run that is made piece by piece, and may be looked at in between. AnyModel is Model or LagrangianModel.
template <class AnyModel>
class OngoingRun {
public:
    // Throws InvalidInput if the scheme does not suit the model, which must have passed its check().
    OngoingRun(const AnyModel& model, const Scheme& scheme, const OngoingOptions& options);
    OngoingRun(OngoingRun&&) noexcept;
    OngoingRun& operator=(OngoingRun&&) noexcept;
    ~OngoingRun();

    // Goes on until `steps` steps are made in all, from the beginning. Tells the observer as TimeStepping::run does:
    // the state at the beginning, every record_every-th one and, unless samples_end is false, the one where it stops.
    void advance(long steps, const Observer& observer, bool samples_end = true) {
        implementation_->advance(steps, observer, samples_end);
    }

    long steps() const { return implementation_->steps(); }
    double t() const { return implementation_->t(); }
    void read(StateOf<AnyModel>& state) const { implementation_->read(state); }
    // The channels now.
    Sample sample() { return implementation_->sample_now(); }
    // Of the whole run up to now; how it ended is that of the last advance().
    const RunReport& report() const { return implementation_->report(); }
    // Of the interactions, up to now: the channel energy.interactions.
    double work() const { return implementation_->work(); }

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
    };

private:
    std::unique_ptr<Implementation> implementation_;
};

extern template class OngoingRun<Model>;
extern template class OngoingRun<LagrangianModel>;

}  // namespace saltus
