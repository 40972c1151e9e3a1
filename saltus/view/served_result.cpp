#include "saltus/view/served_result.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "saltus/core/check.hpp"
#include "saltus/io/file_lock.hpp"

namespace saltus {

namespace {

constexpr Index points_at_once = 20000, columns_at_once = 64, frames_at_once = 64, marks_at_once = 20000;

// Numbers one after the other, as they are in memory.
class Bytes {
public:
    template <class Value>
    void add(Value value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof(Value));
    }
    void add(const std::vector<double>& values) {
        text_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    }
    void fill_up(std::size_t unit) { text_.resize((text_.size() + unit - 1) / unit * unit); }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

// The first marks of an interval: times, then rows of numbers.
class MarkRows {
public:
    MarkRows(std::size_t rows, const MarkRange& range) : range_(range), rows_(rows) {}

    Index first() const { return range_.first; }
    Index count() const { return std::min(range_.count, marks_at_once); }
    void add(double t, std::initializer_list<double> values) {
        t_.push_back(t);
        std::size_t row = 0;
        for (const double value : values) rows_[row++].push_back(value);
    }
    std::string bytes() const {
        Bytes result;
        result.add(static_cast<std::uint32_t>(t_.size()));
        result.add(static_cast<std::uint32_t>(std::min<Index>(range_.count, 0xffffffff)));
        result.add(t_);
        for (const std::vector<double>& row : rows_) result.add(row);
        return result.take();
    }

private:
    MarkRange range_;
    std::vector<double> t_;
    std::vector<std::vector<double>> rows_;
};

double number(auto value) { return static_cast<double>(value); }

}  // namespace

ServedResult::ServedResult(const std::filesystem::path& path, const ViewChoice& choice) : path_(path), choice_(choice) {
    open();
    make_manifest(*view_, choice_, "");  // refuses a choice that names no column
}

void ServedResult::open() {
    std::error_code none;
    size_ = std::filesystem::file_size(path_, none);
    changed_ = std::filesystem::last_write_time(path_, none);
    reader_ = std::make_unique<ResultReader>(path_);
    view_ = std::make_unique<ResultView>(*reader_);
    measure_scene();
    // Files before version 4 have no name for their run.
    const std::string identity = !reader_->run().empty() || is_running()
                                     ? reader_->run()
                                     : fmt::format("{}-{}", size_, changed_.time_since_epoch().count());
    if (overview_ && identity == identity_) return;
    identity_ = identity;
    std::vector<Index> expected;
    for (const PlotChoice& plot : view_->default_plots())
        expected.insert(expected.end(), plot.columns.begin(), plot.columns.end());
    overview_ = std::make_unique<Overview>(std::move(expected));
}

// HDF5 reads a file that is open already from its memory: it must be closed first.
void ServedResult::reopen() {
    view_.reset();
    reader_.reset();
    constexpr int most = 10;
    for (int k = 1;; ++k) try {
            return open();
        } catch (const InvalidInput&) {
            view_.reset();
            reader_.reset();
            if (k == most) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
}

void ServedResult::require_open() {
    std::error_code none;
    const bool is_same =
        std::filesystem::file_size(path_, none) == size_ && std::filesystem::last_write_time(path_, none) == changed_;
    const bool is_grown = view_ && is_running() && std::filesystem::file_size(path_, none) >= size_;
    if (view_ && (is_same || (is_grown && !FileLock::is_free(path_)))) return;
    reopen();
}

void ServedResult::measure_scene() {
    constexpr Index enough = 3000;
    frame_samples_.clear();
    frame_times_.clear();
    if (view_->scene().is_empty()) return;
    frame_samples_ = frame_samples(*view_, enough);
    for (const Index sample : frame_samples_) frame_times_.push_back(reader_->time(sample));
    extent_ = scene_extent(*view_);
}

bool ServedResult::is_running() const { return reader_->summary().end == "running"; }

std::string ServedResult::manifest() {
    const std::lock_guard lock(mutex_);
    require_open();
    if (is_running()) reopen();
    // Between the reading and the look at its lock a run may have ended.
    if (is_running() && !reader_->is_live()) reopen();
    nlohmann::json result = make_manifest(*view_, choice_, path_.filename().string());
    result["run"] = identity_;
    result["embedded"] = nullptr;
    result["scene"] = scene_of(*view_, frame_times_, extent_);
    return page_text(result);
}

std::string ServedResult::run() {
    const std::lock_guard lock(mutex_);
    require_open();
    return identity_;
}

std::string ServedResult::window(const std::vector<Index>& columns, double from, double to, Index points) {
    const std::lock_guard lock(mutex_);
    require_open();
    require(std::ssize(columns) <= columns_at_once, "{} columns are asked for; at most {} at once", columns.size(),
            columns_at_once);
    for (const Index column : columns)
        require(column >= 0 && column < std::ssize(view_->columns()), "column {} is asked for; there are {}", column,
                view_->columns().size());
    require(!std::isnan(from) && !std::isnan(to), "from and to must be numbers");
    const Index samples = reader_->samples();
    const Index first = std::max<Index>(0, view_->sample_at(from) - 1);
    const Index last = std::max(first, std::min(samples, view_->sample_at(to) + 2));
    const Window found =
        overview_->read_extremes(*view_, columns, first, last, std::clamp<Index>(points, 2, points_at_once));
    Bytes result;
    result.add(static_cast<std::uint32_t>(found.t.size()));
    result.add(static_cast<std::uint32_t>(std::min<Index>(last - first, 0xffffffff)));
    result.add(found.t);
    for (const std::vector<double>& values : found.values) result.add(values);
    return result.take();
}

std::string ServedResult::marks(const std::string& kind, double from, double to) {
    const std::lock_guard lock(mutex_);
    require_open();
    require(kind == "switches" || kind == "impacts" || kind == "events",
            "there are no marks '{}'; known are switches, impacts, events", kind);
    if (kind == "switches") {
        MarkRows rows(4, reader_->switches_between(from, to));
        for (const Switch& s : reader_->switches(rows.first(), rows.count()))
            rows.add(s.t, {number(s.interaction), number(s.row), number(s.from), number(s.to)});
        return rows.bytes();
    }
    if (kind == "impacts") {
        MarkRows rows(4, reader_->impacts_between(from, to));
        for (const Impact& i : reader_->impacts(rows.first(), rows.count()))
            rows.add(i.t, {number(i.interaction), i.before, i.after, i.percussion});
        return rows.bytes();
    }
    MarkRows rows(3, reader_->events_between(from, to));
    constexpr Index block = 1024;  // events have all states
    for (Index k = 0; k < rows.count(); k += block)
        for (const Event& e : reader_->events(rows.first() + k, std::min(block, rows.count() - k)))
            rows.add(e.t, {number(e.kind), number(e.interaction), number(e.row)});
    return rows.bytes();
}

std::string ServedResult::frames(Index first, Index count) {
    const std::lock_guard lock(mutex_);
    require_open();
    const Index all = std::ssize(frame_samples_);
    require(first >= 0 && first <= all && count >= 0, "frames {} and on are asked for; there are {}", first, all);
    const Index here = std::min({count, frames_at_once, all - first});
    Bytes result;
    result.add(static_cast<std::uint32_t>(first));
    result.add(static_cast<std::uint32_t>(here));
    Frame frame;
    for (Index k = first; k < first + here; ++k) {
        view_->read_frame(frame_samples_[static_cast<std::size_t>(k)], frame);
        for (const Pose& pose : frame.bodies) {
            for (const double x : pose.position) result.add(static_cast<float>(x));
            for (const double x : pose.rotation.coeffs()) result.add(static_cast<float>(x));  // x, y, z, w
            result.add(static_cast<float>(pose.length));
        }
        for (const ContactForce& contact : frame.contacts) {
            for (const double x : contact.point) result.add(static_cast<float>(x));
            for (const double x : contact.force) result.add(static_cast<float>(x));
        }
        for (const ContactForce& contact : frame.contacts) result.add(static_cast<std::uint8_t>(contact.state));
        result.fill_up(4);
    }
    return result.take();
}

}  // namespace saltus
