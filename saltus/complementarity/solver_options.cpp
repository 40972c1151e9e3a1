#include "saltus/complementarity/solver_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"

namespace saltus {

namespace {

// The value of a text which is a number and nothing else.
template <class Number>
bool read_number(const std::string& text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end;
}

std::string quoted(const OptionValue& value) {
    return std::holds_alternative<std::string>(value) ? fmt::format("'{}'", option_text(value)) : option_text(value);
}

std::vector<std::string> texts(const std::vector<std::string_view>& words) { return {words.begin(), words.end()}; }

}  // namespace

std::string option_text(const OptionValue& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const int* whole = std::get_if<int>(&value)) return fmt::format("{}", *whole);
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
    return std::get<std::string>(value);
}

OptionValue SolverOption::value() const {
    if (bool* const* truth = std::get_if<bool*>(&place)) return **truth;
    if (int* const* whole = std::get_if<int*>(&place)) return **whole;
    if (double* const* number = std::get_if<double*>(&place)) return **number;
    const Choice& choice = std::get<Choice>(place);
    return std::string(choice.words[choice.get()]);
}

std::string SolverOption::kind() const {
    if (std::holds_alternative<bool*>(place)) return "true or false";
    if (std::holds_alternative<int*>(place)) return "a whole number";
    if (std::holds_alternative<double*>(place)) return "a number";
    const std::vector<std::string_view>& words = std::get<Choice>(place).words;
    return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

const SolverOption& option_of_name(std::string_view solver, const std::vector<SolverOption>& options,
                                   std::string_view name) {
    std::vector<std::string> names;
    for (const SolverOption& option : options) {
        if (option.name == name) return option;
        names.emplace_back(option.name);
    }
    const std::string near = nearest_name(name, names);
    throw InvalidInput(fmt::format("{}: there is no option '{}'; the options are: {}{}", solver, name,
                                   fmt::join(names, ", "),
                                   near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

void assign(std::string_view solver, const SolverOption& option, const OptionValue& value) {
    const auto refuse = [&](const std::string& hint = {}) {
        throw InvalidInput(
            fmt::format("{}: {} is {}; it must be {}{}", solver, option.name, quoted(value), option.kind(), hint));
    };
    const bool* truth = std::get_if<bool>(&value);
    const int* whole = std::get_if<int>(&value);
    const double* number = std::get_if<double>(&value);
    const std::string* word = std::get_if<std::string>(&value);
    if (bool* const* flag = std::get_if<bool*>(&option.place)) {
        if (!truth) refuse();
        **flag = *truth;
    } else if (int* const* count = std::get_if<int*>(&option.place)) {
        if (!whole) refuse();
        **count = *whole;
    } else if (double* const* real = std::get_if<double*>(&option.place)) {
        if (!whole && !(number && !std::isnan(*number))) refuse();
        **real = whole ? *whole : *number;
    } else {
        const auto& choice = std::get<SolverOption::Choice>(option.place);
        for (std::size_t k = 0; word && k < choice.words.size(); ++k)
            if (choice.words[k] == *word) return choice.set(k);
        const std::string near = word ? nearest_name(*word, texts(choice.words)) : "";
        refuse(near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    }
}

namespace detail {

OptionValue parsed(const SolverOption& option, const std::string& text) {
    if (std::holds_alternative<bool*>(option.place)) {
        if (text == "true" || text == "false") return text == "true";
    } else if (std::holds_alternative<int*>(option.place)) {
        if (int whole = 0; read_number(text, whole)) return whole;
    } else if (std::holds_alternative<double*>(option.place)) {
        if (double number = 0.0; read_number(text, number)) return number;
    }
    return text;
}

}  // namespace detail

}  // namespace saltus
