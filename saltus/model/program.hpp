#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/core/matrix.hpp"

// Expressions as a computer evaluates them: a flat list of instructions over an array of values.
namespace saltus {

// A value used as a condition is true if it is not zero; comparisons and logic give 0 or 1. Operations are total: where
// mathematics has no value, they give what <cmath> does, NaN or infinity.
enum class Operation : std::int32_t {
    // one operand
    negate,
    logical_not,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    log10,
    sqrt,
    cbrt,
    abs,
    sign,
    floor,
    ceil,
    step,  // 0 for x < 0, else 1
    // two operands
    add,
    subtract,
    multiply,
    divide,
    power,
    power_constant,  // power with a constant exponent: no derivative with respect to it, which would need a base > 0
    atan2,
    hypot,
    minimum,
    maximum,
    modulo,  // a - b floor(a / b), in [0, b)
    less,
    less_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    // three operands
    select,  // a ? b : c
};

// How a function may vary with its arguments, as its operations show; larger values are rougher.
enum class Variation { constant, continuous, jumps };

int operands(Operation operation);

// The result of one operation; b and c are ignored by operations with fewer operands.
double apply(Operation operation, double a, double b, double c);

// Whether its result may jump while its operands vary continuously.
bool jumps(Operation operation);

// value = operation(values[operand[0]], ...): operands come before their results; unused ones are 0.
struct Instruction {
    Operation operation;
    std::int32_t operand[3];
};

// The values are, in this order: the inputs that occur, the constants, the results of the instructions.
struct Program {
    std::vector<std::int32_t> inputs;  // values[k] = in[inputs[k]]
    std::vector<double> constants;
    std::vector<Instruction> instructions;
    std::vector<std::int32_t> outputs;  // which values are the outputs

    Index first_result() const { return std::ssize(inputs) + std::ssize(constants); }
    Index values() const { return first_result() + std::ssize(instructions); }
    bool is_constant(Index value) const { return value >= std::ssize(inputs) && value < first_result(); }
};

// values <- all values of the program at `in`.
void run(const Program& program, const double* in, double* values);

// The reverse mode of automatic differentiation (Griewank, Walther, Evaluating Derivatives, 2008, ch. 3). The adjoint
// of a value is d output / d value; each instruction listed, results before operands, gives its adjoint to its
// operands,
//     adjoint(operand) += (d result / d operand) adjoint(result),
// and is left with zero. A zero adjoint gives nothing, since the values of a branch not taken may be infinite or NaN.
// The derivative of a piecewise function, such as abs, min or select, is that of the piece which gave the result. Where
// two pieces meet it is that of the first operand for min and max, and 0 for abs and hypot. It is 0 for conditions,
// floor, ceil, sign and step.
void run_back(const Program& program, std::span<const std::int32_t> instructions, const double* values,
              double* adjoints);

}  // namespace saltus
