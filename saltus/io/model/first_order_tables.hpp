#pragma once

#include <memory>

#include "saltus/io/model/table_reader.hpp"

namespace saltus {

// The reader of the tables [systems], [interactions] and [sets] of a first-order model. The tables must outlive it.
std::unique_ptr<TableReader> first_order_reader(const ModelTables& tables);

}  // namespace saltus
