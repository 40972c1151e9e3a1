#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/matrix.hpp"

namespace saltus {

// A variable: a scalar `name` if size is 0, else the vector name[0] .. name[size - 1].
struct Symbol {
    std::string name;
    Index size = 0;
};

// The meaning of the names in an expression. The arguments of an expression are one vector: the variables, in order,
// stacked.
struct Symbols {
    std::vector<Symbol> variables;
    std::map<std::string, double, std::less<>> constants{};  // parameters: numbers when the text has been read
    // Names that stand for expressions of the same variables, constants and other definitions.
    std::map<std::string, std::string, std::less<>> definitions{};
};

// The length of the stacked vector of arguments.
Index argument_count(const Symbols& symbols);

// How the entries of a variable are written: "t", "q[0]" or "q[0] .. q[2]".
std::string written(const Symbol& symbol);

// A letter or _, then letters, digits and _; not one of the words and, or, not.
bool is_identifier(std::string_view name);

// Throws InvalidInput if a name is not an identifier or has two meanings, or if a size is negative; `where` begins the
// message.
void check(const Symbols& symbols, const std::string& where);

}  // namespace saltus
