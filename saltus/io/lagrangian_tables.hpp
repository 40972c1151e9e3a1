#pragma once

#include <memory>

#include "saltus/io/table_reader.hpp"

namespace saltus {

// Of the tables [systems], [contacts], [joints], [springs] and [forces] of a Lagrangian model. The tables must outlive
// the reader.
std::unique_ptr<TableReader> lagrangian_reader(const ModelTables& tables);

}  // namespace saltus
