#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "saltus/io/result/result_file.hpp"
#include "saltus/view/page.hpp"

namespace saltus::python {

// The result of a run: its samples, events and summary, from memory or from a result file.
struct Record {
    Trajectory trajectory{};
    RunHealth health{};  // one entry per sample; iterations and seconds may be missing
    Placement initial_places{};
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    std::vector<FailedStep> failures{};  // the first with its problem
    ResultNames names{};
    RunSummary summary{};
    std::string model_text{};
    std::vector<std::string> warnings{};
    std::vector<std::pair<std::string, double>> parameters{};
    bool is_refused = false;  // the model or the options make no sense, as the message of the summary says

    // An observer that keeps everything here, except goes_on.
    Observer keep();
    // Drops what happened after t.
    void forget_after(double t);
};

// Its summary as a dict.
pybind11::dict summary(const Record& record);
// All of it as a dict, for pickle, and back.
pybind11::dict record_state(const Record& record);
Record record_of_state(const pybind11::dict& state);

Record read_record(const std::filesystem::path& path);
void write_record(const Record& record, const std::filesystem::path& path);
// The page of saltus report.
void write_report(const Record& record, const std::filesystem::path& page, const PageOptions& options);

}  // namespace saltus::python
