#include "saltus/model/program_builder.hpp"

#include <bit>

namespace saltus {

namespace {

std::int64_t number(ProgramBuilder::Node node) { return static_cast<std::int64_t>(node); }

}  // namespace

ProgramBuilder::Node ProgramBuilder::find_or_add(const Key& key, const Entry& entry) {
    const auto [place, is_new] = known_.try_emplace(key, static_cast<Node>(entries_.size()));
    if (is_new) entries_.push_back(entry);
    return place->second;
}

ProgramBuilder::Node ProgramBuilder::input(Index index) {
    const auto narrow = static_cast<std::int32_t>(index);
    return find_or_add({0, narrow}, {Kind::input, 0.0, {Operation::negate, {narrow, 0, 0}}});
}

ProgramBuilder::Node ProgramBuilder::constant(double value) {
    return find_or_add({1, std::bit_cast<std::int64_t>(value)},
                       {Kind::constant, value, {Operation::negate, {0, 0, 0}}});
}

ProgramBuilder::Node ProgramBuilder::result(Operation operation, Node a, Node b, Node c) {
    if (is_constant(a) && is_constant(b) && is_constant(c))
        return constant(apply(operation, entry(a).value, entry(b).value, entry(c).value));
    const int count = operands(operation);
    if (count < 3) c = 0;
    if (count < 2) b = 0;
    return find_or_add({2, static_cast<std::int64_t>(operation), number(a), number(b), number(c)},
                       {Kind::result, 0.0, {operation, {a, b, c}}});
}

ProgramBuilder::Node ProgramBuilder::unary(Operation operation, Node a) { return result(operation, a, a, a); }
ProgramBuilder::Node ProgramBuilder::binary(Operation operation, Node a, Node b) { return result(operation, a, b, a); }

ProgramBuilder::Node ProgramBuilder::select(Node condition, Node a, Node b) {
    if (is_constant(condition)) return entry(condition).value != 0.0 ? a : b;
    return a == b ? a : result(Operation::select, condition, a, b);
}

ProgramBuilder::Node ProgramBuilder::power(Node base, Node exponent) {
    if (!is_constant(exponent)) return binary(Operation::power, base, exponent);
    const double n = entry(exponent).value;
    const auto squared = [this](Node node) { return binary(Operation::multiply, node, node); };
    if (n == 0.0) return constant(1.0);
    if (n == 1.0) return base;
    if (n == -1.0) return binary(Operation::divide, constant(1.0), base);
    if (n == 2.0) return squared(base);
    if (n == 3.0) return binary(Operation::multiply, squared(base), base);
    if (n == 4.0) return squared(squared(base));
    return binary(Operation::power_constant, base, exponent);
}

std::vector<bool> ProgramBuilder::needed_by(const std::vector<Node>& outputs) const {
    std::vector<bool> needed(entries_.size(), false);
    for (const Node output : outputs) needed[static_cast<std::size_t>(output)] = true;
    for (std::size_t node = entries_.size(); node-- > 0;) {  // operands stand before their results
        if (!needed[node] || entries_[node].kind != Kind::result) continue;
        const Instruction& instruction = entries_[node].instruction;
        for (int k = 0; k < operands(instruction.operation); ++k)
            needed[static_cast<std::size_t>(instruction.operand[k])] = true;
    }
    return needed;
}

Program ProgramBuilder::finish(const std::vector<Node>& outputs) const {
    const std::vector<bool> needed = needed_by(outputs);
    std::vector<std::int32_t> place(entries_.size(), 0);  // of a node among the values
    std::int32_t values = 0;
    Program program;
    for (const Kind kind : {Kind::input, Kind::constant, Kind::result})
        for (std::size_t node = 0; node < entries_.size(); ++node) {
            const Entry& entry = entries_[node];
            if (!needed[node] || entry.kind != kind) continue;
            place[node] = values++;
            if (kind == Kind::input) program.inputs.push_back(entry.instruction.operand[0]);
            if (kind == Kind::constant) program.constants.push_back(entry.value);
            if (kind == Kind::result) program.instructions.push_back(entry.instruction);
        }
    for (Instruction& instruction : program.instructions)
        for (int k = 0; k < 3; ++k)
            instruction.operand[k] =
                k < operands(instruction.operation) ? place[static_cast<std::size_t>(instruction.operand[k])] : 0;
    for (const Node output : outputs) program.outputs.push_back(place[static_cast<std::size_t>(output)]);
    return program;
}

}  // namespace saltus
