#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "saltus/io/result_file.hpp"
#include "saltus/io/view/page.hpp"

namespace saltus::python {

// What a run leaves: its samples, events and summary, from memory or from a result file.
struct Record {
    Trajectory trajectory{};
    RunHealth health{};  // one entry a sample; iterations and seconds may be missing
    Placement initial_places{};
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    std::vector<FailedStep> failures{};  // the first with its problem
    ResultNames names{};
    RunSummary summary{};
    std::string model_text{};
    std::vector<std::string> warnings{};
    std::vector<std::pair<std::string, double>> parameters{};
    bool is_refused = false;  // the model or the options make no sense, as the message of the summary says

    // An observer that keeps everything here, but for goes_on.
    Observer keep();
};

Record read_record(const std::filesystem::path& path);
void write_record(const Record& record, const std::filesystem::path& path);
// The page of saltus report.
void write_report(const Record& record, const std::filesystem::path& page, const PageOptions& options);

}  // namespace saltus::python
