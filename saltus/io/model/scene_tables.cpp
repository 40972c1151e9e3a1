#include "saltus/io/model/scene_tables.hpp"

#include <algorithm>

#include "saltus/core/check.hpp"
#include "saltus/io/model/shape_table.hpp"
#include "saltus/io/result/channel_index.hpp"

namespace saltus {

namespace {

class SceneReader {
public:
    SceneReader(const ModelTables& tables, const std::vector<std::string>& channels,
                const std::vector<std::string>& interactions)
        : tables_(tables),
          reader_(tables.reader()),
          channels_(channels),
          interactions_(interactions),
          systems_(systems_in(channels_)) {
        for (const SystemChannels& system : systems_) system_names_.push_back(system.name);
    }

    Scene read(const toml::node& view) const {
        const toml::table& table = reader_.table(view, "view");
        reader_.check_keys(table, "view.", {"bodies", "contacts"});
        Scene scene;
        each(table, "bodies", [&](const std::string& name, const toml::table& entries, const std::string& prefix) {
            scene.bodies.push_back(body(name, entries, prefix));
        });
        each(table, "contacts", [&](const std::string& name, const toml::table& entries, const std::string& prefix) {
            scene.contacts.push_back(contact(name, entries, prefix));
        });
        return scene;
    }

private:
    template <class Visit>
    void each(const toml::table& view, const std::string& kind, Visit visit) const {
        if (const toml::node* node = view.get(kind)) reader_.table(*node, "view." + kind);
        for_each_piece(view, kind, [&](const std::string& name, const toml::node& node) {
            const std::string key = fmt::format("view.{}.{}", kind, name);
            visit(name, reader_.table(node, key), key + ".");
        });
    }

    // The systems of a table that names none: the only one; none if there are several, as for a floor.
    std::vector<const SystemChannels*> systems_of(const toml::table& table, const std::string& prefix) const {
        std::vector<const SystemChannels*> result;
        if (!table.contains("systems") && systems_.size() != 1) return result;
        for (const Index k : tables_.systems_of(table, prefix, system_names_))
            result.push_back(&systems_[static_cast<std::size_t>(k)]);
        return result;
    }

    const toml::node& required(const toml::table& table, const std::string& prefix, const char* key,
                               std::string_view remedy) const {
        return required_entry(reader_, table, prefix, key, remedy);
    }

    Function three(const toml::node& node, const std::string& key, const std::vector<Symbol>& variables) const {
        return tables_.function(node, key, variables, 3, "per direction");
    }

    DrawnBody body(const std::string& name, const toml::table& table, const std::string& prefix) const {
        const ShapeEntries entries = read_shape(tables_, table, prefix);
        std::vector<std::string> keys{"systems", "shape", "color"};
        keys.insert(keys.end(), entries.keys.begin(), entries.keys.end());
        if (!entries.is_stretched) keys.insert(keys.end(), {"position", "angle", "axis", "quaternion"});
        reader_.check_keys(table, prefix, keys);
        DrawnBody result{.name = name, .shape = entries.shape, .color = color(table, prefix)};
        const std::vector<const SystemChannels*> systems = systems_of(table, prefix);
        for (const SystemChannels* system : systems) result.systems.push_back(system->name);
        const std::vector<Symbol> variables = drawing_variables(systems, result.arguments);
        if (entries.is_stretched)
            result.position = both_ends(table, prefix, variables);
        else
            place(table, prefix, variables, result);
        return result;
    }

    Function both_ends(const toml::table& table, const std::string& prefix,
                       const std::vector<Symbol>& variables) const {
        std::vector<std::string> texts;
        const toml::node* first = nullptr;
        for (const char* key : {"from", "to"}) {
            const toml::node& node = required(table, prefix, key, "give a point [x, y, z]");
            three(node, prefix + key, variables);  // shows mistakes
            for (std::string& text : reader_.texts(node, prefix + key)) texts.push_back(std::move(text));
            if (!first) first = &node;
        }
        return tables_.function(texts, *first, prefix + "from", variables);
    }

    void place(const toml::table& table, const std::string& prefix, const std::vector<Symbol>& variables,
               DrawnBody& body) const {
        body.position = three(required(table, prefix, "position", "give a point [x, y, z] of expressions"),
                              prefix + "position", variables);
        const toml::node *angle = table.get("angle"), *quaternion = table.get("quaternion");
        if (angle && quaternion) reader_.fail(*quaternion, prefix + "quaternion", "and angle are given; delete one");
        if (angle) body.rotation = tables_.function(*angle, prefix + "angle", variables, 1, "angle per body");
        if (quaternion)
            body.rotation = tables_.function(*quaternion, prefix + "quaternion", variables, 4, "per part: w, x, y, z");
        if (const toml::node* axis = table.get("axis")) {
            if (!angle) reader_.fail(*axis, prefix + "axis", "has no effect without angle; give angle, or delete it");
            const Eigen::VectorXd direction = reader_.vector(*axis, prefix + "axis");
            tables_.expect(*axis, prefix + "axis", direction.size(), 3, "per direction");
            if (!(direction.norm() > 0.0)) reader_.fail(*axis, prefix + "axis", "is zero; give a direction");
            body.axis = direction.normalized();
        }
        if (const toml::node* along = table.get("along")) body.rest = axis_rotation(*along, prefix + "along");
    }

    // The rotation that turns z to this axis.
    Rotation axis_rotation(const toml::node& node, const std::string& key) const {
        const std::vector<std::string> names{"x", "y", "z"};
        const std::string name = reader_.text(node, key);
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) tables_.unknown(node, key, "axis", name, names);
        return turned_to(Eigen::Vector3d::Unit(found - names.begin()));
    }

    std::string color(const toml::table& table, const std::string& prefix) const {
        const toml::node* node = table.get("color");
        if (!node) return "";
        const std::string text = reader_.text(*node, prefix + "color");
        const bool is_color = text.size() == 7 && text[0] == '#' &&
                              text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
        if (!is_color) reader_.fail(*node, prefix + "color", fmt::format("is '{}'; write it as \"#0072b2\"", text));
        return text;
    }

    DrawnContact contact(const std::string& name, const toml::table& table, const std::string& prefix) const {
        reader_.check_keys(table, prefix, {"systems", "point", "normal", "tangent"});
        DrawnContact result{.name = name};
        const std::vector<Index>& gaps = channels_.find(name, "gap");
        const auto found = std::ranges::find(interactions_, name);
        if (gaps.empty() || found == interactions_.end())
            tables_.unknown(table, prefix.substr(0, prefix.size() - 1), "contact", name, contacts());
        result.interaction = found - interactions_.begin();
        result.gap = gaps.front();
        result.forces = channels_.find(name, "force");
        result.velocities = channels_.find(name, "u");
        result.percussions = channels_.find(name, "P");
        if (result.forces.empty() || result.velocities.empty() || result.percussions.empty())
            reader_.fail(table, prefix.substr(0, prefix.size() - 1), "has no force in the result");
        const std::vector<Symbol> variables = drawing_variables(systems_of(table, prefix), result.arguments);
        result.point =
            three(required(table, prefix, "point", "give where it touches, [x, y, z]"), prefix + "point", variables);
        result.normal = three(required(table, prefix, "normal", "give the direction in which the gap grows"),
                              prefix + "normal", variables);
        if (const toml::node* node = table.get("tangent")) result.tangent = three(*node, prefix + "tangent", variables);
        return result;
    }

    std::vector<std::string> contacts() const {
        std::vector<std::string> result;
        for (const std::string& name : interactions_)
            if (channels_.has(name, "gap")) result.push_back(name);
        return result;
    }

    const ModelTables& tables_;
    const TomlReader& reader_;
    ChannelIndex channels_;
    const std::vector<std::string>& interactions_;
    std::vector<SystemChannels> systems_;
    std::vector<std::string> system_names_;
};

}  // namespace

std::vector<SystemChannels> systems_in(const ChannelIndex& channels) {
    std::vector<SystemChannels> result;
    for (const std::string& name : channels.owners()) {
        SystemChannels system{name, channels.find(name, "q"), channels.find(name, "v"), channels.find(name, "x")};
        if (!system.q.empty() || !system.x.empty()) result.push_back(std::move(system));
    }
    return result;
}

std::vector<Symbol> drawing_variables(const std::vector<const SystemChannels*>& systems, Arguments& arguments) {
    std::vector<Symbol> result;
    const auto add = [&](const char* name, std::vector<Index> SystemChannels::*part) {
        Index count = 0;
        for (const SystemChannels* system : systems) {
            arguments.insert(arguments.end(), (system->*part).begin(), (system->*part).end());
            count += std::ssize(system->*part);
        }
        if (count > 0) result.push_back({name, count});
    };
    add("q", &SystemChannels::q);
    add("v", &SystemChannels::v);
    add("x", &SystemChannels::x);
    result.push_back({"t"});
    return result;
}

Scene read_scene(const ModelTables& tables, const toml::node& view, const std::vector<std::string>& channels,
                 const std::vector<std::string>& interactions) {
    return SceneReader(tables, channels, interactions).read(view);
}

}  // namespace saltus
