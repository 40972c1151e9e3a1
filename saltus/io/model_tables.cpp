#include "saltus/io/model_tables.hpp"

#include "saltus/core/check.hpp"
#include "saltus/core/infinity.hpp"
#include "saltus/model/expression.hpp"

namespace saltus {

ModelTables::ModelTables(const std::string& source, const toml::table& root, const ParameterValues& values)
    : reader_(source), source_(source), root_(root) {
    read_parameters(values);
    read_signals();
}

// The entries of a table in the order of the file.
std::vector<std::pair<std::string, const toml::node*>> ModelTables::in_order(const toml::table& table) {
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

void ModelTables::read_parameters(const ParameterValues& values) {
    std::vector<std::string> names;
    if (const toml::node* node = root_.get("parameters"))
        for (const auto& [name, value] : in_order(reader_.table(*node, "parameters"))) {
            const auto given =
                std::find_if(values.rbegin(), values.rend(), [&, n = name](const auto& v) { return v.first == n; });
            reader_.constants()[name] =
                given != values.rend() ? given->second : reader_.number(*value, "parameters." + name);
            names.push_back(name);
        }
    for (const auto& [name, value] : values) {
        if (reader_.constants().contains(name)) continue;
        const std::string near = nearest_name(name, names);
        throw InvalidInput(fmt::format("{}: there is no parameter '{}'; {}", source_, name,
                                       names.empty()   ? "the file has none"
                                       : !near.empty() ? fmt::format("did you mean '{}'?", near)
                                                       : fmt::format("known are {}", fmt::join(names, ", "))));
    }
}

void ModelTables::read_signals() {
    if (const toml::node* node = root_.get("signals"))
        for (const auto& [name, value] : in_order(reader_.table(*node, "signals"))) {
            const std::vector<std::string> texts = reader_.texts(*value, "signals." + name);
            if (texts.size() != 1)
                reader_.fail(*value, "signals." + name,
                             fmt::format("has {} entries; a signal is one expression of t", texts.size()));
            signals_[name] = texts.front();
        }
    // A mistake shows here, also in a signal that nothing uses. How many states there are is not known yet.
    constexpr Index many = 1000;
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

Function ModelTables::function(const toml::node& node, const std::string& key, std::vector<Symbol> variables,
                               Index count, std::string_view what) const {
    const std::vector<std::string> texts = reader_.texts(node, key);
    expect(node, key, std::ssize(texts), count, what);
    return function(texts, node, key, std::move(variables));
}

Function ModelTables::function(const toml::node& node, const std::string& key, std::vector<Symbol> variables) const {
    return function(reader_.texts(node, key), node, key, std::move(variables));
}

Function ModelTables::function(const std::vector<std::string>& texts, const toml::node& node, const std::string& key,
                               std::vector<Symbol> variables) const {
    return Expressions(texts,
                       {.variables = std::move(variables), .constants = reader_.constants(), .definitions = signals_},
                       reader_.where(node, key));
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

double ModelTables::t0() const {
    const toml::node* node = root_.get("t0");
    return node ? reader_.number(*node, "t0") : 0.0;
}

std::string ModelTables::text(std::string_view key) const {
    const toml::node* node = root_.get(key);
    return node ? reader_.text(*node, key) : "";
}

}  // namespace saltus
