#include "saltus/io/problem/token_reader.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "saltus/io/problem/problem_file.hpp"

namespace saltus {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

template <class Number>
std::optional<Number> parse(std::string_view token) {
    if (token.starts_with('+')) token.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

// A token as a message shows it: short, and printable whatever the file holds.
std::string quoted(std::string_view token) {
    constexpr std::size_t longest = 40;
    if (token.empty()) return "the end of the file";
    std::string text = "'";
    for (const char c : token.substr(0, longest)) text += c > ' ' && c <= '~' ? c : '?';
    return text + (token.size() > longest ? "...'" : "'");
}

}  // namespace

void TokenReader::skip_space() {
    for (; position_ < text_.size() && is_space(text_[position_]); ++position_)
        if (text_[position_] == '\n') ++line_;
}

std::string_view TokenReader::peek() {
    skip_space();
    std::size_t end = position_;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    return text_.substr(position_, end - position_);
}

std::string_view TokenReader::next() {
    const std::string_view token = peek();
    position_ += token.size();
    return token;
}

std::string_view TokenReader::rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    position_ = end;
    skip_space();
    return line;
}

std::optional<Index> TokenReader::try_integer() {
    const auto value = parse<Index>(peek());
    if (value) next();
    return value;
}

Index TokenReader::integer(std::string_view what, Index low, Index high) {
    const auto value = parse<Index>(peek());
    if (!value || *value < low || *value > high)
        fail(low == high ? fmt::format("{} for {}", low, what)
                         : fmt::format("{}, an integer from {} to {}", what, low, high));
    next();
    return *value;
}

Index TokenReader::size(std::string_view what) { return integer(what, 0, std::numeric_limits<int>::max()); }

void TokenReader::expect(std::string_view token, std::string_view where) {
    if (peek() != token) fail(fmt::format("'{}' in {}", token, where));
    next();
}

double TokenReader::number_at(std::string_view what, Index position, Index count, Range range) {
    const auto value = parse<double>(peek());
    if (!value || std::isnan(*value) || (range == Range::finite && std::isinf(*value))) {
        const std::string_view noun = range == Range::finite ? "a finite number" : "a number, inf or -inf";
        fail(count > 1 ? fmt::format("{} (value {} of the {} of {})", noun, position + 1, count, what)
                       : fmt::format("{} ({})", noun, what));
    }
    next();
    return *value;
}

double TokenReader::number(std::string_view what, Range range) { return number_at(what, 0, 1, range); }

Eigen::VectorXd TokenReader::numbers(std::string_view what, Index count, Range range) {
    expect_room_for(count, what);
    Eigen::VectorXd values(count);
    for (Index i = 0; i < count; ++i) values[i] = number_at(what, i, count, range);
    return values;
}

IndexList TokenReader::integers(std::string_view what, Index count, Index low, Index high) {
    expect_room_for(count, what);
    IndexList values(static_cast<std::size_t>(count));
    for (Index& value : values) value = integer(what, low, high);
    return values;
}

void TokenReader::expect_room_for(Index count, std::string_view what) const {
    // A value takes a character and a separator, the last one of the text a character.
    const auto room = static_cast<Index>((text_.size() - position_ + 1) / 2);
    if (count <= room) return;
    fail_with(fmt::format("expected {} values of {}, found the end of the file after at most {}", count, what, room));
}

Index TokenReader::count_numbers() const {
    TokenReader ahead = *this;
    Index count = 0;
    while (parse<double>(ahead.next())) ++count;
    return count;
}

void TokenReader::fail(std::string_view expected) {
    const std::string found = quoted(peek());
    fail_with(fmt::format("expected {}, found {}", expected, found));
}

void TokenReader::fail_with(std::string_view text) const {
    throw ProblemFileError(std::string(file_), line_, std::string(text));
}

}  // namespace saltus
