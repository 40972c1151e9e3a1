#include "python/bindings/session.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>

#include "saltus/core/check.hpp"
#include "saltus/integrators/scheme_choice.hpp"
#include "saltus/simulation/recorder.hpp"

namespace saltus::python {

namespace {

std::string settings_text(const ParameterValues& values) {
    std::string result;
    for (const auto& [name, value] : values) result += fmt::format("{}{}={}", result.empty() ? "" : ", ", name, value);
    return result;
}

// Running out of memory would end the process without a message.
void check_memory(long samples, std::size_t channels, long record_every) {
    const double needed = 8.0 * static_cast<double>(samples) * static_cast<double>(channels + 2);
    const double there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    require(needed < 0.8 * there,
            "simulation: {} samples of {} channels need {:.3g} GB of memory, and there are {:.3g}; give record_every, "
            "{} or more",
            samples, channels, 1e-9 * needed, 1e-9 * there,
            record_every * std::lround(std::ceil(needed / (0.2 * there))));
}

Scheme chosen_scheme(const Model& model, const TimeStepping& options, std::vector<std::string>& told) {
    const Diagnosis diagnosis = diagnose(model);
    const Scheme scheme = options.scheme ? *options.scheme : choose_scheme(model, diagnosis).scheme;
    told = warnings(model, diagnosis, scheme);
    return scheme;
}
Scheme chosen_scheme(const LagrangianModel& model, const TimeStepping& options, std::vector<std::string>&) {
    return options.scheme_for(model);
}

void warn_of_start(const Model&, const OngoingRun<Model>&, std::vector<std::string>&) {}
void warn_of_start(const LagrangianModel& model, const OngoingRun<LagrangianModel>& run,
                   std::vector<std::string>& told) {
    LagrangianState state;
    run.read(state);
    told = start_warnings(model, state);
}

}  // namespace

Session::Session(const Document& document, TimeStepping options, const ParameterValues& values)
    : document_(document.copy()), values_(document.values(values)), options_(std::move(options)) {
    const AnyModel model = document.build(values);
    std::visit([&](const auto& m) { begin(m); }, model);
}

template <class AnyModel>
void Session::begin(const AnyModel& model) {
    const auto start = std::chrono::steady_clock::now();
    options_.check(model.t0);
    total_ = options_.step_count(model.t0);
    h_ = (options_.t_end - model.t0) / static_cast<double>(total_);
    t_begin_ = model.t0;
    options_.scheme = chosen_scheme(model, options_, record_.warnings);
    require(!std::holds_alternative<EventDriven>(*options_.scheme) || document_->rough_functions().empty(),
            "{}: is a Python function, whose Jacobian is found by differences: too rough to locate events; decorate it "
            "with traced, write it as a text or an expression, or give sl.Function(f, jacobian=...)",
            document_->rough_functions().empty() ? "" : document_->rough_functions().front());
    run_.template emplace<Ongoing<AnyModel>>(model, OngoingRun<AnyModel>(model, *options_.scheme,
                                                                         {.h = h_,
                                                                          .record_every = options_.record_every,
                                                                          .on_failure = options_.on_failure,
                                                                          .keeps_last = document_->has_functions()}));
    warn_of_start(model, std::get<Ongoing<AnyModel>>(run_).run, record_.warnings);
    record_.names = result_names(model, *options_.scheme);
    record_.trajectory.channels = record_.names.channels;
    const long samples = total_ / options_.record_every + 2;
    check_memory(samples, record_.names.channels.size(), options_.record_every);
    record_.trajectory.reserve(samples);
    record_.parameters = document_->parameters(values_);
    record_.model_text = document_->text(values_);
    record_.summary = {.name = model.name,
                       .settings = settings_text(values_),
                       .scheme = describe(*options_.scheme),
                       .end = "running",
                       .step = h_,
                       .t_end = options_.t_end,
                       .t = model.t0};
    record_.summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Session::check_idle() const {
    if (is_busy_)
        throw std::runtime_error(
            "this simulation is under way: another thread, or a function that it calls, must wait "
            "for its end, or take a copy before");
}

Session::Turn::Turn(Session& session) : session_(session) {
    session_.check_idle();
    session_.is_busy_ = true;
}

Sample Session::with_work(const Sample& sample) {
    if (!is_mechanical() || work_before_ == 0.0) return sample;
    Sample result = sample;
    values_with_work_.assign(sample.values.begin(), sample.values.end());
    values_with_work_.back() += work_before_;  // energy.interactions is the last channel
    result.values = values_with_work_;
    return result;
}

Sample Session::sample() {
    return std::visit(
        [&](auto& ongoing) -> Sample {
            if constexpr (requires { ongoing.run; })
                return with_work(ongoing.run.sample());
            else
                return {};
        },
        run_);
}

void Session::advance(long steps, const GoesOn& goes_on, const SampleCallback& sample, bool samples_end) {
    const Turn turn(*this);
    mend();
    const auto start = std::chrono::steady_clock::now();
    Observer observer = record_.keep();
    bool is_ended = false;  // by the callback that sees the samples
    observer.sample = [&, keep = observer.sample](const Sample& s) {
        if (std::exchange(skips_first_, false)) return;
        const Sample told = with_work(s);
        keep(told);
        if (sample && !is_ended && !sample(told)) is_ended = true;
    };
    observer.goes_on = [&](double t, long) { return !is_ended && (!goes_on || goes_on(t)); };
    const auto note_time = [&] {
        record_.summary.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto make_steps = [&](auto& run) {
        const long target = run.steps() + steps;
        // A callback that sees the samples is asked after each; else the run asks when it is due.
        const long piece = sample ? 1 : steps;
        do {
            const long next = std::min(target, run.steps() + piece);
            run.advance(next, observer, samples_end && next == target);
        } while (run.steps() < target && !is_ended && run.report().end == RunReport::End::reached);
        note_end(run.report());
        if (is_ended) interrupt();
    };
    std::visit(
        [&](auto& ongoing) {
            if constexpr (requires { ongoing.run; }) {
                try {
                    make_steps(ongoing.run);
                } catch (...) {
                    note_exception(ongoing.run);
                    note_time();
                    throw;
                }
            }
        },
        run_);
    note_time();
}

bool Session::is_broken() const {
    return std::visit(
        [](const auto& ongoing) {
            if constexpr (requires { ongoing.run; })
                return ongoing.run.is_broken();
            else
                return false;
        },
        run_);
}

template <class AnyModel>
void Session::note_exception(OngoingRun<AnyModel>& run) {
    note_end(run.report());
    record_.summary.message.clear();
    record_.forget_after(run.t());
    record_end();
}

void Session::record_end() {
    const std::vector<double>& times = record_.trajectory.times;
    if (skips_first_ || (!times.empty() && times.back() >= t())) return;
    try {
        record_.keep().sample(sample());
    } catch (...) {  // what cannot be evaluated now is not recorded; the first exception tells more than this one
    }
}

void Session::interrupt() {
    record_end();
    record_.summary.end = to_string(RunReport::End::interrupted);
    record_.summary.message.clear();
}

void Session::fail(const std::string& message) {
    const Turn turn(*this);
    record_end();
    record_.summary.end = to_string(RunReport::End::failed);
    record_.summary.message = message;
}

void Session::mend() {
    if (!is_broken()) return;
    const bool is_interrupted = record_.summary.end == to_string(RunReport::End::interrupted);
    if (!document_->has_functions() && !is_interrupted)  // nothing was kept: no function could throw
        throw std::runtime_error(
            "an exception ended this simulation in the middle of a step; assign its state to go on from there");
    go_on_with(document_->build(values_));
}

void Session::go_on_with(AnyModel model) {
    const double done = memory().work;
    if (auto* mechanical = std::get_if<LagrangianModel>(&model)) {
        LagrangianState state;
        std::get<Ongoing<LagrangianModel>>(run_).run.read(state);
        begin_at(std::move(*mechanical), state, done);
    } else {
        State state;
        std::get<Ongoing<Model>>(run_).run.read(state);
        begin_at(std::get<Model>(std::move(model)), state, 0.0);
    }
}

void Session::note_end(const RunReport& report) {
    RunSummary& summary = record_.summary;
    summary.message.clear();
    summarise(report, summary);
    summary.steps += before_.steps;
    summary.switches += before_.switches;
    summary.impacts += before_.impacts;
    summary.events += before_.events;
    summary.unsolved += before_.unsolved;
    summary.retried += before_.retried;
    summary.worst_residual = std::max(summary.worst_residual, before_.worst_residual);
}

template <class AnyModel>
void Session::begin_at(AnyModel model, StateOf<AnyModel> state, double work) {
    if constexpr (std::is_same_v<AnyModel, LagrangianModel>)
        require(!std::holds_alternative<SchatzmanPaoli>(*options_.scheme),
                "{}: a step needs the two positions before it, so that a run cannot be changed on the way, copied, or "
                "continued after an exception; take moreau-jean",
                SchatzmanPaoli::name);
    // The times of samples are those of a run that was not changed.
    const double on_grid = t_begin_ + static_cast<double>(record_.summary.steps) * h_;
    if (std::abs(state.t - on_grid) < 1e-9 * h_) state.t = on_grid;
    AnyModel rest = starting_from(std::move(model), state);
    rest.check();
    Placement placement;
    if (const auto* ongoing = std::get_if<Ongoing<AnyModel>>(&run_)) placement = ongoing->run.placement();
    OngoingRun<AnyModel> run(rest, *options_.scheme,
                             {.h = h_,
                              .record_every = options_.record_every,
                              .on_failure = options_.on_failure,
                              .steps_before = record_.summary.steps,
                              .keeps_last = document_->has_functions(),
                              .placement_before = std::move(placement)});
    before_ = record_.summary;
    work_before_ = work;
    skips_first_ = true;  // the state is that of the model before
    run_.template emplace<Ongoing<AnyModel>>(std::move(rest), std::move(run));
}

void Session::change(const ParameterValues& values) {
    const Turn turn(*this);
    ParameterValues all = values_;
    all.insert(all.end(), values.begin(), values.end());
    go_on_with(document_->build(all));
    for (const auto& [name, value] : values) {
        std::erase_if(values_, [&, n = name](const auto& v) { return v.first == n; });
        values_.emplace_back(name, value);
    }
    record_.summary.settings = settings_text(values_);
}

void Session::set_state(double t, const Eigen::VectorXd& first, const Eigen::VectorXd& second, const Memory& memory) {
    const Turn turn(*this);
    AnyModel model = document_->build(values_);
    if (auto* mechanical = std::get_if<LagrangianModel>(&model))
        begin_at(std::move(*mechanical), LagrangianState{.t = t, .q = first, .v = second, .broken = memory.broken},
                 memory.work);
    else
        begin_at(std::get<Model>(std::move(model)), State{.t = t, .x = first}, 0.0);
    skips_first_ = false;
    if (record_.summary.steps > 0) return;
    record_.trajectory.times.clear();  // nothing has moved: the run begins here
    record_.trajectory.values.clear();
    record_.health = {};
    t_begin_ = t;
}

double Session::t() const {
    return std::visit(
        [](const auto& ongoing) {
            if constexpr (requires { ongoing.run; })
                return ongoing.run.t();
            else
                return 0.0;
        },
        run_);
}

long Session::steps() const { return record_.summary.steps; }

std::vector<std::pair<std::string, Eigen::VectorXd>> Session::state() const {
    if (is_mechanical()) {
        LagrangianState state;
        std::get<Ongoing<LagrangianModel>>(run_).run.read(state);
        return {{"q", state.q}, {"v", state.v}, {"P", state.P}};
    }
    State state;
    std::get<Ongoing<Model>>(run_).run.read(state);
    return {{"x", state.x}, {"lambda", state.lambda}, {"y", state.y}};
}

Session::Memory Session::memory() const {
    if (!is_mechanical()) return {};
    const auto& run = std::get<Ongoing<LagrangianModel>>(run_).run;
    LagrangianState state;
    run.read(state);
    return {state.broken, work_before_ + run.work()};
}

}  // namespace saltus::python
