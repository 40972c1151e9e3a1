#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// Result files are HDF5, laid out as docs/result-files.md says: channels, times, values, switches, impacts, events,
// failed steps, the model and a summary.

// What a result file says of a run as a whole.
struct RunSummary {
    std::string name{};      // of the model
    std::string settings{};  // values of parameters other than those of the model file: "R=1, L=2"
    std::string scheme{};    // describe(scheme)
    std::string end{};       // "reached", "interrupted", "failed", or "running": the run was killed, or still runs
    std::string message{};   // of a run that failed: why
    double step = 0.0, t_end = 0.0;  // as the run used them
    double t = 0.0;                  // at its last step
    long steps = 0, switches = 0, impacts = 0, events = 0, unsolved = 0, retried = 0;
    double worst_residual = 0.0, seconds = 0.0;
};

// What a run says of itself; the names, the options and the time it took are left as they are.
void summarise(const RunReport& report, RunSummary& summary);

// What is stored under which name.
struct ResultNames {
    std::vector<std::string> channels{};      // of the samples
    std::vector<std::string> interactions{};  // of the model
    std::vector<std::string> states{};        // of events: see state_names()
};
// Those of a run of this model.
ResultNames result_names(const auto& model, const Scheme& scheme) {
    ResultNames names{.channels = channel_names(model, scheme), .states = state_names(model)};
    for (const auto& interaction : model.interactions) names.interactions.push_back(interaction.name);
    return names;
}

// Writes as the run goes: what was flushed survives the end of the process. A file that exists is replaced if it is a
// result file or empty; anything else is refused. Throws InvalidInput where the file cannot be written.
class ResultWriter {
public:
    // `text` is that of the model file.
    ResultWriter(const std::filesystem::path& path, const ResultNames& names, const std::string& text,
                 const RunSummary& summary);
    ~ResultWriter();

    void sample(const Sample& sample);
    void switched(const Switch& change);
    void impact(const Impact& impact);
    void event(const Event& event);
    void failed(const FailedStep& failure);
    // Hands everything to the operating system.
    void flush();
    // Writes the summary of the whole run, and flushes.
    void finish(const RunSummary& summary);

private:
    struct File;
    std::unique_ptr<File> file_;
};

// Whether there is a result file of that name.
bool is_result_file(const std::filesystem::path& path);

// Reads it, some samples at a time.
class ResultReader {
public:
    // Throws InvalidInput for what is no result file, or is damaged.
    explicit ResultReader(const std::filesystem::path& path);
    ~ResultReader();

    const std::vector<std::string>& channels() const;
    const std::vector<std::string>& interactions() const;
    const std::vector<std::string>& states() const;  // of events; none in files of version 2
    const std::string& model_text() const;
    RunSummary summary() const;
    Index samples() const;
    // The samples first .. first + count - 1: their times, and the values of all channels, a row a sample.
    void read(Index first, Index count, std::vector<double>& times, std::vector<double>& values) const;
    // How far the laws are from holding, at all samples.
    std::vector<double> residuals() const;
    std::vector<Switch> switches() const;
    std::vector<Impact> impacts() const;
    Index event_count() const;
    // The events first .. first + count - 1, or all.
    std::vector<Event> events(Index first, Index count) const;
    std::vector<Event> events() const { return events(0, event_count()); }
    // How many there are, without their states.
    EventCounts event_counts() const;
    // Everything.
    Trajectory trajectory() const;

private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace saltus
