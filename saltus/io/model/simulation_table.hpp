#pragma once

#include "saltus/io/model/model_tables.hpp"
#include "saltus/simulation/time_stepping.hpp"

namespace saltus {

// The table [simulation] of a model file, of a Lagrangian model if `is_mechanical`: see docs/model-files.md. What
// `instead` gives replaces its entries; messages call them PREFIXkey. If `instead` names another scheme, only those
// options of the file are kept that mean the same for both: the facets of the friction disk, but not the tolerance of
// event-driven motion for moreau-jean, whose steps it would make automatic.
TimeStepping read_simulation(const ModelTables& tables, const toml::table& table, bool is_mechanical,
                             const toml::table& instead = {}, std::string_view prefix = "--");

// The schemes that [simulation] can name, for both kinds of models, each once, with their options.
struct SchemeInfo {
    std::string_view name{};
    std::vector<std::string_view> options{};
};
std::vector<SchemeInfo> scheme_list();

}  // namespace saltus
