#include "saltus/model/expression.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "saltus/core/check.hpp"
#include "saltus/model/expression_parser.hpp"

namespace saltus {

namespace {

// How a value depends on some of the inputs: not at all; as a sum of multiples of them by constants, and of a rest
// without them; in another way.
enum class Dependence { none, affine, other };

Dependence of_result(const Program& program, const Instruction& instruction, const std::vector<Dependence>& known) {
    const auto of = [&](int k) { return known[static_cast<std::size_t>(instruction.operand[k])]; };
    const auto is_constant = [&](int k) { return program.is_constant(instruction.operand[k]); };
    Dependence most = Dependence::none;
    for (int k = 0; k < operands(instruction.operation); ++k) most = std::max(most, of(k));
    if (most != Dependence::affine) return most;
    switch (instruction.operation) {
        case Operation::negate:
        case Operation::add:
        case Operation::subtract:
            return Dependence::affine;
        case Operation::multiply:
            return is_constant(0) || is_constant(1) ? Dependence::affine : Dependence::other;
        case Operation::divide:
            return is_constant(1) ? Dependence::affine : Dependence::other;
        default:
            return Dependence::other;
    }
}

}  // namespace

Expressions::Expressions(const std::vector<std::string>& texts, const Symbols& symbols, const std::string& where)
    : inputs_(argument_count(symbols)) {
    check(symbols, where);
    ProgramBuilder builder;
    KnownDefinitions known;
    std::vector<ProgramBuilder::Node> nodes;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        const std::string place = texts.size() > 1 ? fmt::format("{}[{}]", where, k) : where;
        nodes.push_back(parse_expression(texts[k], symbols, place, builder, known));
    }
    program_ = builder.finish(nodes);
    std::vector<bool> seen(static_cast<std::size_t>(program_.values()), false);
    for (const std::int32_t output : program_.outputs) plan_sweep(output, seen);
}

// `seen` is all false, before and after.
void Expressions::plan_sweep(std::int32_t output, std::vector<bool>& seen) {
    const auto first_result = static_cast<std::int32_t>(program_.first_result());
    Sweep sweep{sweep_instructions_.size(), 0, sweep_inputs_.size(), 0};
    std::vector<std::int32_t> found{output};
    seen[static_cast<std::size_t>(output)] = true;
    for (std::size_t next = 0; next < found.size(); ++next) {
        const std::int32_t place = found[next] - first_result;
        if (place < 0) continue;
        const Instruction& instruction = program_.instructions[static_cast<std::size_t>(place)];
        for (int k = 0; k < operands(instruction.operation); ++k) {
            const std::int32_t operand = instruction.operand[k];
            if (!seen[static_cast<std::size_t>(operand)]) found.push_back(operand);
            seen[static_cast<std::size_t>(operand)] = true;
        }
    }
    std::ranges::sort(found, std::greater<>());
    for (const std::int32_t value : found) {
        seen[static_cast<std::size_t>(value)] = false;
        if (value >= first_result) sweep_instructions_.push_back(value - first_result);
        if (value < std::ssize(program_.inputs)) sweep_inputs_.push_back(value);
    }
    sweep.end_instruction = sweep_instructions_.size();
    sweep.end_input = sweep_inputs_.size();
    sweeps_.push_back(sweep);
}

void Expressions::evaluate(const double* in, double* out, double* scratch) const {
    run(program_, in, scratch);
    for (const std::int32_t output : program_.outputs) *out++ = scratch[output];
}

void Expressions::jacobian(const double* in, double* out, double* jacobian, double* scratch) const {
    double *const values = scratch, *const adjoints = scratch + program_.values();
    run(program_, in, values);
    std::fill_n(adjoints, program_.values(), 0.0);
    std::fill_n(jacobian, outputs() * inputs(), 0.0);
    for (std::size_t i = 0; i < sweeps_.size(); ++i) sweep(i, values, adjoints, jacobian + i);
    if (!out) return;
    for (const std::int32_t output : program_.outputs) *out++ = values[output];
}

// Adjoints, except those of constants, which are never read, are zero before and after.
void Expressions::sweep(std::size_t output, const double* values, double* adjoints, double* row) const {
    const Sweep& sweep = sweeps_[output];
    adjoints[program_.outputs[output]] = 1.0;
    run_back(program_,
             {sweep_instructions_.data() + sweep.first_instruction, sweep.end_instruction - sweep.first_instruction},
             values, adjoints);
    for (std::size_t k = sweep.first_input; k < sweep.end_input; ++k) {
        const std::int32_t value = sweep_inputs_[k];
        row[outputs() * program_.inputs[static_cast<std::size_t>(value)]] = std::exchange(adjoints[value], 0.0);
    }
}

bool Expressions::depends_on(Index output, Index input) const {
    require(output >= 0 && output < outputs(), "Expressions: there is no output {}; there are {}", output, outputs());
    require(input >= 0 && input < inputs(), "Expressions: there is no input {}; there are {}", input, inputs());
    const Sweep& sweep = sweeps_[static_cast<std::size_t>(output)];
    const auto is_input = [&](std::int32_t value) { return program_.inputs[static_cast<std::size_t>(value)] == input; };
    return std::any_of(sweep_inputs_.data() + sweep.first_input, sweep_inputs_.data() + sweep.end_input, is_input);
}

Variation Expressions::variation() const {
    if (program_.inputs.empty()) return Variation::constant;
    const auto does_jump = [](const Instruction& instruction) { return jumps(instruction.operation); };
    return std::ranges::any_of(program_.instructions, does_jump) ? Variation::jumps : Variation::continuous;
}

bool Expressions::are_affine(Index first, Index count) const {
    std::vector<Dependence> known;
    known.reserve(static_cast<std::size_t>(program_.values()));
    for (const std::int32_t input : program_.inputs)
        known.push_back(input >= first && input < first + count ? Dependence::affine : Dependence::none);
    known.resize(static_cast<std::size_t>(program_.first_result()), Dependence::none);
    for (const Instruction& instruction : program_.instructions)
        known.push_back(of_result(program_, instruction, known));
    return std::ranges::none_of(program_.outputs, [&](std::int32_t output) {
        return known[static_cast<std::size_t>(output)] == Dependence::other;
    });
}

std::optional<Eigen::MatrixXd> Expressions::affine_coefficients(Index first, Index count) const {
    require(first >= 0 && count >= 0 && first <= inputs() && count <= inputs() - first,
            "Expressions: {} inputs from number {} on are asked for; there are {} in total", count, first, inputs());
    if (!are_affine(first, count)) return std::nullopt;
    // The derivatives with respect to these inputs read no value but constants: any point serves.
    const Eigen::VectorXd point = Eigen::VectorXd::Zero(inputs());
    Eigen::VectorXd scratch(scratch_size());
    Eigen::MatrixXd derivatives(outputs(), inputs());
    jacobian(point.data(), nullptr, derivatives.data(), scratch.data());
    Eigen::MatrixXd coefficients = derivatives.middleCols(first, count);
    if (!coefficients.allFinite()) return std::nullopt;
    return coefficients;
}

}  // namespace saltus
