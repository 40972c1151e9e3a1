#pragma once

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

// Shared by the programs of the comparison; those of Siconos are C++17.
namespace saltus::benchmarks {

inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Above 20 milliseconds the time of the processor, which does not count what others run meanwhile; below, the clock's:
// it is finer, and on a busy virtual machine the processor's time of runs of some milliseconds was seen to fall short
// by a factor of four now and then, which the best of many measurements picks. harness.py measures Siconos so.
template <class Action>
double seconds_of(const Action& action, int times) {
    const double processor_start = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) action();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double processor = processor_seconds() - processor_start;
    return (processor > 20e-3 ? processor : wall) / times;
}

inline bool is_too_few(int measurements, double seconds) {
    return seconds < 0.2 || (measurements < 3 && seconds < 10.0);
}

// The best of several measurements, for a fifth of a second and at least three times (less if they are long): what
// disturbs a measurement only ever lengthens it. Short actions are timed 20 microseconds at a time, since the clock has
// a resolution.
template <class Action>
double best_seconds(const Action& action) {
    double best = seconds_of(action, 1), total = best;
    const int times = 1 + static_cast<int>(20e-6 / best);
    for (int measurement = 1; is_too_few(measurement, total); ++measurement) {
        const double seconds = seconds_of(action, times);
        best = std::min(best, seconds);
        total += seconds * times;
    }
    return best;
}

// The same for an action that can be done only once with what `set_up`, which is not timed, makes for it.
template <class SetUp, class Action>
double best_seconds_after(const SetUp& set_up, const Action& action) {
    double best = std::numeric_limits<double>::infinity(), total = 0.0;
    for (int measurement = 0; is_too_few(measurement, total); ++measurement) {
        const auto subject = set_up();
        const double seconds = seconds_of([&] { action(*subject); }, 1);
        best = std::min(best, seconds);
        total += seconds;
    }
    return best;
}

// measure(), a JSON value, in a process of its own which ends after `limit` seconds of the processor; then null.
template <class Measure>
nlohmann::json within(double limit, const Measure& measure) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("within: no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("within: no process");
    if (child == 0) {
        itimerval timer{};
        timer.it_value.tv_sec = static_cast<time_t>(limit);
        setitimer(ITIMER_PROF, &timer, nullptr);  // its signal ends the process
        const std::string text = measure().dump();
        const bool is_written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(is_written ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(count));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text.empty() ? nlohmann::json() : nlohmann::json::parse(text);
}

inline std::ofstream open_for_writing(const std::filesystem::path& path) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    return file;
}

}  // namespace saltus::benchmarks
