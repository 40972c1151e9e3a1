#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "saltus/model/program.hpp"
#include "saltus/model/symbols.hpp"

// The meaning of the words and signs of expressions, and the messages about those without meaning.
namespace saltus {

// A function as it is written: its name, how many arguments it takes, what it computes. min and max of several
// arguments are min(min(a, b), c); if(c, a, b) is c ? a : b.
struct ExpressionFunction {
    static constexpr int any_number = std::numeric_limits<int>::max();

    std::string_view name;
    int least_arguments, most_arguments;
    Operation operation;
};

// An operator between two operands: the tighter it binds, the greater its precedence. a > b is b < a, swapped.
struct BinaryOperator {
    static constexpr int loosest = 1, of_comparisons = 3;

    std::string_view symbol;
    int precedence;
    Operation operation;
    bool is_swapped = false;
};

// Null if there is none.
const ExpressionFunction* function_of_name(std::string_view name);
const BinaryOperator* operator_of_symbol(std::string_view symbol);

// The user's constant, else a built-in one.
std::optional<double> constant_of_name(std::string_view name, const Symbols& symbols);

// "1 argument", "2 or more arguments".
std::string arguments_of(const ExpressionFunction& function);

// The remedy for an unknown name: "did you mean 'lambda'?", or the known ones.
std::string suggested_name(std::string_view name, const Symbols& symbols);
std::string suggested_function(std::string_view name);

}  // namespace saltus
