#pragma once

#include <array>
#include <map>
#include <vector>

#include "saltus/model/program.hpp"

namespace saltus {

// Collects operations into a Program. The same operation on the same operands is stored once, operations on constants
// are evaluated at once, and what no output needs is left out.
class ProgramBuilder {
public:
    using Node = std::int32_t;

    Node input(Index index);
    Node constant(double value);
    Node unary(Operation operation, Node a);
    Node binary(Operation operation, Node a, Node b);
    Node select(Node condition, Node a, Node b);
    // base^exponent. Whole powers need no logarithm: right for a negative base, and with the right derivative at 0.
    Node power(Node base, Node exponent);

    Program finish(const std::vector<Node>& outputs) const;

private:
    enum class Kind { input, constant, result };
    struct Entry {
        Kind kind;
        double value;             // of a constant
        Instruction instruction;  // of a result, whose operands are nodes; of an input, operand[0] is its index
    };
    using Key = std::array<std::int64_t, 5>;

    const Entry& entry(Node node) const { return entries_[static_cast<std::size_t>(node)]; }
    bool is_constant(Node node) const { return entry(node).kind == Kind::constant; }
    Node find_or_add(const Key& key, const Entry& entry);
    Node result(Operation operation, Node a, Node b, Node c);
    std::vector<bool> needed_by(const std::vector<Node>& outputs) const;

    std::vector<Entry> entries_;
    std::map<Key, Node> known_;
};

}  // namespace saltus
