#include "saltus/io/model/first_order_tables.hpp"

#include "saltus/core/check.hpp"
#include "saltus/io/model/set_table.hpp"
#include "saltus/model/recognise.hpp"

namespace saltus {

namespace {

class FirstOrderReader : public TableReader {
public:
    using TableReader::TableReader;

    std::vector<std::string> kinds() const override { return {"systems", "interactions", "sets"}; }

    void add(std::string_view kind, const std::string& name, const toml::table& table) override {
        if (kind == "systems")
            read_system(name, table);
        else if (kind == "interactions")
            read_interaction(name, table);
        else
            add_set(name, table);
    }

    AnyModel model() const override {
        Model result = model_;
        recognise_linear(result);
        return result;
    }

private:
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
                tables_.expect(*node, prefix + name_of, *matrix, n, n, "states by states");
            }
        if (const toml::node* node = table.get("b"))
            system.b = tables_.function(*node, prefix + "b", {{"t"}}, n, "per state");
        if (const toml::node* node = table.get("f")) {
            if (system.b.is_empty() && tables_.is_of_time(*node))
                system.b = tables_.function(*node, prefix + "f", {{"t"}}, n, "per state");
            else
                system.f = tables_.function(*node, prefix + "f", {{"x", n}, {"t"}}, n, "per state");
        }
        model_.systems.push_back(std::move(system));
        systems_.push_back(name);
    }

    void read_interaction(const std::string& name, const toml::table& table) {
        const std::string prefix = fmt::format("interactions.{}.", name);
        reader_.check_keys(table, prefix, {"systems", "C", "D", "B", "e", "y", "r", "law"});
        Interaction interaction{.name = name};
        interaction.systems = tables_.systems_of(table, prefix, systems_);
        const Index n = model_.states_of(interaction);
        const toml::node *y = table.get("y"), *r = table.get("r"), *e = table.get("e");
        if (const toml::node* node = table.get("C")) interaction.C = reader_.matrix(*node, prefix + "C");
        if (const toml::node* node = table.get("D")) interaction.D = reader_.matrix(*node, prefix + "D");
        if (const toml::node* node = table.get("B")) interaction.B = reader_.matrix(*node, prefix + "B");
        const Index m = y                           ? tables_.entries(*y, prefix + "y")
                        : e && !table.contains("C") ? tables_.entries(*e, prefix + "e")
                                                    : interaction.rows();
        if (const toml::node* node = table.get("C"))
            tables_.expect(*node, prefix + "C", interaction.C, m, n, "rows of y by states");
        if (const toml::node* node = table.get("D"))
            tables_.expect(*node, prefix + "D", interaction.D, m, m, "rows of y by rows of y");
        if (const toml::node* node = table.get("B"))
            tables_.expect(*node, prefix + "B", interaction.B, n, m, "states by rows of y");
        const std::vector<Symbol> variables{{"x", n}, {"lambda", m}, {"t"}};
        if (e) interaction.e = tables_.function(*e, prefix + "e", {{"t"}}, m, "per row of y");
        if (y) interaction.h = tables_.function(*y, prefix + "y", variables);
        if (r) interaction.g = tables_.function(*r, prefix + "r", variables, n, "per state");
        if (const toml::node* node = table.get("law")) interaction.law = tables_.intervals(*node, prefix + "law");
        model_.interactions.push_back(std::move(interaction));
    }

    // A set is the interaction that keeps the state in it.
    void add_set(const std::string& name, const toml::table& table) {
        const std::string prefix = fmt::format("sets.{}.", name);
        const MovingSet set = read_set(reader_, table, prefix, [&](const toml::node& node, const std::string& key) {
            return tables_.function(node, key, {{"t"}});
        });
        const std::string key = prefix.substr(0, prefix.size() - 1);
        try {
            Interaction cone = normal_cone(set, name);
            cone.systems = tables_.systems_of(table, prefix, systems_);
            const Index n = model_.states_of(cone);
            if (dimension(set) != n)
                reader_.fail(table, key, fmt::format("has {} dimensions; x has {} states", dimension(set), n));
            project(set, tables_.t0(), Eigen::VectorXd::Zero(n));  // throws if the set is empty
            model_.interactions.push_back(std::move(cone));
        } catch (const InvalidInput& error) {
            const std::string text = error.what();
            if (text.starts_with(tables_.source())) throw;
            reader_.fail(table, key, text);
        }
    }

    Model model_;
};

}  // namespace

std::unique_ptr<TableReader> first_order_reader(const ModelTables& tables) {
    return std::make_unique<FirstOrderReader>(tables);
}

}  // namespace saltus
