#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "saltus/io/model/scene.hpp"

namespace saltus {

// A colour as screens take it (sRGB), each from 0 to 1.
struct Rgb {
    double red = 0.0, green = 0.0, blue = 0.0;
};
// Reads "#rrggbb"; throws InvalidInput for anything else.
Rgb parse_color(const std::string& text);
// The colour of the k-th body of a scene, as a text and as numbers: its own, or the default.
std::string color_text(const Scene& scene, std::size_t k);
inline Rgb body_color(const Scene& scene, std::size_t k) { return parse_color(color_text(scene, k)); }

// A mesh with a normal of length 1 at each vertex. A vertex at an edge of the surface occurs once for each side.
struct ShadedMesh {
    std::vector<Eigen::Vector3f> vertices{}, normals{};
    std::vector<std::array<std::uint32_t, 3>> triangles{};
    bool is_closed = false;  // its inside is never seen
};
// Triangles whose normals differ by less than 50 degrees belong to one smooth surface.
ShadedMesh shaded(const TriangleMesh& mesh);

// The meshes of the bodies of a scene: one for all bodies of the same shape.
struct BodyMeshes {
    std::vector<ShadedMesh> meshes{};
    std::vector<std::size_t> of_body{};  // index into meshes

    const ShadedMesh& operator[](std::size_t body) const { return meshes[of_body[body]]; }
};
BodyMeshes body_meshes(const Scene& scene);

// Whether all numbers are finite; other poses are not drawn.
bool is_finite(const Pose& pose);

}  // namespace saltus
