#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string_view>

namespace saltus {

// The caller's mistake: sizes that do not match, NaN, an option out of range. The text names the object, the value
// and the remedy. A numerical outcome is never an exception: see SolveReport.
class InvalidInput : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

// require(n == m, "Lcp: M is {} x {}, q has {} entries", ...) throws InvalidInput when the condition is false.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
    if (!condition) throw InvalidInput(fmt::format(text, std::forward<Args>(args)...));
}

// What every solver requires of its options: a finite tolerance >= 0 and max_iterations >= 0.
void check_options(std::string_view solver, double tolerance, int max_iterations);

}  // namespace saltus
