#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

// What the programs of the comparison share.
namespace saltus::benchmarks {

inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Above a millisecond the time of the processor, which does not count what others run meanwhile; below, the clock's,
// which is finer. harness.py measures Siconos so.
inline double seconds_of(const auto& action, int times) {
    const double processor_start = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) action();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double processor = processor_seconds() - processor_start;
    return (processor > 1e-3 ? processor : wall) / times;
}

// The best of several measurements, for a fifth of a second and at least three times (less if they are long): what
// disturbs a measurement only ever lengthens it. Short actions are timed 20 microseconds at a time, since the clock has
// a resolution.
inline double best_seconds(const auto& action) {
    double best = seconds_of(action, 1), total = best;
    const int times = 1 + static_cast<int>(20e-6 / best);
    for (int measurement = 1; total < 0.2 || (measurement < 3 && total < 10.0); ++measurement) {
        const double seconds = seconds_of(action, times);
        best = std::min(best, seconds);
        total += seconds * times;
    }
    return best;
}

inline std::ofstream open_for_writing(const std::filesystem::path& path) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    return file;
}

}  // namespace saltus::benchmarks
