#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace saltus::cli {

std::string duration(double seconds) {
    if (seconds < 0.001) return fmt::format("{:.2g} ms", 1e3 * seconds);
    if (seconds < 59.5) return fmt::format("{:.3g} s", seconds);
    const long whole = std::lround(seconds);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(double t0, double t_end, bool is_quiet, std::string_view label)
    : t0_(t0), t_end_(t_end), label_(label), is_shown_(!is_quiet && isatty(fileno(stderr)) != 0) {}

Progress::~Progress() {
    if (has_line_) fmt::print(stderr, "\r\x1b[K");
}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::show(double t) {
    if (!is_shown_) return;
    const Clock::time_point now = Clock::now();
    const double since = std::chrono::duration<double>(now - last_).count(), done = (t - t0_) / (t_end_ - t0_);
    if (since < (has_line_ ? 0.1 : 0.5) || !(done > 0.0)) return;
    last_ = now;
    has_line_ = true;
    fmt::print(stderr, "\r{} {:.6g} of {:.6g}  {:3.0f} %  {} left\x1b[K", label_, t, t_end_, 100.0 * done,
               duration(seconds() * (1.0 - done) / done));
    std::fflush(stderr);
}

}  // namespace saltus::cli
