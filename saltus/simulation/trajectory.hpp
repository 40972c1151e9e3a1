#pragma once

#include <string>
#include <vector>

#include "saltus/complementarity/place.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/state.hpp"

namespace saltus {

// A row of an interaction changes its place: a diode opens, a relay switches, a sliding mode begins.
struct Switch {
    double t = 0.0;  // the end of the step in which it happened
    Index interaction = 0, row = 0;
    Place from = Place::basic, to = Place::basic;
};

// The names of the entries of a sample: "circuit.x[0]", ..., "diode.lambda[0]" (or sigma), ..., "diode.y[0]", ....
std::vector<std::string> channel_names(const Model& model, bool measures);

// What was recorded: a row a sample.
struct Trajectory {
    std::vector<std::string> channels{};
    std::vector<double> times{};
    std::vector<double> values{};  // channels.size() a sample
    std::vector<Switch> switches{};

    Index samples() const { return std::ssize(times); }
    double value(Index sample, Index channel) const {
        return values[static_cast<std::size_t>(sample * std::ssize(channels) + channel)];
    }
    // The values of a channel. Throws InvalidInput for an unknown name, and tells the nearest one.
    Eigen::VectorXd channel(const std::string& name) const;
    void add(const State& state);
    // Memory for so many samples, a million at most.
    void reserve(long samples);
};

}  // namespace saltus
