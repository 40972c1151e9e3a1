#include "saltus/io/model/set_table.hpp"

namespace saltus {

namespace {

class SetReader {
public:
    SetReader(const TomlReader& reader, const toml::table& table, const std::string& prefix,
              const FunctionReader& of_time)
        : reader_(reader), table_(table), prefix_(prefix), of_time_(of_time) {}

    MovingSet read() const {
        reader_.check_keys(table_, prefix_, {"systems", "half_space", "polyhedron", "box", "ball"});
        std::vector<std::string> kinds;
        for (const char* kind : {"half_space", "polyhedron", "box", "ball"})
            if (table_.contains(kind)) kinds.emplace_back(kind);
        if (kinds.size() != 1)
            reader_.fail(
                table_, prefix_.substr(0, prefix_.size() - 1),
                fmt::format("has {} of the keys half_space, polyhedron, box and ball; give one of them", kinds.size()));
        return kinds[0] == "half_space"   ? half_space()
               : kinds[0] == "polyhedron" ? polyhedron()
               : kinds[0] == "box"        ? box()
                                          : ball();
    }

private:
    MovingSet half_space() const {
        const toml::table& entries = of_kind("half_space", {"normal", "offset"});
        return HalfSpace{reader_.vector(required(entries, "half_space.normal"), prefix_ + "half_space.normal"),
                         optional(entries, "half_space.offset")};
    }
    MovingSet polyhedron() const {
        const toml::table& entries = of_kind("polyhedron", {"normals", "offsets"});
        return Polyhedron{reader_.matrix(required(entries, "polyhedron.normals"), prefix_ + "polyhedron.normals"),
                          optional(entries, "polyhedron.offsets")};
    }
    MovingSet box() const {
        const toml::table& entries = of_kind("box", {"lower", "upper"});
        return Box{optional(entries, "box.lower"), optional(entries, "box.upper")};
    }
    MovingSet ball() const {
        const toml::table& entries = of_kind("ball", {"centre", "radius"});
        required(entries, "ball.centre");
        required(entries, "ball.radius");
        return Ball{optional(entries, "ball.centre"), optional(entries, "ball.radius")};
    }

    const toml::table& of_kind(const std::string& kind, const std::vector<std::string>& keys) const {
        const toml::table& entries = reader_.table(*table_.get(kind), prefix_ + kind);
        reader_.check_keys(entries, prefix_ + kind + ".", keys);
        return entries;
    }
    // `key` is that of the table of the kind and the entry, with a dot between.
    static const toml::node* find(const toml::table& entries, const std::string& key) {
        return entries.get(key.substr(key.find('.') + 1));
    }
    const toml::node& required(const toml::table& entries, const std::string& key) const {
        const toml::node* node = find(entries, key);
        if (!node) reader_.fail(entries, prefix_ + key, "is missing");
        return *node;
    }
    Function optional(const toml::table& entries, const std::string& key) const {
        const toml::node* node = find(entries, key);
        return node ? of_time_(*node, prefix_ + key) : Function();
    }

    const TomlReader& reader_;
    const toml::table& table_;
    const std::string& prefix_;
    const FunctionReader& of_time_;
};

}  // namespace

MovingSet read_set(const TomlReader& reader, const toml::table& table, const std::string& prefix,
                   const FunctionReader& of_time) {
    return SetReader(reader, table, prefix, of_time).read();
}

}  // namespace saltus
