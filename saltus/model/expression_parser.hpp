#pragma once

#include <string>
#include <string_view>

#include "saltus/model/program_builder.hpp"
#include "saltus/model/symbols.hpp"

namespace saltus {

// Reads one expression, adds its operations to the builder and returns the node of its value. The syntax is that of
// expression.hpp. A mistake is InvalidInput with the place of the mistake; `where` begins the message.
ProgramBuilder::Node parse_expression(std::string_view text, const Symbols& symbols, const std::string& where,
                                      ProgramBuilder& builder);

}  // namespace saltus
