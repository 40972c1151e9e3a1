#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace saltus {

// Every solver lists its options once, in the order of its members:
//     template <class Visit>
//     void options(Visit&& visit) {
//         visit("relaxation", relaxation, "strictly between 0 and 2");
//     }
// The command line, Python and their documentation read this list. An option is a truth, a number, or one of several
// words: an enumeration E has a function option_words(E) with the words of its values, and a solver within a solver is
// named by its name.

// The value of an option as it is written outside of C++.
using OptionValue = std::variant<bool, int, double, std::string>;

// An option of a solver: what it is called, what it means, and where it lies.
struct SolverOption {
    struct Choice {
        std::vector<std::string_view> words{};
        std::function<std::size_t()> get{};
        std::function<void(std::size_t)> set{};
    };

    std::string_view name{}, meaning{};
    std::variant<bool*, int*, double*, Choice> place{};

    OptionValue value() const;
    // "true or false", "a whole number", "a number", "exact, jean-moreau or projection".
    std::string kind() const;
};

// An option as it is shown: its value is the default.
struct OptionInfo {
    std::string_view name{}, meaning{};
    std::string kind{};
    OptionValue value{};
};

// "true", "20000", "1e-08", "exact".
std::string option_text(const OptionValue& value);

// The option of that name. Throws InvalidInput, naming the options of the solver.
const SolverOption& option_of_name(std::string_view solver, const std::vector<SolverOption>& options,
                                   std::string_view name);
// Throws InvalidInput, naming the option, the value and what is expected, if the value is of another kind.
void assign(std::string_view solver, const SolverOption& option, const OptionValue& value);

namespace detail {

// What a text stands for: a text where it is not of the kind of the option.
OptionValue parsed(const SolverOption& option, const std::string& text);
template <class... Solvers>
std::vector<std::string_view> names_of(const std::variant<Solvers...>&) {
    return {Solvers::name...};
}

inline auto option_place(bool& value) { return &value; }
inline auto option_place(int& value) { return &value; }
inline auto option_place(double& value) { return &value; }
template <class Enumeration>
requires std::is_enum_v<Enumeration> SolverOption::Choice option_place(Enumeration& value) {
    const auto words = option_words(value);
    return {{words.begin(), words.end()},
            [&value] { return static_cast<std::size_t>(value); },
            [&value](std::size_t k) { value = static_cast<Enumeration>(k); }};
}
template <class... Solvers>
SolverOption::Choice option_place(std::variant<Solvers...>& value) {
    return {names_of(value), [&value] { return value.index(); },
            [&value](std::size_t k) {
                std::size_t i = 0;
                ((i++ == k ? void(value = Solvers{}) : void()), ...);
            }};
}

}  // namespace detail

// The options of a solver, which must outlive them.
template <class Solver>
std::vector<SolverOption> options_of(Solver& solver) {
    std::vector<SolverOption> result;
    solver.options([&](std::string_view name, auto& value, std::string_view meaning) {
        result.push_back({name, meaning, detail::option_place(value)});
    });
    return result;
}

// As they are shown, with the values that this solver has.
template <class Solver>
std::vector<OptionInfo> describe_options(Solver solver) {
    std::vector<OptionInfo> result;
    for (const SolverOption& option : options_of(solver))
        result.push_back({option.name, option.meaning, option.kind(), option.value()});
    return result;
}

// Sets the option of that name. Throws InvalidInput, "nsgs: there is no option 'relax'; ...", or where the value is of
// another kind. What lies outside the range of an option, solve() refuses.
template <class Solver>
void set_option(Solver& solver, std::string_view name, const OptionValue& value) {
    const std::vector<SolverOption> options = options_of(solver);
    assign(Solver::name, option_of_name(Solver::name, options, name), value);
}

// The same from a text, as the command line has it.
template <class Solver>
void set_option_from_text(Solver& solver, std::string_view name, const std::string& text) {
    const std::vector<SolverOption> options = options_of(solver);
    const SolverOption& option = option_of_name(Solver::name, options, name);
    assign(Solver::name, option, detail::parsed(option, text));
}

}  // namespace saltus
