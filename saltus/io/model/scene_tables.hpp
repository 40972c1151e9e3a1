#pragma once

#include "saltus/io/model/model_tables.hpp"
#include "saltus/io/model/scene.hpp"
#include "saltus/io/result/channel_index.hpp"

namespace saltus {

// Where the states of a system are among the channels of a result: q and v, or x.
struct SystemChannels {
    std::string name{};
    std::vector<Index> q{}, v{}, x{};
};

// The systems of a result, in the order of its channels.
std::vector<SystemChannels> systems_in(const ChannelIndex& channels);

// The variables of these systems that expressions in drawings and signals know: q, v, t, or x, t, with the states
// stacked as `arguments` says.
std::vector<Symbol> drawing_variables(const std::vector<const SystemChannels*>& systems, Arguments& arguments);

// Reads the table [view]. Throws InvalidInput, "FILE:LINE: KEY: what is wrong, and what to write".
Scene read_scene(const ModelTables& tables, const toml::node& view, const std::vector<std::string>& channels,
                 const std::vector<std::string>& interactions);

}  // namespace saltus
