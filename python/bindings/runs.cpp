#include <pybind11/stl.h>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/definition.hpp"
#include "python/bindings/garbage.hpp"
#include "python/bindings/session.hpp"
#include "saltus/core/check.hpp"
#include "saltus/io/problem/problem_file.hpp"

// The classes Session and Record: what saltus.Simulation and saltus.Run are made of.
namespace saltus::python {

namespace {

// True while nobody has pressed Ctrl-C; asks `progress(t)`, if there is one, for the same.
Session::GoesOn goes_on(const py::object& progress, bool& is_interrupted) {
    return [&progress, &is_interrupted](double t) {
        const py::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) {
            const py::error_already_set signal;
            if (!signal.matches(PyExc_KeyboardInterrupt)) throw signal;
            is_interrupted = true;
            return false;
        }
        if (!progress.is_none()) progress(t);
        return true;
    };
}

// Calls observer(t, values) with every sample; it returns False to end the run.
Session::SampleCallback sample_callback(const py::object& observer) {
    if (observer.is_none()) return {};
    return [&observer](const Sample& sample) {
        const py::gil_scoped_acquire lock;
        const py::array_t<double> values(static_cast<py::ssize_t>(sample.values.size()), sample.values.data());
        return !observer(sample.t, values).is(py::bool_(false));
    };
}

// True if it was interrupted from the keyboard.
bool advance(Session& session, long steps, const py::object& progress, const py::object& observer, bool samples_end) {
    bool is_interrupted = false;
    const Session::GoesOn question = goes_on(progress, is_interrupted);
    const Session::SampleCallback callback = sample_callback(observer);
    try {
        const py::gil_scoped_release release;
        session.advance(steps, question, callback, samples_end);
    } catch (py::error_already_set& error) {  // Ctrl-C while a function of Python ran
        if (!error.matches(PyExc_KeyboardInterrupt)) throw;
        session.interrupt();
        is_interrupted = true;
    }
    return is_interrupted;
}

py::dict state_of(const Session& session) {
    session.check_idle();
    py::dict result;
    for (const auto& [name, value] : session.state()) result[py::str(name)] = copied_array(value);
    return result;
}

// The time and the values of the channels now.
py::tuple sample_now(Session& session) {
    session.check_idle();
    const Sample sample = session.sample();
    return py::make_tuple(sample.t,
                          py::array_t<double>(static_cast<py::ssize_t>(sample.values.size()), sample.values.data()));
}

// Arrays of a record share its memory, which is no longer changed.
py::array column(const std::vector<double>& values, const py::object& owner) {
    py::array result(py::dtype::of<double>(), {static_cast<py::ssize_t>(values.size())}, {}, values.data(), owner);
    result.attr("flags").attr("writeable") = false;
    return result;
}

py::array table(const py::object& self) {
    const auto& record = self.cast<const Record&>();
    const auto rows = static_cast<py::ssize_t>(record.trajectory.times.size());
    const auto cols = static_cast<py::ssize_t>(record.trajectory.channels.size());
    py::array result(py::dtype::of<double>(), {rows, cols}, {}, record.trajectory.values.data(), self);
    result.attr("flags").attr("writeable") = false;
    return result;
}

const std::string& interaction_name(const Record& record, Index k) {
    static const std::string none;
    const auto& names = record.names.interactions;
    return k >= 0 && k < std::ssize(names) ? names[static_cast<std::size_t>(k)] : none;
}

// Tuples, since they are many and short: (t, interaction, row, from, to).
py::list switches(const Record& record) {
    py::list result;
    for (const Switch& s : record.trajectory.switches)
        result.append(
            py::make_tuple(s.t, interaction_name(record, s.interaction), s.row, to_string(s.from), to_string(s.to)));
    return result;
}
py::list impacts(const Record& record) {
    py::list result;
    for (const Impact& i : record.trajectory.impacts)
        result.append(py::make_tuple(i.t, interaction_name(record, i.interaction), i.before, i.after, i.percussion));
    return result;
}
py::list events(const Record& record) {
    py::list result;
    for (const Event& e : record.trajectory.events)
        result.append(py::make_tuple(e.t, to_string(e.kind), interaction_name(record, e.interaction), e.row,
                                     copied_array(e.before), copied_array(e.after)));
    return result;
}
py::list failures(const Record& record) {
    py::list result;
    for (const FailedStep& f : record.failures) {
        py::dict entry;
        entry["t"] = f.t;
        entry["reason"] = f.reason();
        entry["where"] = f.where;
        entry["solver"] = std::string(f.solve.solver);
        entry["status"] = std::string(to_string(f.solve.status));
        entry["iterations"] = f.solve.iterations;
        entry["residual"] = f.solve.residual;
        entry["taken"] = f.is_taken;
        entry["halvings"] = f.halvings;
        result.append(entry);
    }
    return result;
}

}  // namespace

py::dict summary(const Record& record) {
    const RunSummary& s = record.summary;
    py::dict result;
    result["name"] = s.name;
    result["settings"] = s.settings;
    result["scheme"] = s.scheme;
    result["end"] = s.end;
    result["message"] = s.message;
    result["step"] = s.step;
    result["t_end"] = s.t_end;
    result["t"] = s.t;
    result["steps"] = s.steps;
    result["switches"] = s.switches;
    result["impacts"] = s.impacts;
    result["events"] = s.events;
    result["unsolved"] = s.unsolved;
    result["retried"] = s.retried;
    result["worst_residual"] = s.worst_residual;
    result["seconds"] = s.seconds;
    return result;
}

namespace {

py::dict parameters(const Record& record) {
    py::dict result;
    for (const auto& [name, value] : record.parameters) result[py::str(name)] = value;
    return result;
}

// The problem of the first step that could not be solved; False if there is none that a file can hold.
bool save_failed_problem(const Record& record, const std::string& path) {
    if (record.failures.empty()) return false;
    const std::optional<Problem> problem = to_file_problem(record.failures.front().problem);
    if (problem) write_problem(path, *problem);
    return problem.has_value();
}

// The same run with other samples.
Record of_points(const Record& record, const py::array_t<double>& times,
                 const py::array_t<double, py::array::c_style>& values) {
    Record result = record;
    const auto rows = static_cast<std::size_t>(times.size());
    require(values.size() == times.size() * std::ssize(record.trajectory.channels), "of_points: {} values for {} times",
            values.size(), times.size());
    result.trajectory.times.assign(times.data(), times.data() + rows);
    result.trajectory.values.assign(values.data(), values.data() + values.size());
    result.health = {.residuals = std::vector<double>(rows, std::numeric_limits<double>::quiet_NaN())};
    return result;
}

void bind_record(py::module_& module) {
    using py::arg;
    py::class_<Record> type(module, "Record", "The result of a run; see saltus.Run.");
    define_static(
        type, "read", [](const std::string& path) { return read_record(path); }, "That of a result file.", arg("path"));
    define_static(type, "of_points", of_points, "The same run with other samples.", arg("record"), arg("times"),
                  arg("values"));
    define_method(
        type, "write", [](const Record& record, const std::string& path) { write_record(record, path); },
        "Writes a result file.", arg("path"));
    define_method(
        type, "write_report",
        [](const Record& record, const std::string& path, std::vector<std::vector<std::string>> plots,
           std::vector<std::pair<std::string, std::string>> phases, double megabytes) {
            write_report(record, path, {.choice = {std::move(plots), std::move(phases)}, .megabytes = megabytes});
        },
        "Writes the page of saltus report.", arg("path"), arg("plots"), arg("phases"), arg("megabytes"));
    define_method(type, "save_failed_problem", save_failed_problem,
                  "Writes the problem of the first step that failed; False if there is none.", arg("path"));
    type.def(py::pickle(&record_state, &record_of_state));
    type.def_property_readonly("channels", [](const Record& r) { return r.trajectory.channels; })
        .def_property_readonly("interactions", [](const Record& r) { return r.names.interactions; })
        .def_property_readonly("states", [](const Record& r) { return r.names.states; })
        .def_property_readonly(
            "times", [](const py::object& self) { return column(self.cast<const Record&>().trajectory.times, self); })
        .def_property_readonly(
            "residuals",
            [](const py::object& self) { return column(self.cast<const Record&>().health.residuals, self); })
        .def_property_readonly("values", table)
        .def_property_readonly("switches", switches)
        .def_property_readonly("impacts", impacts)
        .def_property_readonly("events", events)
        .def_property_readonly("failures", failures)
        .def_property_readonly("summary", summary)
        .def_property_readonly("warnings", [](const Record& r) { return r.warnings; })
        .def_property_readonly("parameters", parameters)
        .def_property_readonly("is_refused", [](const Record& r) { return r.is_refused; })
        .def_property_readonly("model_text", [](const Record& r) { return r.model_text; });
}

const Document& document_of_session(const Session& session) { return session.document(); }

std::unique_ptr<Session> make_session(const Document& document, const py::dict& options, const std::string& on_failure,
                                      const ParameterValues& values) {
    TimeStepping stepping = document.options(to_table(options, "simulation"), values);
    const std::optional<OnFailure> known = on_failure_of(on_failure);
    require(known.has_value(), "on_failure is '{}'; it must be stop, continue or retry", on_failure);
    stepping.on_failure = *known;
    return std::make_unique<Session>(document, stepping, values);
}

void set_state(Session& session, double t, const py::object& first, const py::object& second, const IndexList& broken,
               double work) {
    session.set_state(t, to_vector({"Simulation", "state"}, first), to_vector({"Simulation", "state"}, second),
                      {broken, work});
}

}  // namespace

void bind_runs(py::module_& module) {
    using py::arg;
    bind_record(module);
    py::class_<Session> type(module, "Session", "A run that advances piece by piece; see saltus.Simulation.",
                             collects_functions<Session, document_of_session>());
    define_constructor(type, &make_session, arg("document"), arg("options"), arg("on_failure"), arg("values"));
    define_method(type, "advance", advance, "Makes steps; True if it was interrupted from the keyboard.", arg("steps"),
                  arg("progress"), arg("observer"), arg("samples_end") = true);
    define_method(type, "interrupt", &Session::interrupt, "Says that somebody ended the run.");
    define_method(type, "fail", &Session::fail, "Says that an exception ended the run, and which.", arg("message"));
    define_method(type, "change", &Session::change, "Continues with other values of parameters.", arg("values"));
    define_method(type, "set_state", set_state, "Continues from a state: x, or q and v; see memory().", arg("t"),
                  arg("first"), arg("second"), arg("broken"), arg("work"));
    define_method(
        type, "memory",
        [](const Session& session) {
            const Session::Memory memory = session.memory();
            return py::make_tuple(memory.broken, memory.work);
        },
        "In mechanics: the interactions whose cohesion is lost, and the work of the interactions.");
    define_method(type, "take_record", &Session::take_record, "What was recorded; the session is over.");
    type.def_property_readonly("total", &Session::total)
        .def_property_readonly("t", &Session::t)
        .def_property_readonly("h", &Session::h)
        .def_property_readonly("steps", &Session::steps)
        .def_property_readonly("is_mechanical", &Session::is_mechanical)
        .def_property_readonly("state", state_of)
        .def_property_readonly("channels", [](const Session& session) { return session.record().names.channels; })
        .def_property_readonly("end", [](const Session& session) { return session.record().summary.end; })
        .def_property_readonly("message", [](const Session& session) { return session.record().summary.message; })
        .def_property_readonly("sample", sample_now)
        .def_property_readonly("record", [](const Session& session) {
            session.check_idle();
            return Record(session.record());
        });
}

}  // namespace saltus::python
