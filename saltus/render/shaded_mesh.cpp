#include "saltus/render/shaded_mesh.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include "saltus/core/check.hpp"

namespace saltus {

namespace {

// The normals of the triangles, as long as twice their areas: a sum of them weighs by area.
std::vector<Eigen::Vector3d> area_normals(const TriangleMesh& mesh) {
    std::vector<Eigen::Vector3d> normals;
    normals.reserve(mesh.triangles.size());
    const auto vertex = [&](int k) -> const Eigen::Vector3d& { return mesh.vertices[static_cast<std::size_t>(k)]; };
    for (const auto& [a, b, c] : mesh.triangles)
        normals.push_back((vertex(b) - vertex(a)).cross(vertex(c) - vertex(a)));
    return normals;
}

// The triangles at each vertex.
std::vector<std::vector<std::size_t>> triangles_around(const TriangleMesh& mesh) {
    std::vector<std::vector<std::size_t>> around(mesh.vertices.size());
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
        for (const int vertex : mesh.triangles[k]) around[static_cast<std::size_t>(vertex)].push_back(k);
    return around;
}

// The normal of the surface that is smooth at this corner of a triangle.
Eigen::Vector3f corner_normal(const std::vector<Eigen::Vector3d>& normals, const std::vector<std::size_t>& around,
                              std::size_t triangle) {
    constexpr double cos_crease = 0.64;  // 50 degrees
    const Eigen::Vector3d& own = normals[triangle];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::size_t k : around)
        if (own.dot(normals[k]) >= cos_crease * own.norm() * normals[k].norm()) sum += normals[k];
    const double length = sum.norm();
    if (!(length > 0.0)) return Eigen::Vector3f::UnitZ();  // a triangle without area
    return (sum / length).cast<float>();
}

// Shapes are told apart by their numbers, bit for bit.
struct ShapeKey {
    std::string key{};

    template <class T>
    void add(const T& value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const Sphere& s) { add(s.radius); }
    void operator()(const Cuboid& s) { key.append(reinterpret_cast<const char*>(s.size.data()), 3 * sizeof(double)); }
    void operator()(const Cylinder& s) { add(s.radius), add(s.length); }
    void operator()(const Capsule& s) { add(s.radius), add(s.length); }
    void operator()(const Plane& s) { add(s.size.x()), add(s.size.y()); }
    void operator()(const Segment& s) { add(s.radius); }
    void operator()(const Coil& s) { add(s.radius), add(s.turns); }
    void operator()(const TriangleMesh& s) {
        for (const Eigen::Vector3d& v : s.vertices) add(v.x()), add(v.y()), add(v.z());
        for (const std::array<int, 3>& t : s.triangles) add(t);
    }
};

std::string shape_key(const Shape& shape) {
    ShapeKey maker;
    maker.add(shape.index());
    std::visit(maker, shape);
    return std::move(maker.key);
}

// A mesh may be open.
bool is_closed_shape(const Shape& shape) {
    return !std::holds_alternative<Plane>(shape) && !std::holds_alternative<TriangleMesh>(shape);
}

// Facets around a round shape: many bodies are small in a picture.
int facets_for(std::size_t bodies) { return bodies <= 50 ? 48 : bodies <= 500 ? 24 : bodies <= 2000 ? 16 : 12; }

}  // namespace

Rgb parse_color(const std::string& text) {
    unsigned value = 0;
    const bool is_color = text.size() == 7 && text[0] == '#' &&
                          std::from_chars(text.data() + 1, text.data() + 7, value, 16).ptr == text.data() + 7;
    require(is_color, "color is '{}'; it must be like \"#0072b2\"", text);
    return {(value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0};
}

std::string color_text(const Scene& scene, std::size_t k) {
    const auto& [color, shape] = std::tie(scene.bodies[k].color, scene.bodies[k].shape);
    if (!color.empty()) return color;
    // Floors and springs are not what one looks at.
    if (std::holds_alternative<Plane>(shape)) return "#bcc3cb";
    if (std::holds_alternative<Coil>(shape)) return "#9aa3ad";
    return default_color(k);
}

ShadedMesh shaded(const TriangleMesh& mesh) {
    const std::vector<Eigen::Vector3d> normals = area_normals(mesh);
    const std::vector<std::vector<std::size_t>> around = triangles_around(mesh);
    std::vector<std::vector<std::uint32_t>> copies(mesh.vertices.size());  // of each vertex, one for each normal
    ShadedMesh result;
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto vertex = static_cast<std::size_t>(mesh.triangles[k][i]);
            const Eigen::Vector3f normal = corner_normal(normals, around[vertex], k);
            auto copy = std::ranges::find_if(copies[vertex], [&](auto c) { return result.normals[c] == normal; });
            if (copy == copies[vertex].end()) {
                copies[vertex].push_back(static_cast<std::uint32_t>(result.vertices.size()));
                copy = std::prev(copies[vertex].end());
                result.vertices.push_back(mesh.vertices[vertex].cast<float>());
                result.normals.push_back(normal);
            }
            corners[i] = *copy;
        }
        result.triangles.push_back(corners);
    }
    return result;
}

BodyMeshes body_meshes(const Scene& scene) {
    BodyMeshes result;
    std::map<std::string, std::size_t> known;
    for (const DrawnBody& body : scene.bodies) {
        const auto [place, is_new] = known.try_emplace(shape_key(body.shape), result.meshes.size());
        if (is_new) {
            result.meshes.push_back(shaded(mesh_of(body.shape, facets_for(scene.bodies.size()))));
            result.meshes.back().is_closed = is_closed_shape(body.shape);
        }
        result.of_body.push_back(place->second);
    }
    return result;
}

bool is_finite(const Pose& pose) {
    return pose.position.allFinite() && pose.rotation.coeffs().allFinite() && std::isfinite(pose.length);
}

}  // namespace saltus
