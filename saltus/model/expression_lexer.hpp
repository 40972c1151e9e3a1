#pragma once

#include <string>
#include <string_view>

namespace saltus {

struct Token {
    enum class Kind { number, name, symbol, end };
    Kind kind = Kind::end;
    std::string_view text;     // symbols have one spelling: "&&" for "and", "^" for "**"
    std::size_t position = 0;  // of its first byte in the expression
    double number = 0.0;

    bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

// Cuts an expression into tokens. Knows how to show a mistake: where it is, and the text with a mark under it.
class ExpressionLexer {
public:
    // `where` begins every message. The text must outlive this and its tokens.
    ExpressionLexer(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

    // The next token; Token::Kind::end at the end, any number of times.
    Token next();

    // Throws InvalidInput: "<where>: <what> at column <n>; <remedy>", the text, and a mark. Columns count from 1.
    [[noreturn]] void fail(std::size_t position, std::string_view what, std::string_view remedy = "") const;
    // Throws InvalidInput without a position: "<where>: <what>".
    [[noreturn]] void fail_as_a_whole(std::string_view what) const;
    // A token as messages show it: in quotes, the end in words.
    std::string shown(const Token& token) const;

private:
    Token number();
    Token name();
    Token symbol();

    std::string_view text_;
    std::string where_;
    std::size_t position_ = 0;
};

}  // namespace saltus
