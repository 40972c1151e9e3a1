#include "saltus/model/program.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace saltus {

namespace {

double sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }  // NaN stays NaN
double step(double x) { return x < 0.0 ? 0.0 : x >= 0.0 ? 1.0 : x; }

// Which of two is the least, the greatest: the first if they are equal, and NaN before any number.
bool first_is_least(double a, double b) { return a <= b || std::isnan(a); }
bool first_is_greatest(double a, double b) { return a >= b || std::isnan(a); }

// a - b floor(a / b), in [0, b) in spite of rounding: fmod is exact, its sum with b may round to b.
double modulo(double a, double b) {
    const double remainder = std::fmod(a, b);
    if (remainder == 0.0) return 0.0;
    if ((remainder < 0.0) == (b < 0.0)) return remainder;
    const double result = remainder + b;
    return result == b ? std::nextafter(b, 0.0) : result;
}

// d a^b / da = b a^(b - 1), 0 for a constant power even where a = 0.
double power_slope(double a, double b) { return b == 0.0 ? 0.0 : b * std::pow(a, b - 1.0); }

// d a^b / db = log(a) a^b, whose limit is 0 for a -> 0, b > 0.
double exponent_slope(double a, double b, double result) { return a == 0.0 && b > 0.0 ? 0.0 : std::log(a) * result; }

// The chain rule through one instruction.
void add_adjoints(const Instruction& instruction, const double* values, double result, double adjoint,
                  double* adjoints) {
    const auto& operand = instruction.operand;
    const double a = values[operand[0]], b = values[operand[1]];
    double &to_a = adjoints[operand[0]], &to_b = adjoints[operand[1]];
    switch (instruction.operation) {
        case Operation::negate:
            to_a -= adjoint;
            break;
        case Operation::sin:
            to_a += adjoint * std::cos(a);
            break;
        case Operation::cos:
            to_a -= adjoint * std::sin(a);
            break;
        case Operation::tan:
            to_a += adjoint * (1.0 + result * result);
            break;
        case Operation::asin:
            to_a += adjoint / std::sqrt((1.0 - a) * (1.0 + a));
            break;
        case Operation::acos:
            to_a -= adjoint / std::sqrt((1.0 - a) * (1.0 + a));
            break;
        case Operation::atan:
            to_a += adjoint / (1.0 + a * a);
            break;
        case Operation::sinh:
            to_a += adjoint * std::cosh(a);
            break;
        case Operation::cosh:
            to_a += adjoint * std::sinh(a);
            break;
        case Operation::tanh:
            to_a += adjoint / std::cosh(a) / std::cosh(a);  // 1 - tanh^2 would cancel
            break;
        case Operation::exp:
            to_a += adjoint * result;
            break;
        case Operation::log:
            to_a += adjoint / a;
            break;
        case Operation::log10:
            to_a += adjoint / (a * std::numbers::ln10);
            break;
        case Operation::sqrt:
            to_a += adjoint / (2.0 * result);
            break;
        case Operation::cbrt:
            to_a += adjoint / (3.0 * result * result);
            break;
        case Operation::abs:
            to_a += adjoint * sign(a);
            break;
        case Operation::add:
            to_a += adjoint, to_b += adjoint;
            break;
        case Operation::subtract:
            to_a += adjoint, to_b -= adjoint;
            break;
        case Operation::multiply:
            to_a += adjoint * b, to_b += adjoint * a;
            break;
        case Operation::divide:
            to_a += adjoint / b, to_b -= adjoint / b * result;
            break;
        case Operation::power:
            to_b += adjoint * exponent_slope(a, b, result);
            [[fallthrough]];
        case Operation::power_constant:
            to_a += adjoint * power_slope(a, b);
            break;
        case Operation::atan2: {
            const double length = std::hypot(a, b);
            to_a += adjoint * (b / length / length), to_b -= adjoint * (a / length / length);
            break;
        }
        case Operation::hypot:
            if (result != 0.0) to_a += adjoint * (a / result), to_b += adjoint * (b / result);
            break;
        case Operation::minimum:
            (first_is_least(a, b) ? to_a : to_b) += adjoint;
            break;
        case Operation::maximum:
            (first_is_greatest(a, b) ? to_a : to_b) += adjoint;
            break;
        case Operation::modulo:
            to_a += adjoint, to_b -= adjoint * std::round((a - result) / b);
            break;
        case Operation::select:
            (a != 0.0 ? to_b : adjoints[operand[2]]) += adjoint;
            break;
        case Operation::logical_not:
        case Operation::sign:
        case Operation::floor:
        case Operation::ceil:
        case Operation::step:
        case Operation::less:
        case Operation::less_equal:
        case Operation::equal:
        case Operation::not_equal:
        case Operation::logical_and:
        case Operation::logical_or:
            break;
    }
}

}  // namespace

int operands(Operation operation) {
    if (operation == Operation::select) return 3;
    return operation >= Operation::add ? 2 : 1;
}

bool jumps(Operation operation) {
    switch (operation) {
        case Operation::logical_not:
        case Operation::sign:
        case Operation::floor:
        case Operation::ceil:
        case Operation::step:
        case Operation::modulo:
        case Operation::less:
        case Operation::less_equal:
        case Operation::equal:
        case Operation::not_equal:
        case Operation::logical_and:
        case Operation::logical_or:
        case Operation::select:
            return true;
        default:
            return false;
    }
}

double apply(Operation operation, double a, double b, double c) {
    switch (operation) {
        case Operation::negate:
            return -a;
        case Operation::logical_not:
            return a == 0.0;
        case Operation::sin:
            return std::sin(a);
        case Operation::cos:
            return std::cos(a);
        case Operation::tan:
            return std::tan(a);
        case Operation::asin:
            return std::asin(a);
        case Operation::acos:
            return std::acos(a);
        case Operation::atan:
            return std::atan(a);
        case Operation::sinh:
            return std::sinh(a);
        case Operation::cosh:
            return std::cosh(a);
        case Operation::tanh:
            return std::tanh(a);
        case Operation::exp:
            return std::exp(a);
        case Operation::log:
            return std::log(a);
        case Operation::log10:
            return std::log10(a);
        case Operation::sqrt:
            return std::sqrt(a);
        case Operation::cbrt:
            return std::cbrt(a);
        case Operation::abs:
            return std::abs(a);
        case Operation::sign:
            return sign(a);
        case Operation::floor:
            return std::floor(a);
        case Operation::ceil:
            return std::ceil(a);
        case Operation::step:
            return step(a);
        case Operation::add:
            return a + b;
        case Operation::subtract:
            return a - b;
        case Operation::multiply:
            return a * b;
        case Operation::divide:
            return a / b;
        case Operation::power:
        case Operation::power_constant:
            return std::pow(a, b);
        case Operation::atan2:
            return std::atan2(a, b);
        case Operation::hypot:
            return std::hypot(a, b);
        case Operation::minimum:
            return first_is_least(a, b) ? a : b;
        case Operation::maximum:
            return first_is_greatest(a, b) ? a : b;
        case Operation::modulo:
            return modulo(a, b);
        case Operation::less:
            return a < b;
        case Operation::less_equal:
            return a <= b;
        case Operation::equal:
            return a == b;
        case Operation::not_equal:
            return a != b;
        case Operation::logical_and:
            return a != 0.0 && b != 0.0;
        case Operation::logical_or:
            return a != 0.0 || b != 0.0;
        case Operation::select:
            return a != 0.0 ? b : c;
    }
    return 0.0;
}

void run(const Program& program, const double* in, double* values) {
    for (const std::int32_t input : program.inputs) *values++ = in[input];
    values = std::copy(program.constants.begin(), program.constants.end(), values);
    double* const first = values - program.first_result();
    for (const Instruction& instruction : program.instructions) {
        const auto& operand = instruction.operand;
        *values++ = apply(instruction.operation, first[operand[0]], first[operand[1]], first[operand[2]]);
    }
}

void run_back(const Program& program, std::span<const std::int32_t> instructions, const double* values,
              double* adjoints) {
    const Index first_result = program.first_result();
    for (const std::int32_t k : instructions) {
        const Index value = first_result + k;
        const double adjoint = std::exchange(adjoints[value], 0.0);
        if (adjoint == 0.0) continue;
        add_adjoints(program.instructions[static_cast<std::size_t>(k)], values, values[value], adjoint, adjoints);
    }
}

}  // namespace saltus
