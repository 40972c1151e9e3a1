#include <fmt/format.h>

#include "saltus/core/check.hpp"
#include "saltus/io/hdf5_column.hpp"
#include "saltus/io/hdf5_text.hpp"
#include "saltus/io/hdf5_turn.hpp"
#include "saltus/io/result_file.hpp"
#include "saltus/io/result_layout.hpp"

namespace saltus {

namespace {

// Refuses to overwrite what is not a result.
void check_place(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return;
    const bool is_file = std::filesystem::is_regular_file(path, error);
    require(is_file && (std::filesystem::file_size(path, error) == 0 || is_result_file(path)),
            "{}: exists and is no result file; name another file, or delete this one", path.string());
}

Hdf5Group group_of(hid_t place, const char* name) {
    return Hdf5Group(H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

template <class Value>
void write_attribute(hid_t place, const char* name, const Value& value) {
    H5Adelete(place, name);  // fails where there is none yet
    const Hdf5Space space(H5Screate(H5S_SCALAR));
    if constexpr (std::is_same_v<Value, std::string>) {
        const Hdf5Type type = hdf5_text_type(value.size() + 1);
        const Hdf5Attribute attribute(H5Acreate2(place, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
        H5Awrite(attribute.id(), type.id(), value.c_str());
    } else {
        const Hdf5Attribute attribute(
            H5Acreate2(place, name, hdf5_type<Value>(), space.id(), H5P_DEFAULT, H5P_DEFAULT));
        H5Awrite(attribute.id(), hdf5_type<Value>(), &value);
    }
}

// A chunk of values of 64 KiB, or one row of many channels.
std::size_t rows_of_chunk(std::size_t width) { return std::max<std::size_t>(1, 8192 / width); }
constexpr std::size_t event_rows = 256;

}  // namespace

struct ResultWriter::File {
    std::string name;
    Hdf5File file;
    Hdf5Group summary, events, impacts, failures;
    Hdf5Column<double> t, values, residual;
    Hdf5Column<double> event_t;
    Hdf5Column<int> event_interaction, event_row, event_from, event_to;
    Hdf5Column<double> impact_t, impact_before, impact_after, impact_percussion;
    Hdf5Column<int> impact_interaction;
    Hdf5Column<double> failure_t, failure_residual;
    Hdf5Column<int> failure_iterations, failure_taken, failure_halvings;
    std::vector<std::string> failure_messages;

    File(const std::string& path, std::size_t width)
        : name(path),
          file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
          summary(group_of(file.id(), layout::summary)),
          events(group_of(file.id(), layout::events)),
          impacts(group_of(file.id(), layout::impacts)),
          failures(group_of(file.id(), layout::failures)),
          t(file.id(), layout::t, rows_of_chunk(width)),
          values(file.id(), layout::values, rows_of_chunk(width), width),
          residual(file.id(), layout::residual, rows_of_chunk(width)),
          event_t(events.id(), "t", event_rows),
          event_interaction(events.id(), "interaction", event_rows),
          event_row(events.id(), "row", event_rows),
          event_from(events.id(), "from", event_rows),
          event_to(events.id(), "to", event_rows),
          impact_t(impacts.id(), "t", event_rows),
          impact_before(impacts.id(), "before", event_rows),
          impact_after(impacts.id(), "after", event_rows),
          impact_percussion(impacts.id(), "percussion", event_rows),
          impact_interaction(impacts.id(), "interaction", event_rows),
          failure_t(failures.id(), "t", event_rows),
          failure_residual(failures.id(), "residual", event_rows),
          failure_iterations(failures.id(), "iterations", event_rows),
          failure_taken(failures.id(), "taken", event_rows),
          failure_halvings(failures.id(), "halvings", event_rows) {}

    void require_written(bool is_written) const {
        require(is_written, "{}: cannot be written; is the disk full?", name);
    }

    // Writes one column if its buffer is full.
    template <class Value>
    void put(Hdf5Column<Value>& column, Value value) {
        if (column.add(value)) write(column);
    }
    template <class Value>
    void write(Hdf5Column<Value>& column) {
        const Hdf5Turn turn;
        require_written(column.write());
    }

    void flush() {
        const Hdf5Turn turn;
        bool is_written = true;
        for (Hdf5Column<double>* column : {&t, &values, &residual, &event_t, &impact_t, &impact_before, &impact_after,
                                           &impact_percussion, &failure_t, &failure_residual})
            is_written &= column->write();
        for (Hdf5Column<int>* column : {&event_interaction, &event_row, &event_from, &event_to, &impact_interaction,
                                        &failure_iterations, &failure_taken, &failure_halvings})
            is_written &= column->write();
        require_written(is_written && H5Fflush(file.id(), H5F_SCOPE_GLOBAL) >= 0);
    }

    void write_summary(const RunSummary& values_of_run) {
        const Hdf5Turn turn;
        visit_summary(values_of_run,
                      [&](const char* key, const auto& value) { write_attribute(summary.id(), key, value); });
    }
};

ResultWriter::ResultWriter(const std::filesystem::path& path, const std::vector<std::string>& interactions,
                           const std::string& text, const RunSummary& summary,
                           const std::vector<std::string>& channels) {
    check_place(path);
    {
        const Hdf5Turn turn;
        file_ = std::make_unique<File>(path.string(), channels.size());
        require(file_->file.is_open(), "{}: cannot be written; does the folder exist, and may you write in it?",
                path.string());
        write_attribute(file_->file.id(), layout::format_key, std::string(layout::format));
        write_attribute(file_->file.id(), layout::version_key, layout::version);
        file_->require_written(write_texts(file_->file.id(), layout::channels, channels) &&
                               write_texts(file_->events.id(), "interactions", interactions) &&
                               write_texts(file_->file.id(), layout::model, {text}));
    }
    file_->write_summary(summary);
    file_->flush();
}

ResultWriter::~ResultWriter() {
    if (!file_) return;
    const Hdf5Turn turn;
    file_.reset();
}

void ResultWriter::sample(const Sample& sample) {
    file_->put(file_->t, sample.t);
    file_->put(file_->residual, sample.residual);
    Hdf5Column<double>& values = file_->values;
    values.add(sample.values.data(), sample.values.size());
    if (values.end_row()) file_->write(values);
}

void ResultWriter::impact(const Impact& event) {
    file_->put(file_->impact_t, event.t);
    file_->put(file_->impact_interaction, static_cast<int>(event.interaction));
    file_->put(file_->impact_before, event.before);
    file_->put(file_->impact_after, event.after);
    file_->put(file_->impact_percussion, event.percussion);
}

void ResultWriter::switched(const Switch& event) {
    file_->put(file_->event_t, event.t);
    file_->put(file_->event_interaction, static_cast<int>(event.interaction));
    file_->put(file_->event_row, static_cast<int>(event.row));
    file_->put(file_->event_from, static_cast<int>(event.from));
    file_->put(file_->event_to, static_cast<int>(event.to));
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

void ResultWriter::flush() { file_->flush(); }

void ResultWriter::finish(const RunSummary& summary) {
    file_->write_summary(summary);
    if (!file_->failure_messages.empty()) {
        const Hdf5Turn turn;
        file_->require_written(write_texts(file_->failures.id(), "message", file_->failure_messages));
    }
    file_->flush();
}

}  // namespace saltus
