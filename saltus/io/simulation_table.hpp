#pragma once

#include "saltus/io/model_tables.hpp"
#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// The table [simulation] of a model file, of a Lagrangian model if `is_mechanical`: see docs/model-files.md. What
// `instead` gives replaces its entries.
TimeStepping read_simulation(const ModelTables& tables, const toml::table& table, bool is_mechanical,
                             const SchemeSettings& instead = {});

// The schemes that [simulation] can name, of both kinds of models, each once, with their options.
struct SchemeInfo {
    std::string_view name{};
    std::vector<std::string_view> options{};
};
std::vector<SchemeInfo> scheme_list();

}  // namespace saltus
