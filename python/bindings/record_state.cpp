#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <set>

#include "python/bindings/arguments.hpp"
#include "python/bindings/laws.hpp"
#include "python/bindings/record.hpp"
#include "saltus/core/check.hpp"

// A record as a dict of arrays, texts and lists, for pickle, and back.
namespace saltus::python {

namespace {

constexpr Argument pickled{"Run", "the pickled state"};

// An array with get(entry) of each entry.
template <class Number, class Entries, class Get>
py::array_t<Number> gathered(const Entries& entries, const Get& get) {
    py::array_t<Number> result(static_cast<py::ssize_t>(entries.size()));
    std::transform(entries.begin(), entries.end(), result.mutable_data(), get);
    return result;
}

py::array_t<double> array_of(const std::vector<double>& numbers) {
    return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

template <class Number>
std::vector<Number> numbers_of(const py::handle& value) {
    const auto array = py::cast<py::array_t<Number, py::array::c_style | py::array::forcecast>>(value);
    return {array.data(), array.data() + array.size()};
}

Eigen::VectorXd vector_of(const py::handle& value) {
    return to_vector(pickled, py::reinterpret_borrow<py::object>(value));
}

// The members of a struct side by side, one array each: make(k) is the entry of row k.
template <class Entry, class Make>
std::vector<Entry> rows_of(const py::dict& columns, const Make& make) {
    const auto t = numbers_of<double>(columns["t"]);
    std::vector<Entry> result;
    for (std::size_t k = 0; k < t.size(); ++k) result.push_back(make(k, t[k]));
    return result;
}

py::dict switch_columns(const std::vector<Switch>& switches) {
    py::dict result;
    result["t"] = gathered<double>(switches, [](const Switch& s) { return s.t; });
    result["interaction"] = gathered<std::int64_t>(switches, [](const Switch& s) { return s.interaction; });
    result["row"] = gathered<std::int64_t>(switches, [](const Switch& s) { return s.row; });
    result["from"] = gathered<int>(switches, [](const Switch& s) { return static_cast<int>(s.from); });
    result["to"] = gathered<int>(switches, [](const Switch& s) { return static_cast<int>(s.to); });
    return result;
}
std::vector<Switch> switches_of(const py::dict& columns) {
    const auto interaction = numbers_of<Index>(columns["interaction"]), row = numbers_of<Index>(columns["row"]);
    const auto from = numbers_of<int>(columns["from"]), to = numbers_of<int>(columns["to"]);
    return rows_of<Switch>(columns, [&](std::size_t k, double t) {
        return Switch{t, interaction.at(k), row.at(k), static_cast<Place>(from.at(k)), static_cast<Place>(to.at(k))};
    });
}

py::dict impact_columns(const std::vector<Impact>& impacts) {
    py::dict result;
    result["t"] = gathered<double>(impacts, [](const Impact& i) { return i.t; });
    result["interaction"] = gathered<std::int64_t>(impacts, [](const Impact& i) { return i.interaction; });
    result["before"] = gathered<double>(impacts, [](const Impact& i) { return i.before; });
    result["after"] = gathered<double>(impacts, [](const Impact& i) { return i.after; });
    result["percussion"] = gathered<double>(impacts, [](const Impact& i) { return i.percussion; });
    result["gap"] = gathered<double>(impacts, [](const Impact& i) { return i.gap; });
    return result;
}
std::vector<Impact> impacts_of(const py::dict& columns) {
    const auto interaction = numbers_of<Index>(columns["interaction"]);
    const auto before = numbers_of<double>(columns["before"]), after = numbers_of<double>(columns["after"]);
    const auto percussion = numbers_of<double>(columns["percussion"]), gap = numbers_of<double>(columns["gap"]);
    return rows_of<Impact>(columns, [&](std::size_t k, double t) {
        return Impact{t, interaction.at(k), before.at(k), after.at(k), percussion.at(k), gap.at(k)};
    });
}

py::list event_tuples(const std::vector<Event>& events) {
    py::list result;
    for (const Event& e : events)
        result.append(py::make_tuple(e.t, static_cast<int>(e.kind), e.interaction, e.row, copied_array(e.before),
                                     copied_array(e.after)));
    return result;
}
std::vector<Event> events_of(const py::list& tuples) {
    std::vector<Event> result;
    for (const py::handle entry : tuples) {
        const auto e = entry.cast<py::tuple>();
        result.push_back({e[0].cast<double>(), static_cast<Event::Kind>(e[1].cast<int>()), e[2].cast<Index>(),
                          vector_of(e[4]), vector_of(e[5]), e[3].cast<Index>()});
    }
    return result;
}

py::object problem_state(const StepProblem& problem) {
    if (const BoxVi* box = std::get_if<BoxVi>(&problem))
        return py::make_tuple(to_python(box->M), copied_array(box->q), copied_array(box->lower),
                              copied_array(box->upper));
    const auto& step = std::get<OneStepProblem>(problem);
    py::list laws;
    for (const Law& law : step.laws) std::visit([&](const auto& l) { laws.append(py::cast(l)); }, law);
    return py::make_tuple(to_python(Matrix(step.W.to_dense())), copied_array(step.q), laws);
}
StepProblem problem_of_state(const py::tuple& state) {
    const Matrix matrix = to_matrix(pickled, state[0]);
    if (state.size() == 4) return BoxVi{matrix, vector_of(state[1]), vector_of(state[2]), vector_of(state[3])};
    OneStepProblem problem;
    problem.laws = to_laws(pickled, state[2]);
    std::vector<int> sizes;
    for (const Law& law : problem.laws) sizes.push_back(dimension(law));
    problem.W = BlockMatrix(matrix, sizes);
    problem.q = vector_of(state[1]);
    return problem;
}

// The names of solvers are views of texts that live as long as the program.
std::string_view lasting_name(const std::string& name) {
    static std::set<std::string> names;
    return *names.insert(name).first;
}

py::list failure_states(const std::vector<FailedStep>& failures) {
    py::list result;
    for (const FailedStep& f : failures) {
        py::dict entry;
        entry["t"] = f.t;
        entry["where"] = f.where;
        entry["problem"] = problem_state(f.problem);
        entry["status"] = static_cast<int>(f.solve.status);
        entry["iterations"] = f.solve.iterations;
        entry["residual"] = f.solve.residual;
        entry["solver"] = std::string(f.solve.solver);
        entry["message"] = f.solve.message;
        entry["certificate"] = copied_array(f.solve.certificate);
        entry["is_taken"] = f.is_taken;
        entry["halvings"] = f.halvings;
        entry["is_at_event"] = f.is_at_event;
        result.append(entry);
    }
    return result;
}
std::vector<FailedStep> failures_of(const py::list& states) {
    std::vector<FailedStep> result;
    for (const py::handle state : states) {
        const auto entry = state.cast<py::dict>();
        result.push_back({.t = entry["t"].cast<double>(),
                          .where = entry["where"].cast<std::string>(),
                          .problem = problem_of_state(entry["problem"]),
                          .solve = {.status = static_cast<SolveStatus>(entry["status"].cast<int>()),
                                    .iterations = entry["iterations"].cast<int>(),
                                    .residual = entry["residual"].cast<double>(),
                                    .solver = lasting_name(entry["solver"].cast<std::string>()),
                                    .message = entry["message"].cast<std::string>(),
                                    .certificate = vector_of(entry["certificate"])},
                          .is_taken = entry["is_taken"].cast<bool>(),
                          .halvings = entry["halvings"].cast<int>(),
                          .is_at_event = entry["is_at_event"].cast<bool>()});
    }
    return result;
}

template <class Entry>
void restore(const py::dict& state, const char* name, Entry& entry) {
    entry = state[name].cast<Entry>();
}

RunSummary summary_of(const py::dict& state) {
    RunSummary s;
    restore(state, "name", s.name);
    restore(state, "settings", s.settings);
    restore(state, "scheme", s.scheme);
    restore(state, "end", s.end);
    restore(state, "message", s.message);
    restore(state, "step", s.step);
    restore(state, "t_end", s.t_end);
    restore(state, "t", s.t);
    restore(state, "steps", s.steps);
    restore(state, "switches", s.switches);
    restore(state, "impacts", s.impacts);
    restore(state, "events", s.events);
    restore(state, "unsolved", s.unsolved);
    restore(state, "retried", s.retried);
    restore(state, "worst_residual", s.worst_residual);
    restore(state, "seconds", s.seconds);
    return s;
}

}  // namespace

py::dict record_state(const Record& record) {
    const Trajectory& trajectory = record.trajectory;
    py::dict result;
    result["channels"] = py::cast(trajectory.channels);
    result["times"] = array_of(trajectory.times);
    result["values"] = array_of(trajectory.values);
    result["switches"] = switch_columns(trajectory.switches);
    result["impacts"] = impact_columns(trajectory.impacts);
    result["events"] = event_tuples(trajectory.events);
    result["residuals"] = array_of(record.health.residuals);
    result["iterations"] = gathered<int>(record.health.iterations, [](int count) { return count; });
    result["seconds"] = array_of(record.health.seconds);
    result["initial_places"] = gathered<int>(record.initial_places, [](Place p) { return static_cast<int>(p); });
    result["failures"] = failure_states(record.failures);
    result["names"] = py::make_tuple(record.names.channels, record.names.interactions, record.names.states);
    result["summary"] = summary(record);
    result["model_text"] = record.model_text;
    result["warnings"] = py::cast(record.warnings);
    result["parameters"] = py::cast(record.parameters);
    result["is_refused"] = record.is_refused;
    return result;
}

Record record_of_state(const py::dict& state) {
    Record record;
    Trajectory& trajectory = record.trajectory;
    restore(state, "channels", trajectory.channels);
    trajectory.times = numbers_of<double>(state["times"]);
    trajectory.values = numbers_of<double>(state["values"]);
    trajectory.switches = switches_of(state["switches"]);
    trajectory.impacts = impacts_of(state["impacts"]);
    trajectory.events = events_of(state["events"]);
    record.health = {numbers_of<double>(state["residuals"]), numbers_of<int>(state["iterations"]),
                     numbers_of<double>(state["seconds"])};
    for (const int place : numbers_of<int>(state["initial_places"]))
        record.initial_places.push_back(static_cast<Place>(place));
    record.failures = failures_of(state["failures"]);
    std::tie(record.names.channels, record.names.interactions, record.names.states) =
        state["names"].cast<std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<std::string>>>();
    record.summary = summary_of(state["summary"]);
    restore(state, "model_text", record.model_text);
    restore(state, "warnings", record.warnings);
    restore(state, "parameters", record.parameters);
    restore(state, "is_refused", record.is_refused);
    const std::size_t samples = trajectory.times.size();
    require(
        trajectory.values.size() == samples * trajectory.channels.size() && record.health.residuals.size() == samples,
        "Run: the pickled state is damaged: {} values of {} channels at {} times", trajectory.values.size(),
        trajectory.channels.size(), samples);
    return record;
}

}  // namespace saltus::python
