#pragma once

#include <map>
#include <string>

#include "saltus/integrators/event/event.hpp"

namespace saltus {

// How many events of each kind there were, and when the last one was.
struct EventCounts {
    struct Entry {
        long count = 0;
        double last = 0.0;
    };
    std::map<Event::Kind, Entry> kinds{};  // those that occurred

    void add(double t, Event::Kind kind);
    long total() const;
    // For people, with the times of accumulations: "127 impacts, 1 accumulation at t = 8.57894917896"; empty if there
    // are no events.
    std::string text() const;
};

}  // namespace saltus
