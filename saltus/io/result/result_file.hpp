#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// Result files are HDF5, laid out as docs/result-files.md says: channels, times, values, switches, impacts, events,
// failed steps, the model and a summary.

// What a result file says about a run as a whole.
struct RunSummary {
    std::string name{};              // of the model
    std::string settings{};          // values of parameters that differ from the model file: "R=1, L=2"
    std::string scheme{};            // describe(scheme)
    std::string end{};               // "reached", "interrupted", "failed", or "running": the run was killed, or goes on
    std::string message{};           // why the run failed; else empty
    double step = 0.0, t_end = 0.0;  // as the run used them
    double t = 0.0;                  // at its last step
    long steps = 0, switches = 0, impacts = 0, events = 0, unsolved = 0, retried = 0;
    double worst_residual = 0.0, seconds = 0.0;
};

// Fills in the summary from a report; the names, the options and the time it took are left as they are.
void summarise(const RunReport& report, RunSummary& summary);

// The names under which things are stored.
struct ResultNames {
    std::vector<std::string> channels{};      // of the samples
    std::vector<std::string> interactions{};  // of the model
    std::vector<std::string> states{};        // of events: see state_names()
};
// The names for a run of this model.
ResultNames result_names(const auto& model, const Scheme& scheme) {
    ResultNames names{.channels = channel_names(model, scheme), .states = state_names(model)};
    for (const auto& interaction : model.interactions) names.interactions.push_back(interaction.name);
    return names;
}

// Writes while the run goes on: what was flushed survives the end of the process, and can be read during the run
// (HDF5's single writer, multiple readers). An existing file is replaced if it is a result file or empty. Any other
// file is refused, and so is one that another run is writing. Throws InvalidInput if the file cannot be written.
class ResultWriter {
public:
    // `text` is the text of the model file.
    ResultWriter(const std::filesystem::path& path, const ResultNames& names, const std::string& text,
                 const RunSummary& summary);
    ~ResultWriter();

    // The places of all rows at the beginning.
    void begins(const Placement& placement);
    // `seconds` since the run began; if not given, the time since the writer was made.
    void sample(const Sample& sample, std::optional<double> seconds = std::nullopt);
    void switched(const Switch& change);
    void impact(const Impact& impact);
    void event(const Event& event);
    void failed(const FailedStep& failure);
    // Hands everything to the operating system.
    void flush();
    // Writes the summary of the whole run and closes the file: nothing more can be written.
    void finish(const RunSummary& summary);

private:
    struct File;
    std::unique_ptr<File> file_;
};

// Whether there is a result file of that name.
bool is_result_file(const std::filesystem::path& path);

// The health of a run at its samples, see docs/result-files.md. Files before version 4 have only the residuals.
struct RunHealth {
    std::vector<double> residuals{};
    std::vector<int> iterations{};
    std::vector<double> seconds{};
};

// A range of marks in the order of time.
struct MarkRange {
    Index first = 0, count = 0;
};

// Reads a result file, some samples at a time. For a run under way it has what was flushed when the file was opened.
class ResultReader {
public:
    // Throws InvalidInput if the file is not a result file, or is damaged.
    explicit ResultReader(const std::filesystem::path& path);
    ~ResultReader();

    const std::vector<std::string>& channels() const;
    const std::vector<std::string>& interactions() const;
    const std::vector<std::string>& states() const;  // of events; none in files of version 2
    const std::string& model_text() const;
    // For a run under way: what is known by now, without the counts of steps and switches and the worst residual.
    const RunSummary& summary() const;
    // Different for each run; empty in files before version 4.
    const std::string& run() const;
    // Whether the run was going on when the file was opened. A killed run was not, though its summary says "running".
    bool is_live() const;
    Index samples() const;
    // The samples first .. first + count - 1: their times, and the values of all channels, one row per sample.
    void read(Index first, Index count, std::vector<double>& times, std::vector<double>& values) const;
    // The time of a sample.
    double time(Index sample) const;
    // The health at the samples first .. first + count - 1.
    RunHealth health(Index first, Index count) const;
    // How far the laws are from holding, at all samples.
    std::vector<double> residuals() const { return health(0, samples()).residuals; }
    // Whether the health includes iterations and seconds.
    bool has_health() const;
    // The places of all rows at the beginning; none in files before version 4.
    Placement initial_places() const;
    std::vector<FailedStep> failures() const;
    // The switches or impacts first .. first + count - 1, or all.
    std::vector<Switch> switches(Index first, Index count) const;
    std::vector<Switch> switches() const { return switches(0, switch_count()); }
    std::vector<Impact> impacts(Index first, Index count) const;
    std::vector<Impact> impacts() const { return impacts(0, impact_count()); }
    // The marks with from <= t <= to.
    MarkRange switches_between(double from, double to) const;
    MarkRange impacts_between(double from, double to) const;
    MarkRange events_between(double from, double to) const;
    // How many marks there are, without reading them.
    Index switch_count() const;
    Index impact_count() const;
    Index event_count() const;
    // The events first .. first + count - 1, or all.
    std::vector<Event> events(Index first, Index count) const;
    std::vector<Event> events() const { return events(0, event_count()); }
    // How many events of each kind there are, without reading their states.
    EventCounts event_counts() const;
    // Everything.
    Trajectory trajectory() const;

private:
    struct File;
    explicit ResultReader(std::unique_ptr<File> file);
    void complete_summary();

    std::unique_ptr<File> file_;
};

}  // namespace saltus
