#include "saltus/io/model/model_tables.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/model/expression.hpp"

namespace saltus {

namespace {

// The entries of a table in the order of the file.
std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& table) {
    std::vector<std::pair<std::string, const toml::node*>> result;
    for (const auto& [name, node] : table) result.emplace_back(std::string(name.str()), &node);
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
        const auto place = [](const toml::node* node) {
            return std::pair(node->source().begin.line, node->source().begin.column);
        };
        return place(a.second) < place(b.second);
    });
    return result;
}

}  // namespace

void for_each_piece(const toml::table& root, std::string_view kind, const PieceVisitor& visit) {
    const toml::node* node = root.get(kind);
    if (!node || !node->is_table()) return;
    for (const auto& [name, value] : in_order(*node->as_table())) visit(name, *value);
}

ModelTables::ModelTables(const std::string& source, const ParameterValues& values, const Externals* externals)
    : reader_(source, externals), source_(source), values_(values) {}

void ModelTables::for_each(const toml::table& root, const std::string& kind, const PieceVisitor& visit) const {
    if (const toml::node* node = root.get(kind)) reader_.table(*node, kind);  // throws if it is not a table
    for_each_piece(root, kind, visit);
}

void ModelTables::add_names(const toml::table& root) {
    for_each(root, "parameters", [&](const std::string& name, const toml::node& node) { add_parameter(name, node); });
    check_values();
    for_each(root, "signals", [&](const std::string& name, const toml::node& node) { add_signal(name, node); });
    check_signals();
}

void ModelTables::add_parameter(const std::string& name, const toml::node& node) {
    const auto given =
        std::find_if(values_.rbegin(), values_.rend(), [&](const auto& value) { return value.first == name; });
    reader_.constants()[name] = given != values_.rend() ? given->second : reader_.number(node, "parameters." + name);
    parameters_.push_back(name);
}

void ModelTables::check_values() const {
    for (const auto& [name, value] : values_) {
        if (reader_.constants().contains(name)) continue;
        const std::string near = nearest_name(name, parameters_);
        throw InvalidInput(fmt::format("{}: there is no parameter '{}'; {}", source_, name,
                                       parameters_.empty() ? "the model has none"
                                       : !near.empty()     ? fmt::format("did you mean '{}'?", near)
                                                       : fmt::format("known are {}", fmt::join(parameters_, ", "))));
    }
}

void ModelTables::add_signal(const std::string& name, const toml::node& node) {
    const std::vector<std::string> texts = reader_.texts(node, "signals." + name);
    if (texts.size() != 1)
        reader_.fail(node, "signals." + name,
                     fmt::format("has {} entries; a signal is one expression of t", texts.size()));
    signals_[name] = texts.front();
}

void ModelTables::check_signals() const {
    constexpr Index many = 1000;  // how many states there are is not known yet
    std::vector<Symbol> variables{{"t"}};
    for (const char* name : {"x", "q", "v", "lambda"})
        if (!reader_.constants().contains(name) && !signals_.contains(name)) variables.push_back({name, many});
    for (const auto& [name, text] : signals_)
        Expressions({text}, {.variables = variables, .constants = reader_.constants(), .definitions = signals_},
                    fmt::format("{}: signals.{}", source_, name));
}

void ModelTables::expect(const toml::node& node, const std::string& key, Index found, Index expected,
                         std::string_view what) const {
    if (found != expected)
        reader_.fail(node, key, fmt::format("has {} entries; it must have {}, one {}", found, expected, what));
}
void ModelTables::expect(const toml::node& node, const std::string& key, const Matrix& found, Index rows, Index cols,
                         std::string_view what) const {
    if (found.rows() != rows || found.cols() != cols)
        reader_.fail(node, key,
                     fmt::format("is {} x {}; it must be {} x {}: {}", found.rows(), found.cols(), rows, cols, what));
}

bool ModelTables::is_of_time(const toml::node& node) const {
    const auto* given = reader_.external<ExternalFunction>(node);
    return given && given->is_of_time;
}

Index ModelTables::entries(const toml::node& node, const std::string& key) const {
    const auto* given = reader_.external<ExternalFunction>(node);
    return given ? given->outputs : std::ssize(reader_.texts(node, key));
}

Function ModelTables::function(const toml::node& node, const std::string& key, std::vector<Symbol> variables,
                               Index count, std::string_view what) const {
    Function result = function(node, key, std::move(variables));
    expect(node, key, result.outputs(), count, what);
    return result;
}

Function ModelTables::function(const toml::node& node, const std::string& key, std::vector<Symbol> variables) const {
    if (const auto* given = reader_.external<ExternalFunction>(node))
        return given->make(variables, reader_.where(node, key));
    return function(reader_.texts(node, key), node, key, std::move(variables));
}

Function ModelTables::function(const std::vector<std::string>& texts, const toml::node& node, const std::string& key,
                               std::vector<Symbol> variables) const {
    return Expressions(texts,
                       {.variables = std::move(variables), .constants = reader_.constants(), .definitions = signals_},
                       reader_.where(node, key));
}

std::vector<std::string> ModelTables::signals() const {
    std::vector<std::string> names;
    for (const auto& [name, text] : signals_) names.push_back(name);
    return names;
}

Function ModelTables::signal(const std::string& name, std::vector<Symbol> variables) const {
    return Expressions({name},
                       {.variables = std::move(variables), .constants = reader_.constants(), .definitions = signals_},
                       fmt::format("{}: signals.{}", source_, name));
}

std::vector<Index> ModelTables::systems_of(const toml::table& table, const std::string& prefix,
                                           const std::vector<std::string>& names) const {
    const toml::node* node = table.get("systems");
    if (!node) {
        if (names.size() > 1)
            reader_.fail(table, prefix + "systems",
                         fmt::format("is missing; the model has several systems, name those it acts on: {}",
                                     fmt::join(names, ", ")));
        return {0};
    }
    std::vector<Index> result;
    for (const std::string& name : reader_.texts(*node, prefix + "systems")) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            reader_.fail(*node, prefix + "systems",
                         fmt::format("there is no system '{}'; known are {}", name, fmt::join(names, ", ")));
        if (std::ranges::count(result, found - names.begin()) > 0)
            reader_.fail(*node, prefix + "systems", fmt::format("names '{}' twice; once is enough", name));
        result.push_back(found - names.begin());
    }
    return result;
}

std::vector<Interval> ModelTables::intervals(const toml::node& node, const std::string& key) const {
    if (!node.is_array()) return {interval(node, key)};
    std::vector<Interval> result;
    for (const toml::node& entry : *node.as_array())
        result.push_back(interval(entry, fmt::format("{}[{}]", key, result.size())));
    return result;
}

Interval ModelTables::interval(const toml::node& node, const std::string& key) const {
    if (const toml::table* bounds = node.as_table()) {
        reader_.check_keys(*bounds, key + ".", {"lower", "upper"});
        const toml::node *lower = bounds->get("lower"), *upper = bounds->get("upper");
        return {lower ? reader_.number(*lower, key + ".lower") : -infinity,
                upper ? reader_.number(*upper, key + ".upper") : infinity};
    }
    const std::vector<std::pair<std::string, Interval>> known{{"complementarity", {0.0, infinity}},
                                                              {"relay", {-1.0, 1.0}},
                                                              {"step", {0.0, 1.0}},
                                                              {"equality", {-infinity, infinity}}};
    const std::string name = reader_.text(node, key);
    std::vector<std::string> names;
    for (const auto& [known_name, interval] : known) {
        if (known_name == name) return interval;
        names.push_back(known_name);
    }
    unknown(node, key, "law", name, names);
}

void ModelTables::unknown(const toml::node& node, const std::string& key, std::string_view kind,
                          const std::string& name, const std::vector<std::string>& known) const {
    const std::string near = nearest_name(name, known);
    reader_.fail(node, key,
                 fmt::format("there is no {} '{}'; {}", kind, name,
                             near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                          : fmt::format("did you mean '{}'?", near)));
}

}  // namespace saltus
