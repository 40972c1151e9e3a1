#pragma once

#include "saltus/io/model_tables.hpp"
#include "saltus/model/lagrangian_model.hpp"

namespace saltus {

// The tables [systems], [contacts], [joints], [springs] and [forces] of a Lagrangian model. Linear parts are
// recognised.
LagrangianModel read_lagrangian_model(const ModelTables& tables);

}  // namespace saltus
