#pragma once

#include <memory>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// The state of a model of this kind.
template <class AnyModel>
using StateOf = std::conditional_t<std::is_same_v<AnyModel, Model>, State, LagrangianState>;

// The options of TimeStepping, without the end.
struct OngoingOptions {
    double h = 0.0;  // the length of a step
    long record_every = 1;
    OnFailure on_failure = OnFailure::stop;
    long steps_before = 0;  // the steps of a run that this one continues: they count for record_every
    // Keeps what was reached before every step, so that an exception from a function of the model in the middle of a
    // step loses no more than that step. Costs a copy of the state and its sample per step. Before a long step it is
    // kept in any case, so that the step can be interrupted.
    bool keeps_last = false;
    Placement placement_before{};  // of a run that this one continues: what changed since is a switch
};

// A run that advances piece by piece, and may be inspected in between. AnyModel is Model or LagrangianModel.
template <class AnyModel>
class OngoingRun {
public:
    // Throws InvalidInput if the scheme does not suit the model, which must have passed its check().
    OngoingRun(const AnyModel& model, const Scheme& scheme, const OngoingOptions& options);
    OngoingRun(OngoingRun&&) noexcept;
    OngoingRun& operator=(OngoingRun&&) noexcept;
    ~OngoingRun();

    // Continues until `steps` steps have been made in total, from the beginning. Calls the observer as
    // TimeStepping::run does: with the state at the beginning, every record_every-th one and, unless samples_end is
    // false, the one where it stops.
    // An exception from a function or the observer passes through; the run has then failed, and can go on unless it
    // is_broken().
    void advance(long steps, const Observer& observer, bool samples_end = true) {
        implementation_->advance(steps, observer, samples_end);
    }

    long steps() const { return implementation_->steps(); }
    double t() const { return implementation_->t(); }
    void read(StateOf<AnyModel>& state) const { implementation_->read(state); }
    // The channels at this moment.
    Sample sample() { return implementation_->sample_now(); }
    // The report of the whole run up to now; how it ended is that of the last advance().
    const RunReport& report() const { return implementation_->report(); }
    // The work of the interactions up to now: the channel energy.interactions.
    double work() const { return implementation_->work(); }
    // The places of all rows, as the observer has been told.
    const Placement& placement() const { return implementation_->placement(); }
    // An exception or the observer ended a step in the middle. This run cannot go on, but a new one can start from its
    // state: after an interruption, or with keeps_last, everything above is as after the last complete step (a part of
    // a divided step does not count).
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
        virtual const Placement& placement() const = 0;
        virtual bool is_broken() const = 0;
    };

private:
    std::unique_ptr<Implementation> implementation_;
};

extern template class OngoingRun<Model>;
extern template class OngoingRun<LagrangianModel>;

}  // namespace saltus
