#pragma once

#include <atomic>
#include <optional>

#include "python/bindings/document.hpp"
#include "python/bindings/record.hpp"
#include "saltus/simulation/ongoing_run.hpp"

namespace saltus::python {

// A run of a document that advances piece by piece: what it recorded, and what it needs to continue. Another model, of
// the same document with other parameters, may take over between two pieces.
class Session {
public:
    // Chooses the scheme where `options` has none. `t_end` beyond the beginning makes the steps a little shorter, so
    // that one ends there; without it they have the length that the options say.
    Session(const Document& document, TimeStepping options, const ParameterValues& values);

    // Asked some fifty times a second with the time, without the interpreter lock; false ends the run.
    using GoesOn = std::function<bool(double t)>;
    // Called with every sample, without the interpreter lock; false ends the run.
    using SampleCallback = std::function<bool(const Sample& sample)>;

    // Makes up to `steps` steps. The state where it stops is recorded if it is its turn, or if samples_end is true.
    // After an exception, which passes through, the run has failed; it is at the last step that was made, which is
    // recorded, and goes on from there.
    void advance(long steps, const GoesOn& goes_on, const SampleCallback& sample, bool samples_end);
    // Says that somebody ended the run.
    void interrupt();
    // Says that an exception ended the run, and which.
    void fail(const std::string& message);
    // Continues with other values of parameters.
    void change(const ParameterValues& values);
    // Continues from a state, the stacked x, or q and v; in mechanics also the interactions whose cohesion is lost, and
    // the work of the interactions.
    struct Memory {
        IndexList broken{};
        double work = 0.0;
    };
    void set_state(double t, const Eigen::VectorXd& first, const Eigen::VectorXd& second, const Memory& memory);
    Memory memory() const;

    // Steps from the beginning to t_end of the options.
    long total() const { return total_; }
    double t() const;
    double h() const { return h_; }
    long steps() const;
    bool is_mechanical() const { return std::holds_alternative<Ongoing<LagrangianModel>>(run_); }
    // The stacked x, or q and v.
    std::vector<std::pair<std::string, Eigen::VectorXd>> state() const;
    // The channels now.
    Sample sample();

    // Throws std::runtime_error while a run is under way: neither another thread nor a function that it calls may touch
    // it. Readers call it with the interpreter lock, without which no run begins.
    void check_idle() const;

    const Document& document() const { return *document_; }
    const Record& record() const { return record_; }
    // What was recorded, to be kept elsewhere; the session ends.
    Record take_record() { return std::move(record_); }

private:
    template <class AnyModel>
    struct Ongoing {
        AnyModel model;
        OngoingRun<AnyModel> run;
    };
    template <class AnyModel>
    void begin(const AnyModel& model);
    // Continues from the present state with another model.
    void go_on_with(AnyModel model);
    // Restarts from a state, with the model of the present parameters.
    template <class AnyModel>
    void begin_at(AnyModel model, StateOf<AnyModel> state, double work);
    void note_end(const RunReport& report);
    // What is known of the run is that of its last step, whatever was recorded since.
    template <class AnyModel>
    void note_exception(OngoingRun<AnyModel>& run);
    // Records the state where the run is, unless it is recorded.
    void record_end();
    // Replaces what an exception left in the middle of a step.
    void mend();
    bool is_broken() const;
    // The sample of a model that took over: energy.interactions continues from where it was.
    Sample with_work(const Sample& sample);

    // A run is under way while it lives.
    class Turn {
    public:
        explicit Turn(Session& session);
        ~Turn() { session_.is_busy_ = false; }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        Session& session_;
    };

    std::unique_ptr<const Document> document_;  // a copy: later changes of the caller's document do not affect the run
    ParameterValues values_;
    TimeStepping options_;
    double t_begin_ = 0.0, h_ = 0.0;
    long total_ = 0;
    std::variant<std::monostate, Ongoing<Model>, Ongoing<LagrangianModel>> run_;
    RunSummary before_{};       // of the models before the present one
    double work_before_ = 0.0;  // of the interactions
    bool skips_first_ = false;  // sample, which the model before has reported
    std::vector<double> values_with_work_{};
    std::atomic<bool> is_busy_{false};
    Record record_;
};

}  // namespace saltus::python
