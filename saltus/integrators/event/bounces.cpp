#include "saltus/integrators/event/bounces.hpp"

#include <algorithm>

namespace saltus {

void Bounces::add(Index contact, double t, double speed, double length) {
    constexpr double low = 1e-10;  // of the length
    Contact& c = contacts_[static_cast<std::size_t>(contact)];
    c.is_low = !c.last.empty() && speed * (t - c.last.back().t) <= low * length;
    c.times.add(t);
    c.last.push_back({t, speed});
    if (c.last.size() > remembered) c.last.pop_front();
    if (!c.is_low) low_.clear();
    if (c.is_low) low_.push_back(t);
    if (low_.size() > remembered) low_.pop_front();
}

std::optional<Accumulation> Bounces::accumulation(Index contact, double soon) const {
    const Contact& c = contacts_[static_cast<std::size_t>(contact)];
    if (c.last.empty()) return std::nullopt;
    const double t = c.last.back().t;
    if (const std::optional<double> end = c.times.accumulation(); end && (*end - t < soon || c.is_low)) {
        const std::size_t cycle = std::min<std::size_t>(c.last.size() - 1, 4);  // the longest
        return Accumulation{*end, c.last[c.last.size() - 1 - cycle].t};
    }
    if (low_.size() < remembered) return std::nullopt;
    // Without an order: as long as the second half of them took.
    return Accumulation{t + (t - low_[remembered / 2]), low_.front()};
}

bool Bounces::takes_part(Index contact, double since) const {
    const std::deque<Bounce>& last = contacts_[static_cast<std::size_t>(contact)].last;
    return last.size() >= 2 && last[last.size() - 2].t >= since;
}

double Bounces::speed(Index contact, double since) const {
    double greatest = 0.0;
    for (const Bounce& bounce : contacts_[static_cast<std::size_t>(contact)].last)
        if (bounce.t >= since) greatest = std::max(greatest, bounce.speed);
    return greatest;
}

void Bounces::forget(Index contact) {
    contacts_[static_cast<std::size_t>(contact)] = {};
    low_.clear();
}

}  // namespace saltus
