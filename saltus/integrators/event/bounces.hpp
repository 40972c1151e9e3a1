#pragma once

#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/integrators/event/accumulation.hpp"

namespace saltus {

// Impacts that accumulate.
struct Accumulation {
    double end = 0.0;    // the estimate of their end
    double since = 0.0;  // contacts with two impacts since then take part
};

// The impacts of all contacts, and when they are too many to be followed.            docs/theory.md (171)
class Bounces {
public:
    explicit Bounces(std::size_t contacts) : contacts_(contacts) {}

    // speed: the greater of those before and after; length: the scale of the gap.
    void add(Index contact, double t, double speed, double length);
    // Whether the impacts of a contact, the last of which was now, end within `soon`, or bounce so low that rounding is
    // near; or the last impacts of all contacts, in whatever order, are so low.
    std::optional<Accumulation> accumulation(Index contact, double soon) const;

    // Two impacts since then; a single one is not a sign of accumulation.
    bool takes_part(Index contact, double since) const;
    // The greatest speed of the impacts since then.
    double speed(Index contact, double since) const;
    void forget(Index contact);

private:
    struct Bounce {
        double t = 0.0, speed = 0.0;
    };
    struct Contact {
        EventHistory times{};
        std::deque<Bounce> last{};
        bool is_low = false;
    };

    static constexpr std::size_t remembered = 16;
    std::vector<Contact> contacts_;
    std::deque<double> low_;  // the times of the last impacts, while all of them are low
};

}  // namespace saltus
