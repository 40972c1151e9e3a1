#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/core/matrix.hpp"
#include "saltus/model/function.hpp"
#include "saltus/model/symbols.hpp"

namespace saltus {

// Entries of a model's tables that come from a program because they cannot be written as text. { external = 3 } stands
// for the fourth of them.

// A function of the program's own.
struct ExternalFunction {
    Index outputs = 0;
    bool is_of_time = false;   // depends on no variable but t
    bool has_jacobian = true;  // else it is found by differences
    // The function of these variables, stacked; `where` begins its messages.
    std::function<Function(const std::vector<Symbol>& variables, const std::string& where)> make{};
};

using Externals = std::vector<std::variant<Matrix, ExternalFunction>>;

}  // namespace saltus
