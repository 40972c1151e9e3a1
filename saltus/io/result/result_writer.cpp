#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "saltus/core/check.hpp"
#include "saltus/io/file_lock.hpp"
#include "saltus/io/hdf5_turn.hpp"
#include "saltus/io/result/hdf5_column.hpp"
#include "saltus/io/result/hdf5_text.hpp"
#include "saltus/io/result/result_file.hpp"
#include "saltus/io/result/result_layout.hpp"
#include "saltus/io/result/stopwatch.hpp"

namespace saltus {

namespace {

// A place for a new file. Refuses to overwrite what is not a result.
FileLock reserve(const std::filesystem::path& path) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(path, error), is_file = std::filesystem::is_regular_file(path, error),
               is_result = is_file && (std::filesystem::file_size(path, error) == 0 || is_result_file(path));
    FileLock lock;
    if (!is_there || is_file) lock = FileLock::alone(path);  // first: a run that begins has no result yet
    require(!is_there || is_result, "{}: exists and is not a result file; name another file, or delete this one",
            path.string());
    return lock;
}

int descriptor_of(const Hdf5File& file) {
    void* descriptor = nullptr;
    return H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) >= 0 ? *static_cast<int*>(descriptor) : -1;
}

// Reserves the room for a flush: HDF5 continues after a write that fails, and counts rows that are not there. False
// if the disk is full.
bool has_room(const Hdf5File& file) {
    constexpr off_t for_indices = 1 << 16;  // bytes that HDF5 asks for while it flushes
    haddr_t end = 0;
    struct stat status {};
    const int descriptor = descriptor_of(file);
    if (H5Fget_eoa(file.id(), &end) < 0 || ::fstat(descriptor, &status) != 0) return false;
    const off_t missing = static_cast<off_t>(end) + for_indices - status.st_size;
    return missing <= 0 || ::posix_fallocate(descriptor, status.st_size, missing) == 0;
}

// The disk is full: what HDF5 still has buffered would make rows that were never written part of the file. It is
// discarded; the file stays as it was last flushed.
void abandon(const Hdf5File& file) {
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC), descriptor = descriptor_of(file);
    if (nowhere >= 0 && descriptor >= 0) ::dup2(nowhere, descriptor);
    if (nowhere >= 0) ::close(nowhere);
}

// A name that tells runs into the same file apart.
std::string new_identity() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

Hdf5Group group_of(hid_t place, const char* name) {
    return Hdf5Group(H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (int kind = 0; kind <= static_cast<int>(layout::last_kind); ++kind)
        names.emplace_back(to_string(static_cast<Event::Kind>(kind)));
    return names;
}

template <class Value>
bool write_attribute(hid_t place, const char* name, const Value& value) {
    H5Adelete(place, name);  // fails where there is none yet
    const Hdf5Space space(H5Screate(H5S_SCALAR));
    if constexpr (std::is_same_v<Value, std::string>) {
        const Hdf5Type type = hdf5_text_type(value.size() + 1);
        const Hdf5Attribute attribute(H5Acreate2(place, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
        return H5Awrite(attribute.id(), type.id(), value.c_str()) >= 0;
    } else {
        const Hdf5Attribute attribute(
            H5Acreate2(place, name, hdf5_type<Value>(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
        return H5Awrite(attribute.id(), hdf5_type<Value>(), &value) >= 0;
    }
}

bool write_summary(hid_t place, const RunSummary& summary) {
    bool is_written = true;
    visit_summary(summary, [&](const char* key, const auto& value) {
        is_written = write_attribute(place, key, value) && is_written;
    });
    return is_written;
}

// Files that can be read while they are written need the newer formats of HDF5's own structures.
Hdf5File create_file(const std::string& path) {
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_file_locking(access.id(), false, true);  // it is locked already
    return Hdf5File(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()));
}

// A chunk of values of 64 KiB, or one row of many channels.
std::size_t rows_of_chunk(std::size_t width) { return std::max<std::size_t>(1, 8192 / width); }
constexpr std::size_t event_rows = 256;
std::size_t rows_of_states(std::size_t width) { return std::min(event_rows, rows_of_chunk(width)); }

}  // namespace

struct ResultWriter::File {
    std::string name;
    FileLock lock;
    Hdf5File file;
    Hdf5Group summary, switches, impacts, events, failures;
    Stopwatch stopwatch;
    Hdf5Column<double> t, values, residual, seconds;
    Hdf5Column<int> iterations, initial;
    Hdf5Column<double> switch_t;
    Hdf5Column<int> switch_interaction, switch_row, switch_from, switch_to;
    Hdf5Column<double> impact_t, impact_before, impact_after, impact_percussion;
    Hdf5Column<int> impact_interaction;
    Index states;
    Hdf5Column<double> event_t, event_before, event_after;
    Hdf5Column<int> event_kind, event_interaction, event_row;
    Hdf5Column<double> failure_t, failure_residual;
    Hdf5Column<int> failure_iterations, failure_taken, failure_halvings;
    std::vector<std::string> failure_messages;

    File(const std::string& path, std::size_t width, std::size_t states_of_model, FileLock reserved)
        : name(path),
          lock(std::move(reserved)),
          file(create_file(path)),
          summary(group_of(file.id(), layout::summary)),
          switches(group_of(file.id(), layout::switches)),
          impacts(group_of(file.id(), layout::impacts)),
          events(group_of(file.id(), layout::events)),
          failures(group_of(file.id(), layout::failures)),
          t(file.id(), layout::t, rows_of_chunk(width)),
          values(file.id(), layout::values, rows_of_chunk(width), width),
          residual(file.id(), layout::residual, rows_of_chunk(width)),
          seconds(file.id(), layout::seconds, rows_of_chunk(width)),
          iterations(file.id(), layout::iterations, rows_of_chunk(width)),
          initial(switches.id(), layout::initial, event_rows),
          switch_t(switches.id(), "t", event_rows),
          switch_interaction(switches.id(), "interaction", event_rows),
          switch_row(switches.id(), "row", event_rows),
          switch_from(switches.id(), "from", event_rows),
          switch_to(switches.id(), "to", event_rows),
          impact_t(impacts.id(), "t", event_rows),
          impact_before(impacts.id(), "before", event_rows),
          impact_after(impacts.id(), "after", event_rows),
          impact_percussion(impacts.id(), "percussion", event_rows),
          impact_interaction(impacts.id(), "interaction", event_rows),
          states(static_cast<Index>(states_of_model)),
          event_t(events.id(), "t", event_rows),
          event_before(events.id(), "before", rows_of_states(states_of_model), states_of_model),
          event_after(events.id(), "after", rows_of_states(states_of_model), states_of_model),
          event_kind(events.id(), "kind", event_rows),
          event_interaction(events.id(), "interaction", event_rows),
          event_row(events.id(), "row", event_rows),
          failure_t(failures.id(), "t", event_rows),
          failure_residual(failures.id(), "residual", event_rows),
          failure_iterations(failures.id(), "iterations", event_rows),
          failure_taken(failures.id(), "taken", event_rows),
          failure_halvings(failures.id(), "halvings", event_rows) {}

    void require_written(bool is_written) const {
        if (!is_written) abandon(file);
        require(is_written, "{}: cannot be written; is the disk full?", name);
    }

    // Writes one column if its buffer is full.
    template <class Value>
    void put(Hdf5Column<Value>& column, Value value) {
        if (column.add(value)) write(column);
    }
    void put(Hdf5Column<double>& column, std::span<const double> row) {
        column.add(row.data(), row.size());
        if (column.end_row()) write(column);
    }
    template <class Value>
    void write(Hdf5Column<Value>& column) {
        const Hdf5Turn turn;
        require_written(column.write());
    }

    void flush() {
        const Hdf5Turn turn;
        bool is_written = true;
        for (Hdf5Column<double>* column :
             {&t, &values, &residual, &seconds, &switch_t, &impact_t, &impact_before, &impact_after, &impact_percussion,
              &event_t, &event_before, &event_after, &failure_t, &failure_residual})
            is_written &= column->write();
        for (Hdf5Column<int>* column :
             {&iterations, &initial, &switch_interaction, &switch_row, &switch_from, &switch_to, &impact_interaction,
              &event_kind, &event_interaction, &event_row, &failure_iterations, &failure_taken, &failure_halvings})
            is_written &= column->write();
        require_written(is_written && has_room(file) && H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0);
    }

    // From here on others can read what was flushed, and nothing can be created in the file.
    void begin_sharing() {
        flush();
        const Hdf5Turn turn;
        require_written(H5Fstart_swmr_write(file.id()) >= 0);
        lock.share();
    }
};

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultNames& names, const std::string& text,
                           const RunSummary& summary) {
    require(!names.channels.empty() && !names.states.empty(), "{}: a result has channels and states", path.string());
    FileLock lock = reserve(path);
    {
        const Hdf5Turn turn;
        file_ = std::make_unique<File>(path.string(), names.channels.size(), names.states.size(), std::move(lock));
        require(file_->file.is_open(), "{}: cannot be written; does the folder exist, and may you write in it?",
                path.string());
        write_attribute(file_->file.id(), layout::format_key, std::string(layout::format));
        write_attribute(file_->file.id(), layout::version_key, layout::version);
        write_attribute(file_->file.id(), layout::run, new_identity());
        file_->require_written(write_texts(file_->file.id(), layout::channels, names.channels) &&
                               write_texts(file_->file.id(), layout::interactions, names.interactions) &&
                               write_texts(file_->file.id(), layout::model, {text}) &&
                               write_texts(file_->events.id(), "kinds", kind_names()) &&
                               write_texts(file_->events.id(), "states", names.states) &&
                               write_summary(file_->summary.id(), summary));
    }
    file_->begin_sharing();
}

ResultWriter::~ResultWriter() {
    if (!file_) return;
    const Hdf5Turn turn;
    file_.reset();
}

void ResultWriter::begins(const Placement& placement) {
    for (const Place place : placement) file_->put(file_->initial, static_cast<int>(place));
}

void ResultWriter::sample(const Sample& sample, std::optional<double> seconds) {
    file_->put(file_->t, sample.t);
    file_->put(file_->residual, sample.residual);
    file_->put(file_->iterations, sample.iterations);
    file_->put(file_->seconds, seconds ? *seconds : file_->stopwatch.seconds());
    file_->put(file_->values, sample.values);
}

void ResultWriter::switched(const Switch& change) {
    file_->put(file_->switch_t, change.t);
    file_->put(file_->switch_interaction, static_cast<int>(change.interaction));
    file_->put(file_->switch_row, static_cast<int>(change.row));
    file_->put(file_->switch_from, static_cast<int>(change.from));
    file_->put(file_->switch_to, static_cast<int>(change.to));
}

void ResultWriter::impact(const Impact& impact) {
    file_->put(file_->impact_t, impact.t);
    file_->put(file_->impact_interaction, static_cast<int>(impact.interaction));
    file_->put(file_->impact_before, impact.before);
    file_->put(file_->impact_after, impact.after);
    file_->put(file_->impact_percussion, impact.percussion);
}

void ResultWriter::event(const Event& event) {
    require(event.before.size() == file_->states && event.after.size() == file_->states,
            "{}: an event has {} states before and {} after; the model has {}", file_->name, event.before.size(),
            event.after.size(), file_->states);
    file_->put(file_->event_t, event.t);
    file_->put(file_->event_kind, static_cast<int>(event.kind));
    file_->put(file_->event_interaction, static_cast<int>(event.interaction));
    file_->put(file_->event_row, static_cast<int>(event.row));
    file_->put(file_->event_before, std::span(event.before.data(), event.before.size()));
    file_->put(file_->event_after, std::span(event.after.data(), event.after.size()));
}

void ResultWriter::failed(const FailedStep& failure) {
    file_->put(file_->failure_t, failure.t);
    file_->put(file_->failure_residual, failure.solve.residual);
    file_->put(file_->failure_iterations, failure.solve.iterations);
    file_->put(file_->failure_taken, failure.is_taken ? 1 : 0);
    file_->put(file_->failure_halvings, failure.halvings);
    file_->failure_messages.push_back(failure.where.empty() ? failure.solve.message
                                                            : failure.where + ": " + failure.solve.message);
}

void summarise(const RunReport& report, RunSummary& summary) {
    summary.t = report.t;
    summary.steps = report.steps;
    summary.switches = report.switches;
    summary.impacts = report.impacts;
    summary.events = report.events.total();
    summary.unsolved = report.unsolved;
    summary.retried = report.retried;
    summary.worst_residual = report.worst_residual;
    summary.end = to_string(report.end);
    if (report.end == RunReport::End::failed) summary.message = report.failure.reason();
}

void ResultWriter::flush() { file_->flush(); }

// A shared file takes no attributes: it is closed and opened again.
void ResultWriter::finish(const RunSummary& summary) {
    file_->flush();
    const std::string name = file_->name;
    const std::vector<std::string> messages = std::move(file_->failure_messages);
    const FileLock lock = std::move(file_->lock);
    const Hdf5Turn turn;
    file_.reset();
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.id(), false, true);  // it is locked already
    const Hdf5File file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access.id()));
    const Hdf5Group group(H5Gopen2(file.id(), layout::summary, H5P_DEFAULT));
    bool is_written = group.is_open() && write_summary(group.id(), summary);
    if (!messages.empty()) {
        const Hdf5Group failures(H5Gopen2(file.id(), layout::failures, H5P_DEFAULT));
        is_written = is_written && write_texts(failures.id(), "message", messages);
    }
    is_written = is_written && has_room(file) && H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0;
    if (!is_written && file.is_open()) abandon(file);
    require(is_written, "{}: cannot be written; is the disk full?", name);
}

}  // namespace saltus
