#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "render/export_support.hpp"
#include "saltus/render/shaded_mesh.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using std::numbers::pi;
using testing::drawn_body;

// By the divergence theorem: the sum of a.(b x c) / 6 over the triangles.
double enclosed_volume(const TriangleMesh& mesh) {
    double volume = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const auto vertex = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
        volume += vertex(a).dot(vertex(b).cross(vertex(c))) / 6.0;
    }
    return volume;
}

double surface_area(const TriangleMesh& mesh) {
    double area = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const auto vertex = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
        area += 0.5 * (vertex(b) - vertex(a)).cross(vertex(c) - vertex(a)).norm();
    }
    return area;
}

// Each edge belongs to two triangles, which go along it in opposite directions.
bool is_closed_and_oriented(const TriangleMesh& mesh) {
    std::set<std::pair<int, int>> edges;
    for (const auto& triangle : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            if (!edges.insert({triangle[k], triangle[(k + 1) % 3]}).second) return false;
    return std::ranges::all_of(edges, [&](const auto& edge) { return edges.contains({edge.second, edge.first}); });
}

TEST(ShapeMesh, IsClosedAndOrientedOutward) {
    for (const Shape& shape : std::vector<Shape>{Sphere{2.0}, Cuboid{{1.0, 2.0, 3.0}}, Cylinder{0.5, 3.0},
                                                 Capsule{0.5, 2.0}, Segment{0.1}, Coil{0.3, 5}})
        for (const int segments : {4, 5, 12, 25}) {
            const TriangleMesh mesh = mesh_of(shape, segments);
            EXPECT_TRUE(is_closed_and_oriented(mesh)) << shape.index() << ", " << segments << " segments";
            EXPECT_GT(enclosed_volume(mesh), 0.0) << shape.index() << ", " << segments << " segments";
        }
}

TEST(ShapeMesh, BoxAndPrismsHaveTheirVolumeExactly) {
    EXPECT_NEAR(enclosed_volume(mesh_of(Cuboid{{1.0, 2.0, 3.0}})), 6.0, 1e-14);
    EXPECT_NEAR(surface_area(mesh_of(Cuboid{{1.0, 2.0, 3.0}})), 22.0, 1e-13);
    const double polygon = 0.5 * 24 * std::sin(2.0 * pi / 24);  // area of 24 facets around a circle of radius 1
    EXPECT_NEAR(enclosed_volume(mesh_of(Cylinder{0.5, 3.0}, 24)), 0.25 * 3.0 * polygon, 1e-14);
    EXPECT_NEAR(enclosed_volume(mesh_of(Segment{0.5}, 24)), 0.25 * polygon, 1e-14);
}

// Facets inscribed in a sphere lose a volume and an area of order 1 / segments^2.
TEST(ShapeMesh, RoundShapesConvergeWithOrderTwo) {
    const auto volume_error = [](const Shape& shape, double exact, int segments) {
        return 1.0 - enclosed_volume(mesh_of(shape, segments)) / exact;
    };
    const double sphere = 4.0 / 3.0 * pi * 8.0, capsule = 4.0 / 3.0 * pi * 0.125 + pi * 0.25 * 2.0;
    for (const auto& [shape, exact] :
         std::vector<std::pair<Shape, double>>{{Sphere{2.0}, sphere}, {Capsule{0.5, 2.0}, capsule}}) {
        EXPECT_LT(volume_error(shape, exact, 64), 0.01);
        EXPECT_NEAR(volume_error(shape, exact, 32) / volume_error(shape, exact, 64), 4.0, 0.1);
    }
    const auto area_error = [](int segments) {
        return 1.0 - surface_area(mesh_of(Sphere{1.0}, segments)) / (4.0 * pi);
    };
    EXPECT_LT(area_error(64), 0.005);
    EXPECT_NEAR(area_error(32) / area_error(64), 4.0, 0.1);
}

TEST(ShapeMesh, OfASpringIsAWireOverItsLength) {
    const TriangleMesh mesh = mesh_of(Coil{0.4, 8}, 48);
    double low = 0.0, high = 0.0, radius = 0.0;
    for (const Eigen::Vector3d& vertex : mesh.vertices) {
        low = std::min(low, vertex.z());
        high = std::max(high, vertex.z());
        radius = std::max(radius, vertex.head<2>().norm());
    }
    EXPECT_NEAR(low, -0.5, 0.02);
    EXPECT_NEAR(high, 0.5, 0.02);
    EXPECT_NEAR(radius, 0.45, 1e-3);
    const double section = pi * 0.05 * 0.0125, length = 2.0 * pi * 0.4 * (8 - 0.5);  // half a turn is lost at both ends
    EXPECT_NEAR(enclosed_volume(mesh) / (section * length), 1.0, 0.1);
}

TEST(ShapeMesh, OfAPlaneFacesUpward) {
    const TriangleMesh mesh = mesh_of(Plane{{2.0, 3.0}});
    EXPECT_NEAR(surface_area(mesh), 6.0, 1e-14);
    for (const Eigen::Vector3f& normal : shaded(mesh).normals) EXPECT_EQ(normal, Eigen::Vector3f::UnitZ());
}

TEST(ShapeMesh, ColorsAndStatesHaveTheirNames) {
    std::set<std::string> colors;
    for (std::size_t k = 0; k < 7; ++k) colors.insert(default_color(k));
    EXPECT_EQ(colors.size(), 7u);
    EXPECT_EQ(default_color(0), default_color(7));
    EXPECT_EQ(to_string(ContactState::open), "open");
    EXPECT_EQ(to_string(ContactState::slips), "slips");
    EXPECT_EQ(to_string(ContactState::sticks), "sticks");
    EXPECT_EQ(to_string(ContactState::closed), "closed");
}

TEST(ShadedMesh, IsSmoothWhereTheSurfaceIsAndHasEdgesElsewhere) {
    const ShadedMesh sphere = shaded(mesh_of(Sphere{2.0}, 48));
    EXPECT_EQ(sphere.vertices.size(), mesh_of(Sphere{2.0}, 48).vertices.size());
    for (std::size_t k = 0; k < sphere.vertices.size(); ++k)
        EXPECT_GT(sphere.normals[k].dot(sphere.vertices[k]) / 2.0F, 0.995F);
    EXPECT_EQ(shaded(mesh_of(Sphere{1.0}, 12)).vertices.size(), mesh_of(Sphere{1.0}, 12).vertices.size());

    const ShadedMesh box = shaded(mesh_of(Cuboid{{1.0, 2.0, 3.0}}));
    EXPECT_EQ(box.vertices.size(), 24u);
    for (const Eigen::Vector3f& normal : box.normals) EXPECT_EQ(normal.cwiseAbs().maxCoeff(), 1.0F);

    const ShadedMesh cylinder = shaded(mesh_of(Cylinder{1.0, 1.0}, 24));
    EXPECT_EQ(cylinder.vertices.size(), 4u * 24 + 2);
    for (const Eigen::Vector3f& normal : cylinder.normals)
        EXPECT_TRUE(std::abs(normal.z()) < 1e-6F || std::abs(normal.z()) > 1.0F - 1e-6F);
}

TEST(ShadedMesh, OfATriangleWithoutAreaHasANormal) {
    const ShadedMesh mesh = shaded({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}});
    for (const Eigen::Vector3f& normal : mesh.normals) EXPECT_EQ(normal.norm(), 1.0F);
}

TEST(BodyMeshes, AreSharedByEqualShapes) {
    Scene scene;
    scene.bodies = {drawn_body("a", Sphere{1.0}),
                    drawn_body("b", Sphere{2.0}),
                    drawn_body("c", Sphere{1.0}),
                    drawn_body("d", Cylinder{1.0, 2.0}),
                    drawn_body("e", Capsule{1.0, 2.0}),
                    drawn_body("f", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}),
                    drawn_body("g", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 2, 1}}})};
    const BodyMeshes meshes = body_meshes(scene);
    EXPECT_EQ(meshes.of_body, (std::vector<std::size_t>{0, 1, 0, 2, 3, 4, 5}));
    EXPECT_TRUE(meshes[0].is_closed);
    EXPECT_FALSE(meshes[5].is_closed);
}

TEST(Colors, AreReadOrRefused) {
    const Rgb color = parse_color("#ff8000");
    EXPECT_EQ(color.red, 1.0);
    EXPECT_EQ(color.green, 128.0 / 255.0);
    EXPECT_EQ(color.blue, 0.0);
    for (const char* text : {"", "#", "ff8000", "#ff800", "#ff80000", "#gg8000", "#-f8000", "# f8000"})
        EXPECT_EQ(testing::refusal([&] { parse_color(text); }),
                  std::string("color is '") + text + "'; it must be like \"#0072b2\"");
}

}  // namespace
}  // namespace saltus
