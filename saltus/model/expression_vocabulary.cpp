#include "saltus/model/expression_vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "saltus/core/nearest_name.hpp"

namespace saltus {

namespace {

constexpr int any_number = ExpressionFunction::any_number;
constexpr ExpressionFunction functions[] = {
    {"sin", 1, 1, Operation::sin},
    {"cos", 1, 1, Operation::cos},
    {"tan", 1, 1, Operation::tan},
    {"asin", 1, 1, Operation::asin},
    {"acos", 1, 1, Operation::acos},
    {"atan", 1, 1, Operation::atan},
    {"atan2", 2, 2, Operation::atan2},
    {"sinh", 1, 1, Operation::sinh},
    {"cosh", 1, 1, Operation::cosh},
    {"tanh", 1, 1, Operation::tanh},
    {"exp", 1, 1, Operation::exp},
    {"log", 1, 1, Operation::log},
    {"log10", 1, 1, Operation::log10},
    {"sqrt", 1, 1, Operation::sqrt},
    {"cbrt", 1, 1, Operation::cbrt},
    {"abs", 1, 1, Operation::abs},
    {"sign", 1, 1, Operation::sign},
    {"min", 2, any_number, Operation::minimum},
    {"max", 2, any_number, Operation::maximum},
    {"pow", 2, 2, Operation::power},
    {"hypot", 2, 2, Operation::hypot},
    {"floor", 1, 1, Operation::floor},
    {"ceil", 1, 1, Operation::ceil},
    {"mod", 2, 2, Operation::modulo},
    {"step", 1, 1, Operation::step},
    {"if", 3, 3, Operation::select},
};

constexpr int of_comparisons = BinaryOperator::of_comparisons;
constexpr BinaryOperator operators[] = {
    {"||", BinaryOperator::loosest, Operation::logical_or},
    {"&&", 2, Operation::logical_and},
    {"<", of_comparisons, Operation::less},
    {"<=", of_comparisons, Operation::less_equal},
    {">", of_comparisons, Operation::less, true},
    {">=", of_comparisons, Operation::less_equal, true},
    {"==", of_comparisons, Operation::equal},
    {"!=", of_comparisons, Operation::not_equal},
    {"+", 4, Operation::add},
    {"-", 4, Operation::subtract},
    {"*", 5, Operation::multiply},
    {"/", 5, Operation::divide},
};

constexpr std::pair<std::string_view, double> built_in_constants[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

std::string suggestion(std::string_view name, const std::vector<std::string>& names, const std::string& otherwise) {
    const std::string nearest = nearest_name(name, names);
    return nearest.empty() ? otherwise : fmt::format("did you mean '{}'?", nearest);
}

}  // namespace

const ExpressionFunction* function_of_name(std::string_view name) {
    const auto* const found = std::ranges::find(functions, name, &ExpressionFunction::name);
    return found == std::end(functions) ? nullptr : found;
}

const BinaryOperator* operator_of_symbol(std::string_view symbol) {
    const auto* const found = std::ranges::find(operators, symbol, &BinaryOperator::symbol);
    return found == std::end(operators) ? nullptr : found;
}

std::optional<double> constant_of_name(std::string_view name, const Symbols& symbols) {
    if (const auto found = symbols.constants.find(name); found != symbols.constants.end()) return found->second;
    for (const auto& [built_in, value] : built_in_constants)
        if (built_in == name) return value;
    return std::nullopt;
}

std::string arguments_of(const ExpressionFunction& function) {
    if (function.most_arguments == any_number) return fmt::format("{} or more arguments", function.least_arguments);
    return fmt::format("{} argument{}", function.least_arguments, function.least_arguments == 1 ? "" : "s");
}

std::string suggested_name(std::string_view name, const Symbols& symbols) {
    std::vector<std::string> names, entries;
    for (const Symbol& variable : symbols.variables) {
        names.push_back(variable.name);
        entries.push_back(written(variable));
    }
    for (const auto& [constant, value] : symbols.constants) names.push_back(constant), entries.push_back(constant);
    for (const auto& [definition, text] : symbols.definitions)
        names.push_back(definition), entries.push_back(definition);
    for (const auto& [constant, value] : built_in_constants) {
        names.emplace_back(constant);
        entries.emplace_back(constant);
    }
    constexpr std::size_t most = 16;
    const bool is_cut = entries.size() > most;
    if (is_cut) entries.resize(most);
    return suggestion(name, names, fmt::format("known are {}{}", fmt::join(entries, ", "), is_cut ? ", ..." : ""));
}

std::string suggested_function(std::string_view name) {
    std::vector<std::string> names;
    for (const ExpressionFunction& function : functions) names.emplace_back(function.name);
    return suggestion(name, names, fmt::format("the functions are {}", fmt::join(names, ", ")));
}

}  // namespace saltus
