#include <algorithm>
#include <numeric>

#include "saltus/io/model/shape_table.hpp"

namespace saltus {

namespace {

// Twice the area of the triangle a b c, positive if they turn counterclockwise.
double turn(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

// Cuts a polygon, given counterclockwise, into triangles: an ear is a corner whose triangle holds no other corner.
std::vector<std::array<int, 3>> triangles_of(const std::vector<Eigen::Vector2d>& corners) {
    std::vector<int> left(corners.size());
    std::iota(left.begin(), left.end(), 0);
    const auto at = [&](std::size_t k) { return corners[static_cast<std::size_t>(left[k % left.size()])]; };
    const auto is_ear = [&](std::size_t k) {
        const std::size_t n = left.size();
        const Eigen::Vector2d a = at(k + n - 1), b = at(k), c = at(k + 1);
        if (turn(a, b, c) <= 0.0) return false;
        for (std::size_t i = k + 2; i < k + n - 1; ++i) {
            const Eigen::Vector2d p = at(i);
            if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return false;
        }
        return true;
    };
    std::vector<std::array<int, 3>> result;
    while (left.size() >= 3) {
        const std::size_t n = left.size();
        std::size_t k = 0;
        while (k < n && !is_ear(k)) ++k;
        if (k == n) return {};  // the outline crosses itself
        result.push_back({left[(k + n - 1) % n], left[k], left[(k + 1) % n]});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return result;
}

}  // namespace

std::optional<TriangleMesh> prism_of(const Eigen::MatrixXd& outline, double depth) {
    std::vector<Eigen::Vector2d> corners;
    for (Index k = 0; k < outline.rows(); ++k) corners.emplace_back(outline.row(k));
    double area = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k)
        area += turn(Eigen::Vector2d::Zero(), corners[k], corners[(k + 1) % corners.size()]);
    if (area < 0.0) std::ranges::reverse(corners);
    const std::vector<std::array<int, 3>> side = triangles_of(corners);
    if (side.empty() || side.size() + 2 != corners.size()) return std::nullopt;
    TriangleMesh mesh;
    const int n = static_cast<int>(corners.size());
    for (const double y : {-0.5 * depth, 0.5 * depth})
        for (const Eigen::Vector2d& corner : corners) mesh.vertices.emplace_back(corner.x(), y, corner.y());
    // Seen along y, x to the right and z up, the front at -depth / 2 has the order of the outline.
    for (const auto& [a, b, c] : side) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({n + a, n + c, n + b});
    }
    for (int k = 0; k < n; ++k) {
        const int next = (k + 1) % n;
        mesh.triangles.push_back({k, n + k, n + next});
        mesh.triangles.push_back({k, n + next, next});
    }
    return mesh;
}

}  // namespace saltus
