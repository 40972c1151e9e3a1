#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "saltus/model/program_builder.hpp"
#include "saltus/model/symbols.hpp"

namespace saltus {

// The definitions that were already read.
using KnownDefinitions = std::map<std::string, ProgramBuilder::Node, std::less<>>;

// Reads one expression, adds its operations to the builder and returns the node of its value. The syntax is that of
// expression.hpp. A definition is read where it is first used, and only once, however often and deeply definitions use
// each other. A mistake throws InvalidInput with the place of the mistake; the message begins with `where`.
ProgramBuilder::Node parse_expression(std::string_view text, const Symbols& symbols, const std::string& where,
                                      ProgramBuilder& builder, KnownDefinitions& known);

}  // namespace saltus
