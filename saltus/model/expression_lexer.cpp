#include "saltus/model/expression_lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// UTF-8: a character is a byte and the bytes 10xxxxxx which follow it.
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

// At most `count` characters of the beginning of a text.
std::string_view first_characters(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    for (; end < text.size() && (count > 0 || continues_character(text[end])); ++end)
        if (!continues_character(text[end])) --count;
    return text.substr(0, end);
}

// On one line: a new line, a tabulator or another control character shows as a space.
std::string on_one_line(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(
        result, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, ' ');
    return result;
}

// The text around a position, and a mark under it. What stands before a mistake could be read: it has one byte a
// character.
std::string marked(std::string_view text, std::size_t position) {
    constexpr std::size_t reach = 60;  // characters to each side
    const std::string_view before = text.substr(0, position).substr(position - std::min(position, reach));
    const std::string_view after = first_characters(text.substr(position), reach);
    const std::string_view left = before.size() < position ? "..." : "";
    const std::string_view right = after.size() < text.size() - position ? "..." : "";
    return fmt::format("\n    {}{}{}{}\n    {:>{}}", left, on_one_line(before), on_one_line(after), right, "^",
                       left.size() + before.size() + 1);
}

// The characters which other languages use for what is written differently here.
std::string_view remedy_for(char c) {
    switch (c) {
        case '=':
            return "write == to compare";
        case '&':
            return "write && for and";
        case '|':
            return "write || for or";
        case '%':
            return "write mod(a, b) for a remainder";
        default:
            return "";
    }
}

}  // namespace

void ExpressionLexer::fail(std::size_t position, std::string_view what, std::string_view remedy) const {
    throw InvalidInput(fmt::format("{}{}{} at column {}{}{}{}", where_, where_.empty() ? "" : ": ", what, position + 1,
                                   remedy.empty() ? "" : "; ", remedy, marked(text_, position)));
}

void ExpressionLexer::fail_as_a_whole(std::string_view what) const {
    throw InvalidInput(fmt::format("{}{}{}", where_, where_.empty() ? "" : ": ", what));
}

std::string ExpressionLexer::shown(const Token& token) const {
    if (token.kind == Token::Kind::end) return "the end";
    constexpr std::size_t longest = 40;
    const std::string_view part = first_characters(token.text, longest);
    return fmt::format("'{}{}'", part, part.size() < token.text.size() ? "..." : "");
}

Token ExpressionLexer::next() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
    if (position_ == text_.size()) return {Token::Kind::end, {}, position_};
    const char c = text_[position_];
    const bool is_point_before_digit = c == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
    if (is_digit(c) || is_point_before_digit) return number();
    return is_letter(c) ? name() : symbol();
}

Token ExpressionLexer::number() {
    Token token{Token::Kind::number, {}, position_};
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), token.number);
    token.text = {begin, end};
    if (error == std::errc::result_out_of_range)
        fail(position_, fmt::format("number {} out of range", first_characters(token.text, 40)),
             "the range is 4.9e-324 to 1.8e308");
    position_ += token.text.size();
    return token;
}

Token ExpressionLexer::name() {
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    Token token{Token::Kind::name, text_.substr(position_, end - position_), position_};
    position_ = end;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
        {{"and", "&&"}, {"or", "||"}, {"not", "not"}}};
    for (const auto& [word, spelling] : words)
        if (token.text == word) return {Token::Kind::symbol, spelling, token.position};
    return token;
}

Token ExpressionLexer::symbol() {
    static constexpr std::string_view symbols[] = {"<=", ">=", "==", "!=", "&&", "||", "**", "+", "-", "*", "/",
                                                   "^",  "<",  ">",  "!",  "?",  ":",  "(",  ")", "[", "]", ","};
    const std::string_view rest = text_.substr(position_);
    for (const std::string_view symbol : symbols)
        if (rest.starts_with(symbol)) {
            const Token token{Token::Kind::symbol, symbol == "**" ? "^" : symbol, position_};
            position_ += symbol.size();
            return token;
        }
    fail(position_, fmt::format("unexpected '{}'", on_one_line(first_characters(rest, 1))), remedy_for(rest.front()));
}

}  // namespace saltus
