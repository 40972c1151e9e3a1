#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/model/expression.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

const Symbols ball_symbols{{{"x"}, {"q", 3}, {"v", 1}, {"lambda"}}, {{"k", 3.0}}};

// The message of a text that is wrong.
std::string message(const std::string& text, const Symbols& symbols = ball_symbols, const std::string& where = "f") {
    try {
        Expressions({text}, symbols, where);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "no error";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The text itself on the second line, and on the third a mark under the column named on the first.
void expect_mark(const std::string& text, const std::string& found, std::size_t column) {
    EXPECT_EQ(found.substr(found.find('\n')), "\n    " + text + "\n    " + std::string(column - 1, ' ') + "^");
}

TEST(ExpressionErrors, TheMessageShowsThePlace) {
    try {
        Expressions({"x", "-k*x + lambbda"}, ball_symbols, "system 'ball', f");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(),
                     "system 'ball', f[1]: unknown name 'lambbda' at column 8; did you mean 'lambda'?\n"
                     "    -k*x + lambbda\n"
                     "           ^");
    }
}

TEST(ExpressionErrors, EveryMistakeHasItsWords) {
    struct Case {
        const char* text;
        std::size_t column;
        const char* what;
        const char* remedy;
    };
    const char* const operand = "; a number, a name or '(' is missing";
    const char* const no_operator = "; an operator is missing before it, * for a product";
    const char* const ternary = "; write condition ? a : b";
    const Case cases[] = {
        {"x + lamda", 5, "unknown name 'lamda'", "; did you mean 'lambda'?"},
        {"x + Lambda", 5, "unknown name 'Lambda'", "; did you mean 'lambda'?"},
        {"y", 1, "unknown name 'y'", "; known are x, q[0] .. q[2], v[0], lambda, k, pi, e"},
        {"1 + q[3]", 7, "index 3 out of range", "; 'q' has size 3: write q[0] .. q[2]"},
        {"v[99999999999999999999]", 3, "index 99999999999999999999 out of range", "; 'v' has size 1: write v[0]"},
        {"2*q", 3, "vector 'q' without index", "; write q[0] .. q[2]"},
        {"2*v", 3, "vector 'v' without index", "; write v[0]"},
        {"2*x[0]", 4, "index on the scalar 'x'", "; write x"},
        {"k[0]", 2, "index on the constant 'k'", "; write k"},
        {"q[1.5]", 3, "'1.5' is not an index of 'q'", "; write q[0] .. q[2]"},
        {"q[-1]", 3, "'-' is not an index of 'q'", "; write q[0] .. q[2]"},
        {"q[x]", 3, "'x' is not an index of 'q'", "; write q[0] .. q[2]"},
        {"q[", 3, "the end is not an index of 'q'", "; write q[0] .. q[2]"},
        {"q[0", 2, "unbalanced '['", "; there is no ']' for it"},
        {"x + sinn(x)", 5, "unknown function 'sinn'", "; did you mean 'sin'?"},
        {"x(2)", 1, "'x' is not a function", "; write x*(...) for a product"},
        {"k (2)", 1, "'k' is not a function", "; write k*(...) for a product"},
        {"2*sin", 3, "function 'sin' without arguments", "; write sin(...)"},
        {"1 + sin(x, x)", 5, "sin has 2 arguments", "; it takes 1 argument"},
        {"sin()", 1, "sin has 0 arguments", "; it takes 1 argument"},
        {"atan2(x)", 1, "atan2 has 1 argument", "; it takes 2 arguments"},
        {"max(x)", 1, "max has 1 argument", "; it takes 2 or more arguments"},
        {"if(x, 1)", 1, "if has 2 arguments", "; it takes 3 arguments"},
        {"(x + 1", 1, "unbalanced '('", "; there is no ')' for it"},
        {"2*sin(x", 6, "unbalanced '('", "; there is no ')' for it"},
        {"((x) + 1", 1, "unbalanced '('", "; there is no ')' for it"},
        {"x + 1)", 6, "unbalanced ')'", "; there is no '(' for it"},
        {"x]", 2, "unbalanced ']'", "; there is no '[' for it"},
        {"x +", 4, "unexpected end", operand},
        {"x + * 2", 5, "unexpected '*'", operand},
        {"()", 2, "unexpected ')'", operand},
        {"sin(,x)", 5, "unexpected ','", operand},
        {"x, x", 2, "unexpected ','", ""},
        {"2x", 2, "unexpected 'x'", no_operator},
        {"x x", 3, "unexpected 'x'", no_operator},
        {"(x 2)", 4, "unexpected '2'", no_operator},
        {"x (2", 1, "'x' is not a function", "; write x*(...) for a product"},
        {"2 (x)", 3, "unexpected '('", no_operator},
        {"1.2.3", 4, "unexpected '.3'", no_operator},
        {"x = 1", 3, "unexpected '='", "; write == to compare"},
        {"x & 1", 3, "unexpected '&'", "; write && for and"},
        {"x | 1", 3, "unexpected '|'", "; write || for or"},
        {"x % 2", 3, "unexpected '%'", "; write mod(a, b) for a remainder"},
        {"x $ 2", 3, "unexpected '$'", ""},
        {"1e999*x", 1, "number 1e999 out of range", "; the range is 4.9e-324 to 1.8e308"},
        {"x + 1e-999", 5, "number 1e-999 out of range", "; the range is 4.9e-324 to 1.8e308"},
        {"x ? 1", 3, "'?' without its ':'", ternary},
        {"x : 1", 3, "':' without its '?'", ternary},
        {"0 < x < 1", 7, "second comparison '<'", "; write a < b && b < c, or use parentheses"},
    };
    for (const Case& one : cases) {
        const std::string found = message(one.text);
        EXPECT_EQ(first_line(found), fmt::format("f: {} at column {}{}", one.what, one.column, one.remedy));
        if (found != "no error") expect_mark(one.text, found, one.column);
    }
}

TEST(ExpressionErrors, AnUnknownFunctionFarFromAllNamesThemAll) {
    EXPECT_NE(message("quadrature(x)").find("unknown function 'quadrature' at column 1; the functions are sin, cos, "),
              std::string::npos);
}

TEST(ExpressionErrors, EmptyTexts) {
    for (const char* text : {"", "  ", "\n\t"})
        EXPECT_EQ(message(text), "f: the expression is empty; write 0 for nothing");
    EXPECT_EQ(message("", ball_symbols, ""), "the expression is empty; write 0 for nothing");
}

TEST(ExpressionErrors, CharactersOfManyBytesAreShownWhole) {
    const std::string found = message("x \u2212 1");  // the minus sign of a text processor
    EXPECT_EQ(found, "f: unexpected '\u2212' at column 3\n    x \u2212 1\n      ^");
    EXPECT_EQ(first_line(message("1 +\n  \u00e9 ")), "f: unexpected '\u00e9' at column 7");
    expect_mark("1 +   \u00e9 ", message("1 +\n  \u00e9 "), 7);  // on one line
}

TEST(ExpressionErrors, LongTextsAreCutAroundThePlace) {
    const std::string found = message(std::string(1000, ' ') + "y" + std::string(1000, '+'));
    EXPECT_EQ(found.substr(found.find('\n')), "\n    ..." + std::string(60, ' ') + "y" + std::string(59, '+') +
                                                  "...\n    " + std::string(63, ' ') + "^");
    EXPECT_LT(message(std::string(100000, 'y')).size(), 500u);
    EXPECT_LT(message(std::string(100000, 'y') + "(1)").size(), 800u);
}

TEST(ExpressionErrors, DeepNestingIsRefused) {
    for (const std::string piece :
         {"(", "sin(", "-(", "2^", "2^-", "not ", "1 ? ", "if(x, ", "(1 + 2*", "!(", "1 + not "}) {
        std::string text;
        for (int k = 0; k < 100000; ++k) text += piece;
        const std::string found = message(text);
        EXPECT_NE(found.find("nesting deeper than 256 levels at column "), std::string::npos) << piece;
    }
    const std::string deep = std::string(255, '(') + "x" + std::string(255, ')');
    EXPECT_EQ(message(deep), "no error");
    EXPECT_NE(message("(" + deep + ")"), "no error");
}

TEST(ExpressionErrors, SymbolsMustHaveOneMeaningEach) {
    EXPECT_NE(message("0", {{{"2x"}}, {}}).find("f: the variable '2x' has no name that can be written"),
              std::string::npos);
    EXPECT_NE(message("0", {{{""}}, {}}).find("the variable ''"), std::string::npos);
    EXPECT_NE(message("0", {{{"and"}}, {}}).find("the variable 'and'"), std::string::npos);
    EXPECT_NE(message("0", {{}, {{"m/s", 1.0}}}).find("the constant 'm/s'"), std::string::npos);
    EXPECT_EQ(message("0", {{{"x"}, {"x", 2}}, {}}), "f: the name 'x' has two meanings; rename the variable");
    EXPECT_EQ(message("0", {{{"x"}}, {{"x", 2.0}}}), "f: the name 'x' has two meanings; rename the constant");
    EXPECT_EQ(message("0", {{{"x", -1}}, {}}),
              "f: the variable 'x' has size -1; give 0 for a scalar, else the number of entries");
}

// A text of random pieces is read or refused with InvalidInput; nothing else happens (the sanitizers watch).
TEST(ExpressionErrors, AnyTextIsReadOrRefused) {
    const std::string pieces[] = {"x", "q[0]", "q",    "[",   "]",    "(",  ")",    "+",   "-",  "*",  "/",
                                  "^", "**",   "<",    "<=",  "==",   "!",  "?",    ":",   "&&", "or", "not",
                                  ",", "sin(", "max(", "if(", "1",    ".5", "2e",   "1e9", " ",  "e",  "pi",
                                  "k", "lam",  "=",    "$",   "\xe2", "\n", "mod(", "v[0]"};
    Random random(11);
    int read = 0;
    for (int trial = 0; trial < 100000; ++trial) {
        std::string text;
        for (Index count = random.integer(0, 12); count > 0; --count)
            text += pieces[random.integer(0, static_cast<Index>(std::size(pieces)) - 1)];
        try {
            const Expressions expressions({text}, ball_symbols, "f");
            const Eigen::VectorXd in = Eigen::VectorXd::Constant(expressions.inputs(), 0.5);
            Eigen::VectorXd out(1), J(expressions.inputs()), scratch(expressions.scratch_size());
            expressions.jacobian(in.data(), out.data(), J.data(), scratch.data());
            static_cast<void>(expressions.affine_coefficients(0, expressions.inputs()));
            ++read;
        } catch (const InvalidInput& error) {
            ASSERT_TRUE(std::string_view(error.what()).starts_with("f: "));
        }
    }
    EXPECT_GT(read, 1000);
    for (int trial = 0; trial < 20000; ++trial) {  // any bytes
        std::string text;
        for (Index count = random.integer(0, 20); count > 0; --count) text += static_cast<char>(random.integer(0, 255));
        EXPECT_NE(message(text), "") << text;
    }
}

}  // namespace
}  // namespace saltus
