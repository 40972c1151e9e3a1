#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "support/random_problems.hpp"

namespace saltus::testing {

// A text over x[0], x[1], x[2] and t (the fourth argument), and what it means, worked out by the compiler of C++: NaN
// where a part is not finite or has no finite derivative, since derivatives are then not what differences say.
struct RandomExpression {
    std::string text;
    std::function<double(const double*)> value;
};

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
inline double finite_or_nan(double x) { return std::isfinite(x) ? x : nowhere; }
inline double power_of_positive(double x, double y) { return x > 0.0 ? std::pow(x, y) : nowhere; }

inline RandomExpression random_leaf(Random& random) {
    if (random.coin(0.25)) {
        const double constant = std::round(random.uniform(-30.0, 30.0)) / 10.0 + 0.0;  // no -0
        return {fmt::format("({})", constant), [=](const double*) { return constant; }};
    }
    const Index input = random.integer(0, 3);
    return {input == 3 ? "t" : fmt::format("x[{}]", input), [=](const double* in) { return in[input]; }};
}

inline RandomExpression random_call(Random& random, const RandomExpression& a) {
    struct Named {
        const char* name;
        double (*function)(double);
    };
    static constexpr Named functions[] = {
        {"sin", [](double x) { return std::sin(x); }},
        {"cos", [](double x) { return std::cos(x); }},
        {"tan", [](double x) { return std::tan(x); }},
        {"asin", [](double x) { return std::abs(x) < 1.0 ? std::asin(x) : nowhere; }},
        {"acos", [](double x) { return std::abs(x) < 1.0 ? std::acos(x) : nowhere; }},
        {"atan", [](double x) { return std::atan(x); }},
        {"sinh", [](double x) { return std::sinh(x); }},
        {"cosh", [](double x) { return std::cosh(x); }},
        {"tanh", [](double x) { return std::tanh(x); }},
        {"exp", [](double x) { return std::exp(x); }},
        {"log", [](double x) { return std::log(x); }},
        {"log10", [](double x) { return std::log10(x); }},
        {"sqrt", [](double x) { return x > 0.0 ? std::sqrt(x) : nowhere; }},
        {"cbrt", [](double x) { return x != 0.0 ? std::cbrt(x) : nowhere; }},
        {"abs", [](double x) { return std::abs(x); }},
        {"floor", [](double x) { return std::floor(x); }},
        {"ceil", [](double x) { return std::ceil(x); }},
        {"step", [](double x) { return x < 0.0 ? 0.0 : 1.0; }},
        {"sign", [](double x) { return static_cast<double>((x > 0.0) - (x < 0.0)); }},
        {"-", [](double x) { return -x; }},
        {"!", [](double x) { return x == 0.0 ? 1.0 : 0.0; }},
    };
    const Named& one = functions[random.integer(0, static_cast<Index>(std::size(functions)) - 1)];
    return {fmt::format("({}({}))", one.name, a.text), [value = a.value, function = one.function](const double* in) {
                const double x = value(in);
                return std::isnan(x) ? nowhere : finite_or_nan(function(x));
            }};
}

inline RandomExpression random_pair(Random& random, const RandomExpression& a, const RandomExpression& b) {
    struct Shape {
        const char* format;
        double (*function)(double, double);
    };
    static constexpr Shape shapes[] = {
        {"({} + {})", [](double x, double y) { return x + y; }},
        {"({} - {})", [](double x, double y) { return x - y; }},
        {"({} * {})", [](double x, double y) { return x * y; }},
        {"({} / {})", [](double x, double y) { return x / y; }},
        {"({} ^ {})", power_of_positive},
        {"pow({}, {})", power_of_positive},
        {"atan2({}, {})", [](double x, double y) { return x == 0.0 && y == 0.0 ? nowhere : std::atan2(x, y); }},
        {"hypot({}, {})", [](double x, double y) { return std::hypot(x, y); }},
        {"min({}, {})", [](double x, double y) { return std::min(x, y); }},
        {"max({}, {})", [](double x, double y) { return std::max(x, y); }},
        {"mod({}, {})", [](double x, double y) { return x - y * std::floor(x / y); }},
        {"({} < {})", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
        {"({} >= {})", [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
        {"({0} > 0 && {1} > 0 ? {0} : {1})", [](double x, double y) { return x > 0 && y > 0 ? x : y; }},
        {"if({0} < 0 || {1} < 0, {0}, {1}*{0})", [](double x, double y) { return x < 0 || y < 0 ? x : y * x; }},
    };
    constexpr Index arithmetic = 5, all = static_cast<Index>(std::size(shapes));
    const Shape& shape = shapes[random.integer(0, (random.coin(0.6) ? arithmetic : all) - 1)];
    return {fmt::format(fmt::runtime(shape.format), a.text, b.text),
            [a = a.value, b = b.value, function = shape.function](const double* in) {
                const double x = a(in), y = b(in);
                return std::isnan(x) || std::isnan(y) ? nowhere : finite_or_nan(function(x, y));
            }};
}

inline RandomExpression random_expression(Random& random, int depth) {
    if (depth == 0 || random.coin(0.1)) return random_leaf(random);
    const RandomExpression a = random_expression(random, depth - 1);
    if (random.coin(0.35)) return random_call(random, a);
    if (random.coin(0.15)) {
        const double power = static_cast<double>(random.integer(-3, 6));
        return {fmt::format("(({})^{})", a.text, power), [value = a.value, power](const double* in) {
                    const double x = value(in);
                    return std::isnan(x) ? nowhere : finite_or_nan(std::pow(x, power));
                }};
    }
    return random_pair(random, a, random_expression(random, depth - 1));
}

}  // namespace saltus::testing
