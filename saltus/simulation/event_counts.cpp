#include "saltus/simulation/event_counts.hpp"

#include <fmt/format.h>

namespace saltus {

void EventCounts::add(double t, Event::Kind kind) {
    Entry& entry = kinds[kind];
    ++entry.count;
    entry.last = t;
}

long EventCounts::total() const {
    long sum = 0;
    for (const auto& [kind, entry] : kinds) sum += entry.count;
    return sum;
}

std::string EventCounts::text() const {
    std::string result;
    for (const auto& [kind, entry] : kinds) {
        result += fmt::format("{}{} {}{}", result.empty() ? "" : ", ", entry.count, to_string(kind),
                              entry.count == 1 ? "" : "s");
        if (kind == Event::Kind::accumulation)
            result += fmt::format("{} at t = {:.12g}", entry.count == 1 ? "" : ", the last", entry.last);
    }
    return result;
}

}  // namespace saltus
