#pragma once

#include <memory>

#include "saltus/io/table_reader.hpp"

namespace saltus {

// Of the tables [systems], [interactions] and [sets] of a first-order model. The tables must outlive the reader.
std::unique_ptr<TableReader> first_order_reader(const ModelTables& tables);

}  // namespace saltus
