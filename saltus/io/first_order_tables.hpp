#pragma once

#include "saltus/io/model_tables.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

// The tables [systems], [interactions] and [sets] of a first-order model. Linear parts are recognised.
Model read_first_order_model(const ModelTables& tables);

}  // namespace saltus
