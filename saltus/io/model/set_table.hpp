#pragma once

#include <functional>

#include "saltus/io/model/toml_reader.hpp"
#include "saltus/model/moving_set.hpp"

namespace saltus {

// Makes a function of (t) from the texts of an entry.
using FunctionReader = std::function<Function(const toml::node& node, const std::string& key)>;

// The set of a table [sets.NAME] of a model file, see docs/model-files.md: the one that its key names, half_space,
// polyhedron, box or ball.
MovingSet read_set(const TomlReader& reader, const toml::table& table, const std::string& prefix,
                   const FunctionReader& of_time);

}  // namespace saltus
