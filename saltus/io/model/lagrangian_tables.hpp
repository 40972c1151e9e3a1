#pragma once

#include <memory>

#include "saltus/io/model/table_reader.hpp"

namespace saltus {

// The reader of the tables [systems], [contacts], [joints], [springs] and [forces] of a Lagrangian model. The tables
// must outlive it.
std::unique_ptr<TableReader> lagrangian_reader(const ModelTables& tables);

}  // namespace saltus
