#include "saltus/model/symbols.hpp"

#include <algorithm>
#include <set>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

}  // namespace

Index argument_count(const Symbols& symbols) {
    Index count = 0;
    for (const Symbol& variable : symbols.variables) count += std::max<Index>(1, variable.size);
    return count;
}

std::string written(const Symbol& symbol) {
    if (symbol.size == 0) return symbol.name;
    if (symbol.size == 1) return symbol.name + "[0]";
    return fmt::format("{0}[0] .. {0}[{1}]", symbol.name, symbol.size - 1);
}

bool is_identifier(std::string_view name) {
    return !name.empty() && starts_name(name.front()) && std::ranges::all_of(name, continues_name) && name != "and" &&
           name != "or" && name != "not";
}

void check(const Symbols& symbols, const std::string& where) {
    const std::string prefix = where.empty() ? "" : where + ": ";
    std::set<std::string_view> seen;
    const auto check_name = [&](const std::string& name, std::string_view kind) {
        require(is_identifier(name),
                "{}the {} '{}' has no name that can be written in an expression; use letters, digits and _, begin with "
                "a letter, and avoid and, or, not",
                prefix, kind, name);
        require(seen.insert(name).second, "{}the name '{}' has two meanings; rename the {}", prefix, name, kind);
    };
    for (const Symbol& variable : symbols.variables) {
        check_name(variable.name, "variable");
        require(variable.size >= 0, "{}the variable '{}' has size {}; give 0 for a scalar, else the number of entries",
                prefix, variable.name, variable.size);
    }
    for (const auto& [name, value] : symbols.constants) check_name(name, "constant");
    for (const auto& [name, text] : symbols.definitions) check_name(name, "definition");
}

}  // namespace saltus
