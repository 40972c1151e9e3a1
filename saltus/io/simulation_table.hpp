#pragma once

#include "saltus/io/toml_reader.hpp"
#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// The table [simulation] of a model file: see docs/model-files.md.
TimeStepping read_simulation(const TomlReader& reader, const toml::table& table);

}  // namespace saltus
