#include "saltus/io/model/toml_reader.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/nearest_name.hpp"
#include "saltus/model/expression.hpp"

namespace saltus {

namespace {

// What a node is, in the words of a message.
std::string shown(const toml::node& node) {
    if (node.is_string()) return "a text";
    if (node.is_number()) return "a number";
    if (node.is_boolean()) return "true or false";
    if (node.is_array()) return "a list";
    if (node.is_table()) return node.as_table()->contains("external") ? "a matrix or a function" : "a table";
    return "a date or time";
}

// The entries of a list, or the node itself.
std::vector<const toml::node*> entries(const toml::node& node) {
    if (!node.is_array()) return {&node};
    std::vector<const toml::node*> result;
    for (const toml::node& entry : *node.as_array()) result.push_back(&entry);
    return result;
}

}  // namespace

std::string TomlReader::where(const toml::node& node, std::string_view key) const {
    const auto line = node.source().begin.line;
    return line == 0 ? std::string(key) : fmt::format("{}:{}: {}", source_, line, key);
}

void TomlReader::fail(const toml::node& node, std::string_view key, std::string_view text) const {
    throw InvalidInput(fmt::format("{}: {}", where(node, key), text));
}

void TomlReader::check_keys(const toml::table& table, std::string_view prefix,
                            const std::vector<std::string>& known) const {
    for (const auto& [name, node] : table) {
        if (std::find(known.begin(), known.end(), name.str()) != known.end()) continue;
        const std::string near = nearest_name(name.str(), known);
        fail(node, fmt::format("{}{}", prefix, name.str()),
             near.empty() ? fmt::format("there is no such key; known are {}", fmt::join(known, ", "))
                          : fmt::format("there is no such key; did you mean '{}'?", near));
    }
}

const toml::table& TomlReader::table(const toml::node& node, std::string_view key) const {
    if (!node.is_table()) fail(node, key, fmt::format("is {}; write a table [{}]", shown(node), key));
    return *node.as_table();
}

double TomlReader::number(const toml::node& node, std::string_view key) const {
    if (node.is_number()) return *node.value<double>();
    if (!node.is_string())
        fail(node, key,
             fmt::format("is {}; write a number, or an expression of the parameters in quotes", shown(node)));
    const Expressions expression({*node.value<std::string>()}, {.variables = {}, .constants = constants_},
                                 where(node, key));
    std::vector<double> scratch(static_cast<std::size_t>(expression.scratch_size()) + 1);
    double value = 0.0;
    expression.evaluate(nullptr, &value, scratch.data());
    return value;
}

bool TomlReader::truth(const toml::node& node, std::string_view key) const {
    if (!node.is_boolean()) fail(node, key, fmt::format("is {}; write true or false", shown(node)));
    return *node.value<bool>();
}

std::string TomlReader::text(const toml::node& node, std::string_view key) const {
    if (!node.is_string()) fail(node, key, fmt::format("is {}; write a text in quotes", shown(node)));
    return *node.value<std::string>();
}

Eigen::VectorXd TomlReader::vector(const toml::node& node, std::string_view key) const {
    const auto list = entries(node);
    Eigen::VectorXd result(std::ssize(list));
    for (std::size_t i = 0; i < list.size(); ++i)
        result[static_cast<Index>(i)] = number(*list[i], fmt::format("{}[{}]", key, i));
    return result;
}

std::vector<std::string> TomlReader::texts(const toml::node& node, std::string_view key) const {
    std::vector<std::string> result;
    for (const toml::node* entry : entries(node)) {
        if (entry->is_number())
            result.push_back(fmt::format("{}", *entry->value<double>()));
        else
            result.push_back(text(*entry, fmt::format("{}[{}]", key, result.size())));
    }
    return result;
}

Matrix TomlReader::matrix(const toml::node& node, std::string_view key) const {
    if (const Matrix* given = external<Matrix>(node)) return *given;
    if (!node.is_array()) return Eigen::MatrixXd::Constant(1, 1, number(node, key));
    const auto rows = entries(node);
    Eigen::MatrixXd result;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string name = fmt::format("{}[{}]", key, i);
        if (!rows[i]->is_array()) fail(*rows[i], name, "write the matrix as a list of rows, [[1, 2], [3, 4]]");
        const Eigen::VectorXd row = vector(*rows[i], name);
        if (i == 0) result.resize(std::ssize(rows), row.size());
        if (row.size() != result.cols())
            fail(*rows[i], name, fmt::format("has {} entries, the first row has {}", row.size(), result.cols()));
        result.row(static_cast<Index>(i)) = row.transpose();
    }
    return result;
}

}  // namespace saltus
