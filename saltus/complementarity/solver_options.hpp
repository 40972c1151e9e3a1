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
// The command line, Python and their documentation read this list. An option is a boolean, a number, or one of several
// words. For an enumeration E, the function option_words(E) lists the words of its values; a solver within a solver is
// given by its name.

// The value of an option, as written outside C++.
using OptionValue = std::variant<bool, int, double, std::string>;

// An option of a solver: what it is called, what it means, and where its value is stored.
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

// An option as users see it; its value is the default.
struct OptionInfo {
    std::string_view name{}, meaning{};
    std::string kind{};
    OptionValue value{};
};

// "true", "20000", "1e-08", "exact".
std::string option_text(const OptionValue& value);

// The option of that name. Throws InvalidInput, naming the options of the solver, for an unknown name.
const SolverOption& option_of_name(std::string_view solver, const std::vector<SolverOption>& options,
                                   std::string_view name);
// Throws InvalidInput, naming the option, the value and what is expected, if the value is of the wrong kind.
void assign(std::string_view solver, const SolverOption& option, const OptionValue& value);

namespace detail {

// The value that a text stands for; the text itself if it is not of the option's kind.
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

// The options as users see them, with the values of this solver.
template <class Solver>
std::vector<OptionInfo> describe_options(Solver solver) {
    std::vector<OptionInfo> result;
    for (const SolverOption& option : options_of(solver))
        result.push_back({option.name, option.meaning, option.kind(), option.value()});
    return result;
}

// Sets the option of that name. Throws InvalidInput for an unknown name, "nsgs: there is no option 'relax'; ...", and
// for a value of the wrong kind. Values out of range are refused by solve().
template <class Solver>
void set_option(Solver& solver, std::string_view name, const OptionValue& value) {
    const std::vector<SolverOption> options = options_of(solver);
    assign(Solver::name, option_of_name(Solver::name, options, name), value);
}

// The same from a text, as given on the command line.
template <class Solver>
void set_option_from_text(Solver& solver, std::string_view name, const std::string& text) {
    const std::vector<SolverOption> options = options_of(solver);
    const SolverOption& option = option_of_name(Solver::name, options, name);
    assign(Solver::name, option, detail::parsed(option, text));
}

}  // namespace saltus
