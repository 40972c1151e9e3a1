#pragma once

#include <string>
#include <vector>

#include "saltus/simulation/observer.hpp"

namespace saltus {

// What was recorded: one row per sample.
struct Trajectory {
    std::vector<std::string> channels{};
    std::vector<double> times{};
    std::vector<double> values{};  // channels.size() per sample
    std::vector<Switch> switches{};
    std::vector<Impact> impacts{};
    std::vector<Event> events{};  // of event-driven motion

    Index samples() const { return std::ssize(times); }
    double value(Index sample, Index channel) const {
        return values[static_cast<std::size_t>(sample * std::ssize(channels) + channel)];
    }
    // The values of a channel. Throws InvalidInput, with the nearest name, for an unknown name.
    Eigen::VectorXd channel(const std::string& name) const;
    void add(const Sample& sample);
    // Reserves memory for this many samples, at most a million.
    void reserve(long samples);
};

}  // namespace saltus
