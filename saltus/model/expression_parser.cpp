#include "saltus/model/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "saltus/model/expression_lexer.hpp"
#include "saltus/model/expression_vocabulary.hpp"

namespace saltus {

namespace {

using Node = ProgramBuilder::Node;
using Nodes = std::vector<Node>;

// The deepest nesting: the parser calls itself, and the stack of a thread may be small.
constexpr int deepest = 256;

// Recursive descent, one function for each kind of phrase; `token_` is the first token not yet read.
class Parser {
public:
    Parser(std::string_view text, const Symbols& symbols, const std::string& where, ProgramBuilder& builder,
           KnownDefinitions& known, const std::vector<std::string_view>& open = {})
        : lexer_(text, where), symbols_(symbols), where_(where), builder_(builder), known_(known), open_(open) {
        take();
    }

    Node whole() {
        if (token_.kind == Token::Kind::end) lexer_.fail_as_a_whole("the expression is empty; write 0 for nothing");
        const Node node = expression();
        if (token_.kind != Token::Kind::end) refuse();
        return node;
    }

private:
    Token take() { return std::exchange(token_, lexer_.next()); }
    bool accept(std::string_view symbol) {
        if (!token_.is(symbol)) return false;
        take();
        return true;
    }

    const BinaryOperator* binary_operator() const {
        return token_.kind == Token::Kind::symbol ? operator_of_symbol(token_.text) : nullptr;
    }

    Node expression();
    Node operation(int precedence);
    Node negated();
    Node power();
    Node primary();
    Node call(const Token& name);
    Nodes arguments();
    Node result(const ExpressionFunction& function, const Nodes& arguments);
    Node variable(const Token& name);
    Node entry(const Symbol& variable, Index first, const Token& name);
    Node definition(const Token& name, const std::string& text);
    Index index(const Symbol& variable);

    void enter(const Token& token) {
        if (++depth_ > deepest)
            lexer_.fail(token.position, fmt::format("nesting deeper than {} levels", deepest),
                        "write it with fewer parentheses");
    }
    void leave() { --depth_; }
    void close(const Token& opening, std::string_view closing);
    [[noreturn]] void refuse();
    [[noreturn]] void refuse_name(const Token& name);
    [[noreturn]] void refuse_function(const Token& name);

    ExpressionLexer lexer_;
    const Symbols& symbols_;
    const std::string where_;
    ProgramBuilder& builder_;
    KnownDefinitions& known_;
    std::vector<std::string_view> open_;  // the definitions being read
    Token token_;
    int depth_ = 0;
};

// condition ? expression : condition ? expression : ... : operation. A loop, since tables of many pieces are written
// so.
Node Parser::expression() {
    enter(token_);
    std::vector<std::pair<Node, Node>> pieces;
    Node node = operation(BinaryOperator::loosest);
    while (token_.is("?")) {
        const Token question = take();
        pieces.emplace_back(node, expression());
        if (!accept(":")) lexer_.fail(question.position, "'?' without its ':'", "write condition ? a : b");
        node = operation(BinaryOperator::loosest);
    }
    for (; !pieces.empty(); pieces.pop_back()) node = builder_.select(pieces.back().first, pieces.back().second, node);
    leave();
    return node;
}

// Operators of this precedence and tighter ones, from left to right. Comparisons do not follow each other: 0 < x < 1
// would mean (0 < x) < 1, which nobody wants.
Node Parser::operation(int precedence) {
    Node left = negated();
    const BinaryOperator* last = nullptr;
    while (const BinaryOperator* next = binary_operator()) {
        if (next->precedence < precedence) break;
        if (last && last->precedence == next->precedence && next->precedence == BinaryOperator::of_comparisons)
            lexer_.fail(token_.position, fmt::format("second comparison '{}'", next->symbol),
                        "write a < b && b < c, or use parentheses");
        take();
        const Node right = operation(next->precedence + 1);
        left = next->is_swapped ? builder_.binary(next->operation, right, left)
                                : builder_.binary(next->operation, left, right);
        last = next;
    }
    return left;
}

// -x, +x, !x bind tighter than * and looser than ^; the word `not` binds looser than comparisons.
Node Parser::negated() {
    std::vector<Operation> operations;
    for (;; take()) {
        if (token_.is("-"))
            operations.push_back(Operation::negate);
        else if (token_.is("!"))
            operations.push_back(Operation::logical_not);
        else if (!token_.is("+"))
            break;
    }
    Node node{};
    if (token_.is("not")) {
        enter(token_);
        take();
        node = builder_.unary(Operation::logical_not, operation(BinaryOperator::of_comparisons));
        leave();
    } else {
        node = power();
    }
    for (; !operations.empty(); operations.pop_back()) node = builder_.unary(operations.back(), node);
    return node;
}

Node Parser::power() {
    const Node base = primary();
    if (!token_.is("^")) return base;
    enter(token_);
    take();
    const Node exponent = negated();
    leave();
    return builder_.power(base, exponent);
}

Node Parser::primary() {
    if (token_.kind == Token::Kind::number) return builder_.constant(take().number);
    if (token_.kind == Token::Kind::name) {
        const Token name = take();
        return token_.is("(") ? call(name) : variable(name);
    }
    if (!token_.is("(")) {
        const bool is_end = token_.kind == Token::Kind::end;
        lexer_.fail(token_.position, is_end ? "unexpected end" : "unexpected " + lexer_.shown(token_),
                    "a number, a name or '(' is missing");
    }
    const Token opening = take();
    const Node node = expression();
    close(opening, ")");
    return node;
}

Node Parser::call(const Token& name) {
    const ExpressionFunction* function = function_of_name(name.text);
    if (!function) refuse_function(name);
    const Nodes arguments = this->arguments();
    const std::ptrdiff_t count = std::ssize(arguments);
    if (count < function->least_arguments || count > function->most_arguments)
        lexer_.fail(name.position, fmt::format("{} has {} argument{}", name.text, count, count == 1 ? "" : "s"),
                    fmt::format("it takes {}", arguments_of(*function)));
    return result(*function, arguments);
}

Nodes Parser::arguments() {
    const Token opening = take();
    Nodes nodes;
    if (accept(")")) return nodes;
    do nodes.push_back(expression());
    while (accept(","));
    close(opening, ")");
    return nodes;
}

Node Parser::result(const ExpressionFunction& function, const Nodes& arguments) {
    if (function.operation == Operation::select) return builder_.select(arguments[0], arguments[1], arguments[2]);
    if (function.operation == Operation::power) return builder_.power(arguments[0], arguments[1]);
    if (arguments.size() == 1) return builder_.unary(function.operation, arguments[0]);
    Node node = arguments[0];
    for (std::size_t k = 1; k < arguments.size(); ++k) node = builder_.binary(function.operation, node, arguments[k]);
    return node;
}

Node Parser::variable(const Token& name) {
    Index first = 0;
    for (const Symbol& variable : symbols_.variables) {
        if (variable.name == name.text) return entry(variable, first, name);
        first += std::max<Index>(1, variable.size);
    }
    const auto defined = symbols_.definitions.find(name.text);
    const std::optional<double> value = constant_of_name(name.text, symbols_);
    if (!value && defined == symbols_.definitions.end()) refuse_name(name);
    if (token_.is("["))
        lexer_.fail(token_.position, fmt::format("index on the {} '{}'", value ? "constant" : "definition", name.text),
                    fmt::format("write {}", name.text));
    return defined != symbols_.definitions.end() ? definition(name, defined->second) : builder_.constant(*value);
}

// The text of a definition, read in its place; a mistake in it is shown there.
Node Parser::definition(const Token& name, const std::string& text) {
    if (const auto found = known_.find(name.text); found != known_.end()) return found->second;
    if (std::ranges::find(open_, name.text) != open_.end())
        lexer_.fail(name.position, fmt::format("'{}' is defined by itself", name.text), "break the circle");
    if (std::ssize(open_) >= deepest)
        lexer_.fail(name.position, fmt::format("definitions use each other more than {} levels deep", deepest),
                    "write some of them in one");
    std::vector<std::string_view> open = open_;
    open.push_back(name.text);
    const std::string where = fmt::format("{}{}'{}'", where_, where_.empty() ? "" : ", ", name.text);
    const Node node = Parser(text, symbols_, where, builder_, known_, open).whole();
    known_.emplace(name.text, node);
    return node;
}

Node Parser::entry(const Symbol& variable, Index first, const Token& name) {
    const bool has_index = token_.is("[");
    if (variable.size == 0 && has_index)
        lexer_.fail(token_.position, fmt::format("index on the scalar '{}'", variable.name),
                    fmt::format("write {}", variable.name));
    if (variable.size > 0 && !has_index)
        lexer_.fail(name.position, fmt::format("vector '{}' without index", variable.name),
                    fmt::format("write {}", written(variable)));
    return builder_.input(first + (has_index ? index(variable) : 0));
}

Index Parser::index(const Symbol& variable) {
    const Token opening = take(), token = token_;
    const bool is_whole = token.text.find_first_not_of("0123456789") == std::string_view::npos;
    if (token.kind != Token::Kind::number || !is_whole)
        lexer_.fail(token.position, fmt::format("{} is not an index of '{}'", lexer_.shown(token), variable.name),
                    fmt::format("write {}", written(variable)));
    if (!(token.number < static_cast<double>(variable.size)))
        lexer_.fail(token.position, fmt::format("index {} out of range", token.text),
                    fmt::format("'{}' has size {}: write {}", variable.name, variable.size, written(variable)));
    take();
    close(opening, "]");
    return static_cast<Index>(token.number);
}

void Parser::close(const Token& opening, std::string_view closing) {
    if (accept(closing)) return;
    if (token_.kind != Token::Kind::end) refuse();
    lexer_.fail(opening.position, fmt::format("unbalanced {}", lexer_.shown(opening)),
                fmt::format("there is no '{}' for it", closing));
}

// A token that nothing can follow up to here: where an operator, a closing parenthesis or the end could.
void Parser::refuse() {
    if (token_.is(")") || token_.is("]"))
        lexer_.fail(token_.position, "unbalanced " + lexer_.shown(token_),
                    fmt::format("there is no '{}' for it", token_.is(")") ? "(" : "["));
    if (token_.is(":")) lexer_.fail(token_.position, "':' without its '?'", "write condition ? a : b");
    const bool begins_operand = token_.kind != Token::Kind::symbol || token_.is("(") || token_.is("not");
    lexer_.fail(token_.position, "unexpected " + lexer_.shown(token_),
                begins_operand || token_.is("!") ? "an operator is missing before it, * for a product" : "");
}

void Parser::refuse_name(const Token& name) {
    if (function_of_name(name.text))
        lexer_.fail(name.position, fmt::format("function '{}' without arguments", name.text),
                    fmt::format("write {}(...)", name.text));
    lexer_.fail(name.position, "unknown name " + lexer_.shown(name), suggested_name(name.text, symbols_));
}

void Parser::refuse_function(const Token& name) {
    const auto is_named = [&](const Symbol& variable) { return variable.name == name.text; };
    if (std::ranges::any_of(symbols_.variables, is_named) || constant_of_name(name.text, symbols_))
        lexer_.fail(name.position, fmt::format("{} is not a function", lexer_.shown(name)),
                    fmt::format("write {}*(...) for a product", name.text));
    lexer_.fail(name.position, "unknown function " + lexer_.shown(name), suggested_function(name.text));
}

}  // namespace

ProgramBuilder::Node parse_expression(std::string_view text, const Symbols& symbols, const std::string& where,
                                      ProgramBuilder& builder, KnownDefinitions& known) {
    return Parser(text, symbols, where, builder, known).whole();
}

}  // namespace saltus
