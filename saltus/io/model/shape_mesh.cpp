#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/io/model/scene.hpp"

namespace saltus {

namespace {

struct ProfilePoint {
    double radius, height;
};

// The surface of revolution about z of a profile that goes from the lowest point to the highest, both on the axis.
TriangleMesh revolved(const std::vector<ProfilePoint>& profile, int segments) {
    const int rings = static_cast<int>(profile.size()) - 2, last = 1 + rings * segments;
    const auto vertex = [&](int ring, int k) { return 1 + ring * segments + k % segments; };
    TriangleMesh mesh;
    mesh.vertices.emplace_back(0.0, 0.0, profile.front().height);
    for (int ring = 0; ring < rings; ++ring)
        for (int k = 0; k < segments; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / segments;
            const auto [radius, height] = profile[static_cast<std::size_t>(ring + 1)];
            mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
        }
    mesh.vertices.emplace_back(0.0, 0.0, profile.back().height);
    for (int k = 0; k < segments; ++k) {
        mesh.triangles.push_back({0, vertex(0, k + 1), vertex(0, k)});
        for (int ring = 0; ring + 1 < rings; ++ring) {
            mesh.triangles.push_back({vertex(ring, k), vertex(ring, k + 1), vertex(ring + 1, k + 1)});
            mesh.triangles.push_back({vertex(ring, k), vertex(ring + 1, k + 1), vertex(ring + 1, k)});
        }
        mesh.triangles.push_back({vertex(rings - 1, k), vertex(rings - 1, k + 1), last});
    }
    return mesh;
}

// A sphere, with a cylinder between its halves if the length is not zero.
TriangleMesh rounded(double radius, double length, int segments) {
    const int quarter = std::max(1, segments / 4);  // bands from a pole to the equator
    std::vector<ProfilePoint> profile;
    for (int k = -quarter; k <= quarter; ++k) {
        const double latitude = 0.5 * std::numbers::pi * k / quarter;
        const double z = radius * std::sin(latitude), r = radius * std::cos(latitude);
        if (k <= 0) profile.push_back({r, z - 0.5 * length});
        if (k > 0 || (k == 0 && length > 0.0)) profile.push_back({r, z + 0.5 * length});
    }
    return revolved(profile, segments);
}

TriangleMesh cylindrical(double radius, double length, int segments) {
    const double half = 0.5 * length;
    return revolved({{0.0, -half}, {radius, -half}, {radius, half}, {0.0, half}}, segments);
}

TriangleMesh boxed(const Eigen::Vector3d& size) {
    TriangleMesh mesh;
    for (int k = 0; k < 8; ++k)
        mesh.vertices.emplace_back(
            0.5 * size.cwiseProduct(Eigen::Vector3d((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                                                    (k & 4) != 0 ? 1.0 : -1.0)));
    constexpr std::array<std::array<int, 4>, 6> faces{
        {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
    for (const auto& [a, b, c, d] : faces) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    }
    return mesh;
}

TriangleMesh rectangular(const Eigen::Vector2d& size) {
    const double x = 0.5 * size.x(), y = 0.5 * size.y();
    return {{{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}}, {{0, 1, 2}, {0, 2, 3}}};
}

// A wire along r(s) (cos a(s), sin a(s), 0) + (s - 1/2) e_z, 0 <= s <= 1, which begins and ends on the axis. Its cross
// section is an ellipse in the plane of e_r and e_z. A pose stretches its height with the pitch, so that springs of any
// length look alike.
TriangleMesh coiled(const Coil& coil, int segments) {
    const int sides = std::max(6, segments / 3), turns = std::max(1, coil.turns), rings = turns * segments + 1;
    const double width = coil.radius / 8.0, height = 0.1 / turns, run_in = 0.5 / turns;
    const auto vertex = [&](int ring, int side) { return ring * sides + side % sides; };
    TriangleMesh mesh;
    for (int ring = 0; ring < rings; ++ring) {
        const double s = static_cast<double>(ring) / (rings - 1), a = 2.0 * std::numbers::pi * turns * s;
        const double r = coil.radius * std::min({1.0, s / run_in, (1.0 - s) / run_in});
        for (int side = 0; side < sides; ++side) {
            const double b = 2.0 * std::numbers::pi * side / sides, from_axis = r + width * std::cos(b);
            mesh.vertices.emplace_back(from_axis * std::cos(a), from_axis * std::sin(a),
                                       s - 0.5 + height * std::sin(b));
        }
    }
    for (int side = 0; side < sides; ++side)
        for (int ring = 0; ring + 1 < rings; ++ring) {
            mesh.triangles.push_back({vertex(ring, side), vertex(ring + 1, side), vertex(ring + 1, side + 1)});
            mesh.triangles.push_back({vertex(ring, side), vertex(ring + 1, side + 1), vertex(ring, side + 1)});
        }
    for (int side = 1; side + 1 < sides; ++side) {
        mesh.triangles.push_back({vertex(0, 0), vertex(0, side), vertex(0, side + 1)});
        mesh.triangles.push_back({vertex(rings - 1, 0), vertex(rings - 1, side + 1), vertex(rings - 1, side)});
    }
    return mesh;
}

struct MeshMaker {
    int segments;
    TriangleMesh operator()(const Sphere& s) const { return rounded(s.radius, 0.0, segments); }
    TriangleMesh operator()(const Cuboid& s) const { return boxed(s.size); }
    TriangleMesh operator()(const Cylinder& s) const { return cylindrical(s.radius, s.length, segments); }
    TriangleMesh operator()(const Capsule& s) const { return rounded(s.radius, s.length, segments); }
    TriangleMesh operator()(const Plane& s) const { return rectangular(s.size); }
    TriangleMesh operator()(const Segment& s) const { return cylindrical(s.radius, 1.0, segments); }
    TriangleMesh operator()(const Coil& s) const { return coiled(s, segments); }
    TriangleMesh operator()(const TriangleMesh& s) const { return s; }
};

}  // namespace

TriangleMesh mesh_of(const Shape& shape, int segments) { return std::visit(MeshMaker{std::max(4, segments)}, shape); }

std::string default_color(std::size_t k) {
    // Okabe and Ito, Color universal design, 2008: distinguishable with any colour vision. Black, which shows no shape,
    // is left out.
    constexpr std::array<const char*, 7> palette{"#0072b2", "#d55e00", "#009e73", "#e69f00",
                                                 "#56b4e9", "#cc79a7", "#f0e442"};
    return palette[k % palette.size()];
}

std::string_view to_string(ContactState state) {
    switch (state) {
        case ContactState::open:
            return "open";
        case ContactState::slips:
            return "slips";
        case ContactState::sticks:
            return "sticks";
        case ContactState::closed:
            return "closed";
    }
    return "unknown";
}

}  // namespace saltus
