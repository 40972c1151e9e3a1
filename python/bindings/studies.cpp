#include <pybind11/stl.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "python/bindings/session.hpp"
#include "saltus/core/check.hpp"
#include "saltus/simulation/maps.hpp"

// Many runs on all cores: what saltus.sweep and the maps are made of.
namespace saltus::python {

namespace {

// A run, and what is kept of it.
struct Task {
    std::shared_ptr<const Document> document;  // a copy: that of the caller may change
    toml::table entries;                       // of [simulation]
    ParameterValues values;
    std::string kind;     // "run", "final", "stroboscopic", "poincare", "impact-map"
    toml::table numbers;  // period and transient, which may be expressions of the parameters
    Section section{};

    double number(const char* key, double otherwise) const {
        const toml::node* node = numbers.get(key);
        return node ? document->number(key, *node, values) : otherwise;
    }
};

// Whether to continue, asked by many threads.
class Stop {
public:
    void set() { is_set_ = true; }
    bool goes_on() const { return !is_set_; }

private:
    std::atomic<bool> is_set_{false};
};

template <class AnyModel>
MapPoints map_of(const AnyModel& model, const TimeStepping& options, const Task& task, const MapRun& run) {
    if (task.kind == "stroboscopic") {
        const double period = task.number("period", 0.0);
        require(period > 0.0 && std::isfinite(period), "period is {}; it must be positive", period);
        return stroboscopic_map(model, options, period, run);
    }
    if (task.kind == "poincare") return poincare_map(model, options, task.section, run);
    if constexpr (std::is_same_v<AnyModel, LagrangianModel>)
        if (task.kind == "impact-map") return impact_map(model, options, run);
    require(task.kind == "final", "record '{}': a first-order model has no impacts; take stroboscopic or poincare",
            task.kind);
    MapRun last = run;
    last.from = options.t_end;
    return stroboscopic_map(model, options, options.t_end - model.t0, last);
}

// After an exception, which passes through, the record is that of the run up to there.
void whole_run(const Task& task, const TimeStepping& options, const Stop& stop, Record& record) {
    Session session(*task.document, options, task.values);
    try {
        session.advance(
            session.total(), [&](double) { return stop.goes_on(); }, {}, true);
    } catch (...) {
        record = session.take_record();
        throw;
    }
    record = session.take_record();
}

template <class AnyModel>
void points_of(const AnyModel& model, TimeStepping options, const Task& task, const Stop& stop, Record& record) {
    options.scheme = options.scheme_for(model);
    const MapRun run{.from = task.number("transient", model.t0),
                     .goes_on = [&](double, long) { return stop.goes_on(); }};
    MapPoints points = map_of(model, options, task, run);
    record.trajectory = std::move(points.points);
    record.names = result_names(model, *options.scheme);
    if (record.trajectory.channels.empty()) record.trajectory.channels = record.names.channels;
    record.health = {.residuals =
                         std::vector<double>(record.trajectory.times.size(), std::numeric_limits<double>::quiet_NaN())};
    record.summary = {
        .name = model.name, .scheme = describe(*options.scheme), .step = options.step, .t_end = options.t_end};
    summarise(points.report, record.summary);
}

// A mistake of one set of values ends that run alone.
void compute(const Task& task, const Stop& stop, Record& record) {
    try {
        const TimeStepping options = task.document->options(task.entries, task.values);
        if (task.kind == "run") return whole_run(task, options, stop, record);
        const AnyModel any = task.document->build(task.values);
        std::visit([&](const auto& model) { points_of(model, options, task, stop, record); }, any);
    } catch (const InvalidInput& error) {
        record = {.is_refused = true};
        record.summary.end = "failed";
        record.summary.message = error.what();
    }
}

// Ctrl-C ends the runs, which keep what was computed.
void rethrow_unless_interrupt(const std::exception_ptr& signal) {
    const py::gil_scoped_acquire lock;
    try {
        std::rethrow_exception(signal);
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    }
}

// The exception that ended the runs, and the task in which it came.
struct Failure {
    std::exception_ptr exception{};
    std::size_t task = 0;
};

// Fills in the records of the tasks. Asks for signals and shows progress in the thread that calls. An exception from a
// function of a model ends all runs.
Failure compute_all(const std::vector<Task>& tasks, std::size_t threads, const py::object& progress,
                    std::vector<Record>& records) {
    Stop stop;
    std::atomic<long> done{0};
    Failure failure;
    std::mutex mutex;
    std::condition_variable finished;
    bool is_finished = false;
    std::thread work([&] {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        tbb::parallel_for(std::size_t{0}, tasks.size(), [&](std::size_t k) {
            try {
                if (stop.goes_on()) compute(tasks[k], stop, records[k]);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure.exception) failure = {std::current_exception(), k};
                stop.set();
            }
            ++done;
        });
        const std::lock_guard lock(mutex);
        is_finished = true;
        finished.notify_all();
    });
    std::exception_ptr signal;
    while (true) {
        {
            std::unique_lock lock(mutex);
            if (finished.wait_for(lock, std::chrono::milliseconds(20), [&] { return is_finished; })) break;
        }
        const py::gil_scoped_acquire lock;
        try {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            if (!progress.is_none()) progress(done.load());
        } catch (...) {
            if (!signal) signal = std::current_exception();
            stop.set();
        }
    }
    work.join();
    for (Record& record : records)
        if (record.summary.end.empty()) record.summary.end = "interrupted";
    if (signal) rethrow_unless_interrupt(signal);
    return failure;
}

py::list to_list(std::vector<Record>&& records) {
    py::list result;
    for (Record& record : records) result.append(py::cast(std::move(record)));
    return result;
}

Task to_task(const py::handle& entry, std::map<const Document*, std::shared_ptr<const Document>>& copies) {
    const auto [document, options, values, kind, numbers, section, value] =
        entry
            .cast<std::tuple<const Document*, py::dict, ParameterValues, std::string, py::dict, std::string, double>>();
    std::shared_ptr<const Document>& copy = copies[document];
    if (!copy) copy = document->copy();
    return {copy, to_table(options, "simulation"), values, kind, to_table(numbers, "sweep"), {section, value}};
}

// The records, an exception that ended them or None, and the index of the run in which it came.
std::tuple<py::list, py::object, std::size_t> study(const py::list& entries, int threads, const py::object& progress) {
    require(threads >= 0, "threads is {}; it must be 1 or more, or 0 for all cores", threads);
    std::vector<Task> tasks;
    std::map<const Document*, std::shared_ptr<const Document>> copies;
    for (const py::handle entry : entries) tasks.push_back(to_task(entry, copies));
    // Functions of Python run one at a time: more threads would only wait for each other.
    const bool is_python = std::ranges::any_of(tasks, [](const Task& task) { return task.document->has_functions(); });
    const std::size_t all = is_python ? 1 : std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = threads > 0 ? static_cast<std::size_t>(threads) : all;
    std::vector<Record> records(tasks.size());
    Failure failure;
    {
        const py::gil_scoped_release release;
        failure = compute_all(tasks, count, progress, records);
    }
    if (!failure.exception) return {to_list(std::move(records)), py::none(), failure.task};
    try {
        std::rethrow_exception(failure.exception);
    } catch (const py::error_already_set& error) {
        RunSummary& summary = records[failure.task].summary;
        summary.end = to_string(RunReport::End::failed);
        const py::bytes text = py::str(error.value()).attr("encode")("utf-8", "replace");  // any text can be raised
        summary.message = fmt::format("ended at t = {:.12g} by {}: {}", summary.t,
                                      std::string(py::str(error.type().attr("__name__"))), std::string(text));
        return {to_list(std::move(records)), error.value(), failure.task};
    }
}

}  // namespace

void bind_studies(py::module_& module) {
    define(module, "study", study, "Runs tasks on several cores; see saltus.sweep.", py::arg("tasks"),
           py::arg("threads"), py::arg("progress"));
}

}  // namespace saltus::python
