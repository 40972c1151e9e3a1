#pragma once

#include <deque>
#include <optional>

namespace saltus {

// The times of the events of one kind in one place. They accumulate if they come in cycles of p = 1 to 4 events whose
// durations shrink by the same ratio r, d_k+1 = r d_k; they then end at
//     t + d (r + r^2 + ...) = t + d r / (1 - r).                                                  docs/theory.md (163)
class EventHistory {
public:
    void add(double t);
    // When they end, if the last three cycles agree on it.
    std::optional<double> accumulation() const;
    void clear() { times_.clear(); }

private:
    static constexpr int longest_cycle = 4, cycles = 3;
    std::deque<double> times_;  // the last ones
};

// Counts events that do not advance in time: by less than 1e-10 of t, or of `unit` if that is more.
class EventGuard {
public:
    static constexpr int most = 100;
    EventGuard(double t, double unit) : last_(t), unit_(unit) {}

    // False if there are too many at the same time.
    bool allows(double t);
    // Whether the last event was later than the one before it.
    bool is_alone() const { return at_once_ == 0; }

private:
    double last_, unit_;
    int at_once_ = 0;
};

}  // namespace saltus
