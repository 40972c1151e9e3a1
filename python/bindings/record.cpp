#include "python/bindings/record.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "saltus/core/check.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/result/result_view.hpp"

namespace saltus::python {

Observer Record::keep() {
    return {.begins =
                [this](const Placement& placement) {
                    if (trajectory.samples() == 0) initial_places = placement;
                },
            .sample =
                [this](const Sample& sample) {
                    trajectory.add(sample);
                    health.residuals.push_back(sample.residual);
                    health.iterations.push_back(sample.iterations);
                    health.seconds.push_back(
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
                },
            .switched = [this](const Switch& change) { trajectory.switches.push_back(change); },
            .impact = [this](const Impact& impact) { trajectory.impacts.push_back(impact); },
            .event = [this](const Event& event) { trajectory.events.push_back(event); },
            .failed =
                [this](const FailedStep& step) {
                    failures.push_back(step);
                    if (failures.size() > 1) failures.back().problem = {};
                }};
}

void Record::forget_after(double t) {
    const auto is_later = [t](const auto& entry) { return entry.t > t; };
    std::erase_if(trajectory.switches, is_later);
    std::erase_if(trajectory.impacts, is_later);
    std::erase_if(trajectory.events, is_later);
    std::erase_if(failures, is_later);
    std::vector<double>& times = trajectory.times;
    const auto count = static_cast<std::size_t>(std::ranges::upper_bound(times, t) - times.begin());
    times.resize(count);
    trajectory.values.resize(count * trajectory.channels.size());
    health.residuals.resize(count);
    health.iterations.resize(count);
    health.seconds.resize(count);
}

Record read_record(const std::filesystem::path& path) {
    const ResultReader reader(path);
    Record record{.trajectory = reader.trajectory(),
                  .health = reader.health(0, reader.samples()),
                  .initial_places = reader.initial_places(),
                  .names = {reader.channels(), reader.interactions(), reader.states()},
                  .summary = reader.summary(),
                  .model_text = reader.model_text()};
    return record;
}

void write_record(const Record& record, const std::filesystem::path& path) {
    RunSummary running = record.summary;
    running.end = "running";
    ResultWriter writer(path, record.names, record.model_text, running);
    const Trajectory& trajectory = record.trajectory;
    const std::size_t width = trajectory.channels.size();
    const RunHealth& health = record.health;
    const bool is_timed = health.seconds.size() == trajectory.times.size();
    writer.begins(record.initial_places);
    for (std::size_t i = 0; i < trajectory.times.size(); ++i)
        writer.sample({.t = trajectory.times[i],
                       .values = std::span(trajectory.values).subspan(i * width, width),
                       .residual = health.residuals[i],
                       .iterations = is_timed ? health.iterations[i] : 0},
                      is_timed ? health.seconds[i] : 0.0);
    for (const Switch& change : trajectory.switches) writer.switched(change);
    for (const Impact& impact : trajectory.impacts) writer.impact(impact);
    for (const Event& event : trajectory.events) writer.event(event);
    for (const FailedStep& failure : record.failures) writer.failed(failure);
    writer.finish(record.summary);
}

namespace {

// A name for a result that is needed for a moment.
class MomentaryFile {
public:
    MomentaryFile() {
        std::string name = (std::filesystem::temp_directory_path() / "saltus-XXXXXX").string();
        const int descriptor = ::mkstemp(name.data());
        require(descriptor >= 0, "{}: cannot be written; is the disk full?", name);
        ::close(descriptor);
        path_ = name;
    }
    ~MomentaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    MomentaryFile(const MomentaryFile&) = delete;
    MomentaryFile& operator=(const MomentaryFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace

// A page is made of a result file, so that it is the same wherever the run was made.
void write_report(const Record& record, const std::filesystem::path& page, const PageOptions& options) {
    const MomentaryFile file;
    write_record(record, file.path());
    const ResultReader reader(file.path());
    const ResultView view(reader);
    write_file(page, report_page(view, options, std::filesystem::path(page).filename().string()));
}

}  // namespace saltus::python
