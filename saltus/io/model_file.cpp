#include "saltus/io/model_file.hpp"

#include <fstream>
#include <sstream>

#include "saltus/core/infinity.hpp"
#include "saltus/core/nearest_name.hpp"
#include "saltus/io/set_table.hpp"
#include "saltus/io/simulation_table.hpp"
#include "saltus/model/recognise.hpp"

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

class ModelReader {
public:
    ModelReader(const std::string& source, const toml::table& root) : reader_(source), source_(source), root_(root) {}

    ModelFile read(const ParameterValues& values) {
        reader_.check_keys(
            root_, "",
            {"name", "description", "t0", "parameters", "signals", "systems", "interactions", "sets", "simulation"});
        read_parameters(values);
        read_signals();
        if (const toml::node* node = root_.get("name")) file_.model.name = reader_.text(*node, "name");
        if (const toml::node* node = root_.get("description")) file_.description = reader_.text(*node, "description");
        if (const toml::node* node = root_.get("t0")) file_.model.t0 = reader_.number(*node, "t0");
        each_of("systems", [&](const std::string& name, const toml::table& table) { read_system(name, table); });
        if (file_.model.systems.empty())
            throw InvalidInput(fmt::format("{}: there is no system; write a table [systems.NAME] with x0", source_));
        each_of("interactions",
                [&](const std::string& name, const toml::table& table) { read_interaction(name, table); });
        each_of("sets", [&](const std::string& name, const toml::table& table) { add_set(name, table); });
        read_simulation();
        recognise_linear(file_.model);
        file_.model.check();
        return std::move(file_);
    }

private:
    void read_parameters(const ParameterValues& values) {
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

    void read_signals() {
        if (const toml::node* node = root_.get("signals"))
            for (const auto& [name, value] : in_order(reader_.table(*node, "signals"))) {
                const std::vector<std::string> texts = reader_.texts(*value, "signals." + name);
                if (texts.size() != 1)
                    reader_.fail(*value, "signals." + name,
                                 fmt::format("has {} entries; a signal is one expression of t", texts.size()));
                signals_[name] = texts.front();
            }
        // A mistake shows here, also in a signal that nothing uses.
        for (const auto& [name, text] : signals_)
            Expressions({text}, {.variables = {{"t"}}, .constants = reader_.constants(), .definitions = signals_},
                        fmt::format("{}: signals.{}", source_, name));
    }

    // What an entry must have, one for each state or row.
    void expect(const toml::node& node, const std::string& key, Index found, Index expected,
                std::string_view what) const {
        if (found != expected)
            reader_.fail(node, key, fmt::format("has {} entries; it must have {}, one {}", found, expected, what));
    }
    void expect(const toml::node& node, const std::string& key, const Matrix& found, Index rows, Index cols,
                std::string_view what) const {
        if (found.rows() != rows || found.cols() != cols)
            reader_.fail(
                node, key,
                fmt::format("is {} x {}; it must be {} x {}: {}", found.rows(), found.cols(), rows, cols, what));
    }

    template <class Read>
    void each_of(std::string_view kind, Read read) {
        if (const toml::node* node = root_.get(kind))
            for (const auto& [name, value] : in_order(reader_.table(*node, kind)))
                read(name, reader_.table(*value, fmt::format("{}.{}", kind, name)));
    }

    // `count` expressions, one `what`.
    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables, Index count,
                      std::string_view what) const {
        const std::vector<std::string> texts = reader_.texts(node, key);
        expect(node, key, std::ssize(texts), count, what);
        return function(node, key, std::move(variables));
    }

    Function function(const toml::node& node, const std::string& key, std::vector<Symbol> variables) const {
        return Expressions(
            reader_.texts(node, key),
            {.variables = std::move(variables), .constants = reader_.constants(), .definitions = signals_},
            reader_.where(node, key));
    }

    void read_system(const std::string& name, const toml::table& table) {
        const std::string prefix = fmt::format("systems.{}.", name);
        reader_.check_keys(table, prefix, {"x0", "A", "M", "b", "f"});
        FirstOrderSystem system{.name = name};
        const toml::node* x0 = table.get("x0");
        if (!x0) reader_.fail(table, prefix + "x0", "is missing; give the initial state, x0 = [1, 0]");
        system.x0 = reader_.vector(*x0, prefix + "x0");
        const Index n = system.x0.size();
        if (n == 0) reader_.fail(*x0, prefix + "x0", "is empty; give the initial state, x0 = [1, 0]");
        for (auto [name_of, matrix] : {std::pair("A", &system.A), std::pair("M", &system.M)})
            if (const toml::node* node = table.get(name_of)) {
                *matrix = reader_.matrix(*node, prefix + name_of);
                expect(*node, prefix + name_of, *matrix, n, n, "states by states");
            }
        if (const toml::node* node = table.get("b")) system.b = function(*node, prefix + "b", {{"t"}}, n, "a state");
        if (const toml::node* node = table.get("f"))
            system.f = function(*node, prefix + "f", {{"x", n}, {"t"}}, n, "a state");
        file_.model.systems.push_back(std::move(system));
    }

    void read_interaction(const std::string& name, const toml::table& table) {
        const std::string prefix = fmt::format("interactions.{}.", name);
        reader_.check_keys(table, prefix, {"systems", "C", "D", "B", "e", "y", "r", "law"});
        Interaction interaction{.name = name};
        interaction.systems = systems_of(table, prefix);
        const Index n = file_.model.states_of(interaction);
        const toml::node *y = table.get("y"), *r = table.get("r"), *e = table.get("e");
        if (const toml::node* node = table.get("C")) interaction.C = reader_.matrix(*node, prefix + "C");
        if (const toml::node* node = table.get("D")) interaction.D = reader_.matrix(*node, prefix + "D");
        if (const toml::node* node = table.get("B")) interaction.B = reader_.matrix(*node, prefix + "B");
        const Index m = y                           ? std::ssize(reader_.texts(*y, prefix + "y"))
                        : e && !table.contains("C") ? std::ssize(reader_.texts(*e, prefix + "e"))
                                                    : interaction.rows();
        if (const toml::node* node = table.get("C"))
            expect(*node, prefix + "C", interaction.C, m, n, "rows of y by states");
        if (const toml::node* node = table.get("D"))
            expect(*node, prefix + "D", interaction.D, m, m, "rows of y by rows of y");
        if (const toml::node* node = table.get("B"))
            expect(*node, prefix + "B", interaction.B, n, m, "states by rows of y");
        const std::vector<Symbol> variables{{"x", n}, {"lambda", m}, {"t"}};
        if (e) interaction.e = function(*e, prefix + "e", {{"t"}}, m, "a row of y");
        if (y) interaction.h = function(*y, prefix + "y", variables);
        if (r) interaction.g = function(*r, prefix + "r", variables, n, "a state");
        if (const toml::node* node = table.get("law")) interaction.law = laws(*node, prefix + "law");
        file_.model.interactions.push_back(std::move(interaction));
    }

    // A set is the interaction that keeps the state in it.
    void add_set(const std::string& name, const toml::table& table) {
        const std::string prefix = fmt::format("sets.{}.", name);
        const MovingSet set = read_set(reader_, table, prefix, [&](const toml::node& node, const std::string& key) {
            return function(node, key, {{"t"}});
        });
        const std::string key = prefix.substr(0, prefix.size() - 1);
        try {
            Interaction cone = normal_cone(set, name);
            cone.systems = systems_of(table, prefix);
            const Index n = file_.model.states_of(cone);
            if (dimension(set) != n)
                reader_.fail(table, key, fmt::format("has {} dimensions; x has {} states", dimension(set), n));
            project(set, file_.model.t0, Eigen::VectorXd::Zero(n));  // throws if the set is empty
            file_.model.interactions.push_back(std::move(cone));
        } catch (const InvalidInput& error) {
            const std::string text = error.what();
            if (text.starts_with(source_)) throw;
            reader_.fail(table, key, text);
        }
    }

    std::vector<Index> systems_of(const toml::table& table, const std::string& prefix) const {
        const toml::node* node = table.get("systems");
        std::vector<std::string> names;
        for (const FirstOrderSystem& system : file_.model.systems) names.push_back(system.name);
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

    // One law, or a list with one a row: a name, or bounds { lower = -1, upper = 1 }.
    std::vector<Interval> laws(const toml::node& node, const std::string& key) const {
        if (!node.is_array()) return {law(node, key)};
        std::vector<Interval> result;
        for (const toml::node& entry : *node.as_array())
            result.push_back(law(entry, fmt::format("{}[{}]", key, result.size())));
        return result;
    }

    Interval law(const toml::node& node, const std::string& key) const {
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
        const std::string near = nearest_name(name, names);
        reader_.fail(node, key,
                     fmt::format("there is no law '{}'; {}", name,
                                 near.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                              : fmt::format("did you mean '{}'?", near)));
    }

    void read_simulation() {
        const toml::node* node = root_.get("simulation");
        if (!node)
            throw InvalidInput(
                fmt::format("{}: there is no table [simulation]; write it, with step and t_end", source_));
        file_.simulation = saltus::read_simulation(reader_, reader_.table(*node, "simulation"));
    }

    TomlReader reader_;
    std::string source_;
    const toml::table& root_;
    std::map<std::string, std::string, std::less<>> signals_;
    ModelFile file_;
};

}  // namespace

ModelFile parse_model_file(const std::string& text, const std::string& source, const ParameterValues& values) {
    toml::table root;
    try {
        root = toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw InvalidInput(
            fmt::format("{}:{}: {}", source, error.source().begin.line, std::string(error.description())));
    }
    ModelFile file = ModelReader(source, root).read(values);
    file.text = text;
    if (file.model.name.empty()) file.model.name = std::filesystem::path(source).stem().string();
    return file;
}

ModelFile read_model_file(const std::filesystem::path& path, const ParameterValues& values) {
    std::ifstream stream(path, std::ios::binary);
    require(stream.good() && !std::filesystem::is_directory(path), "{}: cannot be read; is it a model file?",
            path.string());
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_model_file(text.str(), path.string(), values);
}

}  // namespace saltus
