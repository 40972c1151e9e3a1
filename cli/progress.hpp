#pragma once

#include <chrono>
#include <string>

namespace saltus::cli {

// "1.25 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds);

// A line on standard error that is overwritten as a run proceeds: how far it is and how long it will still take.
// Nothing is shown if standard error is not a terminal, nor for a run shorter than half a second.
class Progress {
public:
    Progress(double t0, double t_end, bool is_quiet, std::string_view label = "t =");
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(double t);
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    double t0_, t_end_;
    std::string label_;
    bool is_shown_;
    bool has_line_ = false;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace saltus::cli
