#include "python/bindings/record.hpp"

namespace saltus::python {

Observer Record::keep() {
    return {.sample =
                [this](const Sample& sample) {
                    trajectory.add(sample);
                    residuals.push_back(sample.residual);
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

Record read_record(const std::filesystem::path& path) {
    const ResultReader reader(path);
    Record record{.trajectory = reader.trajectory(),
                  .residuals = reader.residuals(),
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
    for (std::size_t i = 0; i < trajectory.times.size(); ++i)
        writer.sample(
            {trajectory.times[i], std::span(trajectory.values).subspan(i * width, width), record.residuals[i]});
    for (const Switch& change : trajectory.switches) writer.switched(change);
    for (const Impact& impact : trajectory.impacts) writer.impact(impact);
    for (const Event& event : trajectory.events) writer.event(event);
    for (const FailedStep& failure : record.failures) writer.failed(failure);
    writer.finish(record.summary);
}

}  // namespace saltus::python
