#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "saltus/model/program.hpp"
#include "saltus/model/symbols.hpp"

namespace saltus {

// Functions written as text, such as "-sin(q[0])/L + u": one text per output, over common arguments. The texts are read
// once; their values and exact derivatives then cost neither memory nor recursion.
//
//   numbers       1  .5  1e-3                        constants   pi  e, unless the user defines them
//   operators, from loose to tight:
//       c ? a : b     || or     && and     not     < <= > >= == !=     + -     * /     - + ! before an operand     ^ **
//       -x^2 = -(x^2);  2^3^2 = 2^9;  2^-x;  a comparison of comparisons needs parentheses
//   functions     sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt cbrt abs sign floor ceil hypot pow
//                 min(a, b, ...)  max(a, b, ...)  mod(a, b), in [0, b)  step(x), 0 for x < 0, else 1  if(c, a, b)
//
// Conditions are numbers: zero is false. Only the branch taken of c ? a : b counts, in the value and in the
// derivatives: NaN in the other does no harm. A piecewise function has the derivative of the piece that gives its
// value; the derivatives of conditions, floor, ceil, sign and step are 0, and so is that of abs at 0.
//
// Constant once built: several threads may use one object, each with its own scratch.
class Expressions {
public:
    Expressions() = default;
    // Throws InvalidInput for a text that cannot be read. The message begins with `where`, then [i] if there are
    // several texts, and shows the place of the mistake.
    Expressions(const std::vector<std::string>& texts, const Symbols& symbols, const std::string& where = "");

    Index inputs() const { return inputs_; }
    Index outputs() const { return std::ssize(program_.outputs); }
    // The number of doubles that the two functions below need as scratch.
    Index scratch_size() const { return 2 * program_.values(); }

    // out <- the values at `in`.
    void evaluate(const double* in, double* out, double* scratch) const;
    // jacobian[i + stride j] <- d out_i / d in_j, stride >= outputs(), by one reverse sweep per output; out <- the
    // values, unless it is null.
    void jacobian(const double* in, double* out, double* jacobian, double* scratch) const;

    // Whether the input occurs in the output, once constants are evaluated.
    bool depends_on(Index output, Index input) const;

    // The smoothness of the outputs together. A choice c ? a : b counts as a jump, though its pieces may meet.
    Variation variation() const;

    // If the outputs are A z + b, z the inputs first .. first + count - 1, with A the same for all inputs: A. The rest
    // b may depend on the other inputs, and is the value at z = 0. Found from the operations, not from samples; what is
    // affine for a deeper reason, such as sin(x)^2 + cos(x)^2, is not recognised.
    std::optional<Eigen::MatrixXd> affine_coefficients(Index first, Index count) const;

private:
    // The parts of an output: ranges of `sweep_instructions_` and `sweep_inputs_`.
    struct Sweep {
        std::size_t first_instruction, end_instruction, first_input, end_input;
    };
    void plan_sweep(std::int32_t output, std::vector<bool>& seen);
    void sweep(std::size_t output, const double* values, double* adjoints, double* row) const;
    bool are_affine(Index first, Index count) const;

    Index inputs_ = 0;
    Program program_;
    std::vector<Sweep> sweeps_;
    std::vector<std::int32_t> sweep_instructions_;  // their places in the program, results before operands
    std::vector<std::int32_t> sweep_inputs_;        // their places among the values
};

}  // namespace saltus
