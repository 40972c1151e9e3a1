#include "saltus/io/model/shape_table.hpp"

#include <algorithm>

namespace saltus {

const toml::node& required_entry(const TomlReader& reader, const toml::table& table, const std::string& prefix,
                                 const char* key, std::string_view remedy) {
    const toml::node* node = table.get(key);
    if (!node) reader.fail(table, prefix + key, fmt::format("is missing; {}", remedy));
    return *node;
}

namespace {

class ShapeReader {
public:
    ShapeReader(const ModelTables& tables, const toml::table& table, const std::string& prefix)
        : tables_(tables), reader_(tables.reader()), table_(table), prefix_(prefix) {}

    ShapeEntries read() const {
        const toml::node& node = required("shape", fmt::format("give {}", fmt::join(names(), ", ")));
        const std::string name = reader_.text(node, prefix_ + "shape");
        for (const Kind& kind : kinds())
            if (kind.name == name) return {(this->*kind.read)(), kind.keys, std::ranges::count(kind.keys, "from") > 0};
        tables_.unknown(node, prefix_ + "shape", "shape", name, names());
    }

private:
    struct Kind {
        std::string name;
        std::vector<std::string> keys;
        Shape (ShapeReader::*read)() const;
    };

    // A new shape is added here and in the functions of scene.hpp.
    static const std::vector<Kind>& kinds() {
        static const std::vector<Kind> result{
            {"sphere", {"radius"}, &ShapeReader::sphere},
            {"box", {"size"}, &ShapeReader::box},
            {"cylinder", {"radius", "length", "along"}, &ShapeReader::cylinder},
            {"capsule", {"radius", "length", "along"}, &ShapeReader::capsule},
            {"plane", {"size", "along"}, &ShapeReader::plane},
            {"segment", {"radius", "from", "to"}, &ShapeReader::segment},
            {"spring", {"radius", "turns", "from", "to"}, &ShapeReader::coil},
            {"prism", {"outline", "depth"}, &ShapeReader::prism},
            {"mesh", {"vertices", "triangles"}, &ShapeReader::mesh},
        };
        return result;
    }
    static std::vector<std::string> names() {
        std::vector<std::string> result;
        for (const Kind& kind : kinds()) result.push_back(kind.name);
        return result;
    }

    const toml::node& required(const char* key, std::string_view remedy) const {
        return required_entry(reader_, table_, prefix_, key, remedy);
    }

    double positive(const char* key) const {
        const toml::node& node = required(key, "give a positive number");
        const double value = reader_.number(node, prefix_ + key);
        if (!(value > 0.0) || !std::isfinite(value))
            reader_.fail(node, prefix_ + key, fmt::format("is {}; it must be positive", value));
        return value;
    }

    template <int n>
    Eigen::Matrix<double, n, 1> edges() const {
        const toml::node& node = required("size", fmt::format("give the lengths of {} edges", n));
        const Eigen::VectorXd value = reader_.vector(node, prefix_ + "size");
        tables_.expect(node, prefix_ + "size", value.size(), n, "per edge");
        if (!(value.minCoeff() > 0.0) || !value.allFinite())
            reader_.fail(node, prefix_ + "size", "has an edge that is not positive");
        return value;
    }

    Shape sphere() const { return Sphere{positive("radius")}; }
    Shape box() const { return Cuboid{edges<3>()}; }
    Shape cylinder() const { return Cylinder{positive("radius"), positive("length")}; }
    Shape capsule() const { return Capsule{positive("radius"), positive("length")}; }
    Shape plane() const { return Plane{edges<2>()}; }
    Shape segment() const { return Segment{positive("radius")}; }
    Shape coil() const {
        constexpr double most = 100.0;
        const double turns = table_.contains("turns") ? positive("turns") : 8.0;
        if (turns > most || turns != std::floor(turns))
            reader_.fail(*table_.get("turns"), prefix_ + "turns",
                         fmt::format("is {}; it must be a whole number up to {}", turns, most));
        return Coil{positive("radius"), static_cast<int>(turns)};
    }

    Eigen::MatrixXd rows(const char* key, Index width, std::string_view remedy) const {
        const toml::node& node = required(key, remedy);
        const Eigen::MatrixXd result = reader_.matrix(node, prefix_ + key).to_dense();
        if (result.cols() != width || !result.allFinite())
            reader_.fail(node, prefix_ + key, fmt::format("has rows of {}; {}", result.cols(), remedy));
        return result;
    }

    Shape prism() const {
        const Eigen::MatrixXd outline = rows("outline", 2, "give the corners of its side view, [[x, z], ...]");
        const std::optional<TriangleMesh> result = prism_of(outline, positive("depth"));
        if (!result)
            reader_.fail(*table_.get("outline"), prefix_ + "outline",
                         "crosses itself, or has no area; give the corners in order");
        return *result;
    }

    Shape mesh() const {
        const Eigen::MatrixXd vertices = rows("vertices", 3, "give points [[x, y, z], ...]");
        const Eigen::MatrixXd corners = rows("triangles", 3, "give three numbers of vertices each, from 0");
        TriangleMesh result;
        for (Index k = 0; k < vertices.rows(); ++k) result.vertices.emplace_back(vertices.row(k));
        for (Index k = 0; k < corners.rows(); ++k) {
            std::array<int, 3> triangle{};
            for (std::size_t i = 0; i < 3; ++i) triangle[i] = vertex(corners(k, static_cast<Index>(i)), vertices);
            result.triangles.push_back(triangle);
        }
        return result;
    }

    int vertex(double number, const Eigen::MatrixXd& vertices) const {
        if (!(number >= 0.0 && number < static_cast<double>(vertices.rows()) && number == std::floor(number)))
            reader_.fail(*table_.get("triangles"), prefix_ + "triangles",
                         fmt::format("names vertex {}; there are {}, from 0", number, vertices.rows()));
        return static_cast<int>(number);
    }

    const ModelTables& tables_;
    const TomlReader& reader_;
    const toml::table& table_;
    const std::string& prefix_;
};

}  // namespace

ShapeEntries read_shape(const ModelTables& tables, const toml::table& table, const std::string& prefix) {
    return ShapeReader(tables, table, prefix).read();
}

}  // namespace saltus
