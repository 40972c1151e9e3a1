#include "saltus/core/check.hpp"
#include "saltus/io/file_lock.hpp"
#include "saltus/io/hdf5_turn.hpp"
#include "saltus/io/result/hdf5_column.hpp"
#include "saltus/io/result/hdf5_text.hpp"
#include "saltus/io/result/result_file.hpp"
#include "saltus/io/result/result_layout.hpp"

namespace saltus {

namespace {

// False if the attribute is not there, or of another type.
template <class Value>
bool read_attribute(hid_t place, const char* name, Value& value) {
    if (place < 0 || H5Aexists(place, name) <= 0) return false;
    const Hdf5Attribute attribute(H5Aopen(place, name, H5P_DEFAULT));
    const Hdf5Type type(H5Aget_type(attribute.id()));
    if constexpr (std::is_same_v<Value, std::string>) {
        if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) return false;
        std::string text(H5Tget_size(type.id()), '\0');
        if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return false;
        value = text.c_str();
        return true;
    } else {
        return H5Aread(attribute.id(), hdf5_type<Value>(), &value) >= 0;
    }
}

bool has_format(hid_t file) {
    std::string format;
    return read_attribute(file, layout::format_key, format) && format == layout::format;
}

// A file that a run is writing, or was writing when it was killed, can only be opened as such: what was flushed is
// read. HDF5 then retries what it cannot read, since a writer may be at work; for a damaged file endlessly, if allowed.
Hdf5File open_unlocked(const std::filesystem::path& path) {
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.id(), false, true);
    Hdf5File whole(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()));
    if (whole.is_open()) return whole;
    constexpr unsigned attempts = 10;
    H5Pset_metadata_read_attempts(access.id(), attempts);
    return Hdf5File(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()));
}

// A run that was killed while it wrote its end leaves HDF5's mark of a writer, with which the file cannot be read. It
// is removed as HDF5's program h5clear does.
void clear_mark(const std::filesystem::path& path) {
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.id(), false, true);
    const bool is_cleared = true;
    if (H5Pset(access.id(), "clear_status_flags", &is_cleared) < 0) return;
    const Hdf5File cleared(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()));
}

Hdf5File open(const std::filesystem::path& path) {
    Hdf5File file = open_unlocked(path);
    if (file.is_open() || H5Fis_hdf5(path.c_str()) <= 0 || !FileLock::is_free(path)) return file;
    clear_mark(path);
    return open_unlocked(path);
}

// The length of the first dimension; -1 if there is no such dataset.
Index length(hid_t place, const char* name) {
    if (place < 0 || H5Lexists(place, name, H5P_DEFAULT) <= 0) return -1;
    const Hdf5Dataset dataset(H5Dopen2(place, name, H5P_DEFAULT));
    const Hdf5Space space(H5Dget_space(dataset.id()));
    hsize_t size[2] = {0, 0};
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space.id(), size, nullptr) < 0) return -1;
    return static_cast<Index>(size[0]);
}

// Rows first .. first + count - 1 of a dataset with `width` columns, or of a one-dimensional one if it is 0.
template <class Value>
bool read_rows(const Hdf5Dataset& dataset, Index first, Index count, Index width, std::vector<Value>& result) {
    result.resize(static_cast<std::size_t>(count * std::max<Index>(1, width)));
    if (result.empty()) return true;
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0};
    const hsize_t size[2] = {static_cast<hsize_t>(count), static_cast<hsize_t>(width)};
    const Hdf5Space file(H5Dget_space(dataset.id())), memory(H5Screate_simple(width == 0 ? 1 : 2, size, nullptr));
    if (H5Sget_simple_extent_ndims(file.id()) != (width == 0 ? 1 : 2)) return false;
    if (H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start, nullptr, size, nullptr) < 0) return false;
    return H5Dread(dataset.id(), hdf5_type<Value>(), memory.id(), file.id(), H5P_DEFAULT, result.data()) >= 0;
}

template <class Value>
bool read_rows(hid_t place, const char* name, Index first, Index count, Index width, std::vector<Value>& result) {
    return read_rows(Hdf5Dataset(H5Dopen2(place, name, H5P_DEFAULT)), first, count, width, result);
}

// A long list is read in blocks of this many rows, so that it does not fill the memory.
constexpr Index event_block = 65536;

}  // namespace

bool is_result_file(const std::filesystem::path& path) {
    const Hdf5Turn turn;
    return H5Fis_hdf5(path.c_str()) > 0 && has_format(open(path).id());
}

struct ResultReader::File {
    std::string name;
    Hdf5File file;
    int version = 0;
    std::vector<std::string> channels{}, interactions{}, model{}, states{};
    std::vector<Event::Kind> kinds{};  // by their code in the file
    Index samples = 0, events = 0;
    RunSummary summary{};
    std::string run{};
    bool is_live = false;
    Hdf5Dataset t{}, values{};  // kept open: closing a dataset drops the chunks that HDF5 has cached

    // Throw InvalidInput if the file is not a result, or is damaged.
    static std::unique_ptr<File> opened(const std::filesystem::path& path);
    void open_all();
    void open_events();
    void open_samples();
    void read_summary();
    const char* switch_place() const { return version == 2 ? layout::switches_of_2 : layout::switches; }
    // The length of all these columns of a group; fails if one is missing.
    Index common_length(const char* place, std::initializer_list<const char*> columns) const;
    MarkRange rows_between(const char* place, Index count, double from, double to) const;
    void check_range(const char* what, Index first, Index count, Index all) const {
        require(first >= 0 && count >= 0 && first + count <= all, "{}: {} {} to {} are asked for; there are {}", name,
                what, first, first + count, all);
    }
    Event::Kind kind(int code) const {
        if (code < 0 || code >= std::ssize(kinds)) fail("events/kind");
        return kinds[static_cast<std::size_t>(code)];
    }

    [[noreturn]] void fail(std::string_view what) const {
        throw InvalidInput(
            fmt::format("{}: {} cannot be read; the file is damaged, or a run is writing it", name, what));
    }
};

ResultReader::ResultReader(std::unique_ptr<File> file) : file_(std::move(file)) {}

ResultReader::ResultReader(const std::filesystem::path& path) : ResultReader(File::opened(path)) {
    if (file_->summary.end == "running") complete_summary();
}

std::unique_ptr<ResultReader::File> ResultReader::File::opened(const std::filesystem::path& path) {
    std::error_code error;
    require(std::filesystem::is_regular_file(path, error), "{}: there is no such file", path.string());
    require(path.extension() != ".toml", "{}: is a model, not a result file; saltus run makes a result from it",
            path.string());
    const Hdf5Turn turn;
    std::unique_ptr<File> file(new File{path.string(), open(path)});  // closed while it is our turn
    file->open_all();
    return file;
}

// The summary is written at the end. After it, a run releases its lock.
void ResultReader::complete_summary() {
    file_->is_live = !FileLock::is_free(file_->name);
    RunSummary& summary = file_->summary;
    summary.impacts = impact_count();
    summary.events = event_count();
    for (const FailedStep& failure : failures()) {
        summary.unsolved += failure.is_taken ? 1 : 0;
        summary.retried += failure.halvings > 0 ? 1 : 0;
    }
    if (samples() == 0) return;
    summary.t = time(samples() - 1);
    if (has_health()) summary.seconds = health(samples() - 1, 1).seconds.front();
}

void ResultReader::File::open_all() {
    require(file.is_open() && has_format(file.id()),
            "{}: is not a result file of saltus run, or is damaged, or a run is writing it", name);
    const hid_t root = file.id();
    if (!read_attribute(root, layout::version_key, version)) fail(layout::version_key);
    require(version >= layout::first_version && version <= layout::version,
            "{}: has version {} of the layout; this program reads versions {} to {}", name, version,
            layout::first_version, layout::version);
    read_attribute(root, layout::run, run);  // not there before version 4
    if (!read_texts(root, layout::channels, channels) || channels.empty()) fail(layout::channels);
    if (!read_texts(root, layout::model, model) || model.size() != 1) fail(layout::model);
    const char* names = version == 2 ? layout::interactions_of_2 : layout::interactions;
    if (!read_texts(root, names, interactions)) fail(names);
    if (version > 2) open_events();
    open_samples();
    read_summary();
}

void ResultReader::File::open_samples() {
    const hid_t root = file.id();
    samples = std::min(length(root, layout::t), length(root, layout::values));
    for (const char* column : {layout::residual, layout::iterations, layout::seconds})
        if (const Index found = length(root, column); found >= 0) samples = std::min(samples, found);
    if (samples < 0) fail(layout::values);
    t = Hdf5Dataset(H5Dopen2(root, layout::t, H5P_DEFAULT));
    values = Hdf5Dataset(H5Dopen2(root, layout::values, H5P_DEFAULT));
}

// At once: the end of the run replaces it, and offsets read before that are then invalid.
void ResultReader::File::read_summary() {
    const Hdf5Group group(H5Gopen2(file.id(), layout::summary, H5P_DEFAULT));
    visit_summary(summary, [&](const char* key, auto& value) {
        const bool is_newer = version == 2 && std::string_view(key) == layout::events;
        if (!is_newer && !read_attribute(group.id(), key, value)) fail(fmt::format("summary/{}", key));
    });
}

void ResultReader::File::open_events() {
    const Hdf5Group group(H5Gopen2(file.id(), layout::events, H5P_DEFAULT));
    std::vector<std::string> names;
    if (!group.is_open() || !read_texts(group.id(), "states", states) || !read_texts(group.id(), "kinds", names))
        fail(layout::events);
    for (const std::string& word : names) {
        int code = 0;
        while (code <= static_cast<int>(layout::last_kind) && to_string(static_cast<Event::Kind>(code)) != word) ++code;
        require(code <= static_cast<int>(layout::last_kind), "{}: has events of the kind '{}', which are not known",
                name, word);
        kinds.push_back(static_cast<Event::Kind>(code));
    }
    events = length(group.id(), "t");
    for (const char* column : {"kind", "interaction", "row", "before", "after"})
        events = std::min(events, length(group.id(), column));
    if (events < 0) fail(layout::events);
}

ResultReader::~ResultReader() {
    const Hdf5Turn turn;
    file_.reset();
}

const std::vector<std::string>& ResultReader::channels() const { return file_->channels; }
const std::vector<std::string>& ResultReader::interactions() const { return file_->interactions; }
const std::vector<std::string>& ResultReader::states() const { return file_->states; }
const std::string& ResultReader::model_text() const { return file_->model.front(); }
const RunSummary& ResultReader::summary() const { return file_->summary; }
const std::string& ResultReader::run() const { return file_->run; }
bool ResultReader::is_live() const { return file_->is_live; }
Index ResultReader::samples() const { return file_->samples; }
Index ResultReader::event_count() const { return file_->events; }

void ResultReader::read(Index first, Index count, std::vector<double>& times, std::vector<double>& values) const {
    require(first >= 0 && count >= 0 && first + count <= samples(), "{}: samples {} to {} are asked for; there are {}",
            file_->name, first, first + count, samples());
    const Hdf5Turn turn;
    if (!read_rows(file_->t, first, count, 0, times)) file_->fail(layout::t);
    if (!read_rows(file_->values, first, count, std::ssize(channels()), values)) file_->fail(layout::values);
}

double ResultReader::time(Index sample) const {
    require(sample >= 0 && sample < samples(), "{}: sample {} is asked for; there are {}", file_->name, sample,
            samples());
    const Hdf5Turn turn;
    std::vector<double> result;
    if (!read_rows(file_->t, sample, 1, 0, result)) file_->fail(layout::t);
    return result.front();
}

bool ResultReader::has_health() const { return file_->version >= 4; }

RunHealth ResultReader::health(Index first, Index count) const {
    require(first >= 0 && count >= 0 && first + count <= samples(), "{}: samples {} to {} are asked for; there are {}",
            file_->name, first, first + count, samples());
    const Hdf5Turn turn;
    const hid_t root = file_->file.id();
    RunHealth result;
    if (length(root, layout::residual) < samples() ||
        !read_rows(root, layout::residual, first, count, 0, result.residuals))
        file_->fail(layout::residual);
    if (!has_health()) return result;
    if (!read_rows(root, layout::iterations, first, count, 0, result.iterations)) file_->fail(layout::iterations);
    if (!read_rows(root, layout::seconds, first, count, 0, result.seconds)) file_->fail(layout::seconds);
    return result;
}

Placement ResultReader::initial_places() const {
    if (file_->version < 4) return {};
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file_->file.id(), layout::switches, H5P_DEFAULT));
    const Index count = length(group.id(), layout::initial);
    std::vector<int> codes;
    if (count < 0 || !read_rows(group.id(), layout::initial, 0, count, 0, codes)) file_->fail(layout::initial);
    Placement result;
    for (const int code : codes) result.push_back(static_cast<Place>(code));
    return result;
}

std::vector<FailedStep> ResultReader::failures() const {
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file_->file.id(), layout::failures, H5P_DEFAULT));
    Index count = length(group.id(), "t");
    for (const char* name : {"residual", "iterations", "taken", "halvings"})
        count = std::min(count, length(group.id(), name));
    std::vector<double> t, residual;
    std::vector<int> iterations, taken, halvings;
    if (count < 0 || !read_rows(group.id(), "t", 0, count, 0, t) ||
        !read_rows(group.id(), "residual", 0, count, 0, residual) ||
        !read_rows(group.id(), "iterations", 0, count, 0, iterations) ||
        !read_rows(group.id(), "taken", 0, count, 0, taken) ||
        !read_rows(group.id(), "halvings", 0, count, 0, halvings))
        file_->fail(layout::failures);
    std::vector<std::string> messages;  // of a run that was not killed
    if (length(group.id(), "message") >= 0) read_texts(group.id(), "message", messages);
    messages.resize(t.size());
    std::vector<FailedStep> result(t.size());
    for (std::size_t k = 0; k < t.size(); ++k) {
        result[k].t = t[k];
        result[k].solve = {.iterations = iterations[k], .residual = residual[k], .message = messages[k]};
        result[k].is_taken = taken[k] != 0;
        result[k].halvings = halvings[k];
    }
    return result;
}

std::vector<Switch> ResultReader::switches(Index first, Index count) const {
    file_->check_range("switches", first, count, switch_count());
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file_->file.id(), file_->switch_place(), H5P_DEFAULT));
    std::vector<double> t;
    std::vector<int> interaction, row, from, to;
    if (!read_rows(group.id(), "t", first, count, 0, t) ||
        !read_rows(group.id(), "interaction", first, count, 0, interaction) ||
        !read_rows(group.id(), "row", first, count, 0, row) || !read_rows(group.id(), "from", first, count, 0, from) ||
        !read_rows(group.id(), "to", first, count, 0, to))
        file_->fail(file_->switch_place());
    std::vector<Switch> result;
    for (std::size_t k = 0; k < t.size(); ++k)
        result.push_back({t[k], interaction[k], row[k], static_cast<Place>(from[k]), static_cast<Place>(to[k])});
    return result;
}

std::vector<Impact> ResultReader::impacts(Index first, Index count) const {
    file_->check_range(layout::impacts, first, count, impact_count());
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file_->file.id(), layout::impacts, H5P_DEFAULT));
    std::vector<double> t, before, after, percussion;
    std::vector<int> interaction;
    if (!read_rows(group.id(), "t", first, count, 0, t) ||
        !read_rows(group.id(), "interaction", first, count, 0, interaction) ||
        !read_rows(group.id(), "before", first, count, 0, before) ||
        !read_rows(group.id(), "after", first, count, 0, after) ||
        !read_rows(group.id(), "percussion", first, count, 0, percussion))
        file_->fail(layout::impacts);
    std::vector<Impact> result;
    for (std::size_t k = 0; k < t.size(); ++k)
        result.push_back({t[k], interaction[k], before[k], after[k], percussion[k]});
    return result;
}

Index ResultReader::switch_count() const {
    return file_->common_length(file_->switch_place(), {"t", "interaction", "row", "from", "to"});
}
Index ResultReader::impact_count() const {
    return file_->common_length(layout::impacts, {"t", "interaction", "before", "after", "percussion"});
}

MarkRange ResultReader::switches_between(double from, double to) const {
    return file_->rows_between(file_->switch_place(), switch_count(), from, to);
}
MarkRange ResultReader::impacts_between(double from, double to) const {
    return file_->rows_between(layout::impacts, impact_count(), from, to);
}
MarkRange ResultReader::events_between(double from, double to) const {
    return file_->rows_between(layout::events, event_count(), from, to);
}

Index ResultReader::File::common_length(const char* place, std::initializer_list<const char*> columns) const {
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file.id(), place, H5P_DEFAULT));
    Index count = std::numeric_limits<Index>::max();
    for (const char* column : columns) count = std::min(count, length(group.id(), column));
    if (count < 0) fail(place);
    return count;
}

MarkRange ResultReader::File::rows_between(const char* place, Index count, double from, double to) const {
    if (count == 0) return {};
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file.id(), place, H5P_DEFAULT));
    const Hdf5Dataset times(H5Dopen2(group.id(), "t", H5P_DEFAULT));
    std::vector<double> found;
    const auto count_of = [&](auto is_before) {  // by bisection: times do not fall
        Index low = 0, high = count;
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (!read_rows(times, middle, 1, 0, found)) fail(place);
            if (is_before(found.front()))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    const Index first = count_of([&](double time) { return time < from; });
    return {first, std::max<Index>(0, count_of([&](double time) { return time <= to; }) - first)};
}

EventCounts ResultReader::event_counts() const {
    const Hdf5Turn turn;
    EventCounts result;
    if (file_->events == 0) return result;
    const Hdf5Group group(H5Gopen2(file_->file.id(), layout::events, H5P_DEFAULT));
    std::vector<double> t;
    std::vector<int> kind;
    for (Index first = 0; first < file_->events; first += event_block) {
        const Index count = std::min(event_block, file_->events - first);
        if (!read_rows(group.id(), "t", first, count, 0, t) || !read_rows(group.id(), "kind", first, count, 0, kind))
            file_->fail(layout::events);
        for (std::size_t k = 0; k < t.size(); ++k) result.add(t[k], file_->kind(kind[k]));
    }
    return result;
}

std::vector<Event> ResultReader::events(Index first, Index count) const {
    require(first >= 0 && count >= 0 && first + count <= event_count(),
            "{}: events {} to {} are asked for; there are {}", file_->name, first, first + count, event_count());
    std::vector<Event> result;
    if (count == 0) return result;
    const Hdf5Turn turn;
    const Hdf5Group group(H5Gopen2(file_->file.id(), layout::events, H5P_DEFAULT));
    const Index width = std::ssize(states());
    std::vector<double> t, before, after;
    std::vector<int> kind, interaction, row;
    if (!read_rows(group.id(), "t", first, count, 0, t) || !read_rows(group.id(), "kind", first, count, 0, kind) ||
        !read_rows(group.id(), "interaction", first, count, 0, interaction) ||
        !read_rows(group.id(), "row", first, count, 0, row) ||
        !read_rows(group.id(), "before", first, count, width, before) ||
        !read_rows(group.id(), "after", first, count, width, after))
        file_->fail(layout::events);
    const auto state = [&](const std::vector<double>& rows, Index k) {
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(rows.data() + k * width, width));
    };
    for (Index k = 0; k < count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (interaction[at] < 0 || interaction[at] >= std::ssize(interactions())) file_->fail("events/interaction");
        result.push_back({t[at], file_->kind(kind[at]), interaction[at], state(before, k), state(after, k), row[at]});
    }
    return result;
}

Trajectory ResultReader::trajectory() const {
    Trajectory result{.channels = channels()};
    read(0, samples(), result.times, result.values);
    result.switches = switches();
    result.impacts = impacts();
    result.events = events();
    return result;
}

}  // namespace saltus
