#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>

#include "saltus/core/matrix.hpp"

namespace saltus {

// Reads whitespace-separated tokens of a text that must outlive it, and knows the line of each. Every failure is a
// ProblemFileError that names the file, the line, what was expected and what was found. Cheap to copy: a copy can look
// ahead.
class TokenReader {
public:
    TokenReader(std::string_view file, std::string_view text) : file_(file), text_(text) {}

    // The next token, without taking it; empty at the end of the text.
    std::string_view peek();
    std::string_view next();
    std::string_view rest_of_line();

    // Takes the next token if it is an integer.
    std::optional<Index> try_integer();
    // The next token as an integer in [low, high]; `what` names it in the message.
    Index integer(std::string_view what, Index low, Index high);
    // A number of rows, columns, ...: from 0 to what the indices of a sparse matrix can count.
    Index size(std::string_view what);
    void expect(std::string_view token, std::string_view where);

    enum class Range { finite, extended };  // extended: inf and -inf are numbers too; NaN never is
    double number(std::string_view what, Range range = Range::finite);
    Eigen::VectorXd numbers(std::string_view what, Index count, Range range = Range::finite);
    IndexList integers(std::string_view what, Index count, Index low, Index high);

    // Fails unless the rest of the text is long enough for `count` values. Called before memory is allocated for them,
    // so that a wrong size in a damaged file costs nothing.
    void expect_room_for(Index count, std::string_view what) const;

    // How many numbers follow before the first token that is not a number, or the end.
    Index count_numbers() const;

    [[noreturn]] void fail(std::string_view expected);         // found: the next token, at its line
    [[noreturn]] void fail_with(std::string_view text) const;  // at the line of the last token seen

private:
    void skip_space();
    double number_at(std::string_view what, Index position, Index count, Range range);

    std::string_view file_, text_;
    std::size_t position_ = 0;
    Index line_ = 1;
};

}  // namespace saltus
