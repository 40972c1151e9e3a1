#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "saltus/model/program_builder.hpp"
#include "saltus/model/symbols.hpp"

namespace saltus {

// The definitions of the symbols that were read already.
using KnownDefinitions = std::map<std::string, ProgramBuilder::Node, std::less<>>;

// Reads one expression, adds its operations to the builder and returns the node of its value. The syntax is that of
// expression.hpp. A definition is read where it is first used: each once, however often and deep they use each other.
// A mistake is InvalidInput with the place of the mistake; `where` begins the message.
ProgramBuilder::Node parse_expression(std::string_view text, const Symbols& symbols, const std::string& where,
                                      ProgramBuilder& builder, KnownDefinitions& known);

}  // namespace saltus
