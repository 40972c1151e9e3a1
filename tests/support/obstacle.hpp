#pragma once

#include <cmath>

#include "saltus/complementarity/affine/box_vi.hpp"
#include "saltus/core/infinity.hpp"

// A membrane over the unit hemisphere, whose contact disk is known exactly: the sparse problem of tests and benchmarks.
namespace saltus::testing {

// The five-point Laplacian, times -h^2, on a square grid with Dirichlet boundary: 4 on the diagonal. An M-matrix.
inline Matrix::Sparse grid_laplacian(Index side) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(5 * side * side));
    const auto couple = [&](Index a, Index b) {
        entries.emplace_back(a, b, -1.0);
        entries.emplace_back(b, a, -1.0);
    };
    for (Index j = 0; j < side; ++j)
        for (Index i = 0; i < side; ++i) {
            const Index k = i + side * j;
            entries.emplace_back(k, k, 4.0);
            if (i > 0) couple(k, k - 1);
            if (j > 0) couple(k, k - side);
        }
    Matrix::Sparse M(side * side, side * side);
    M.setFromTriplets(entries.begin(), entries.end());
    return M;
}

// On the square [-2, 2]^2: u >= obstacle, -laplace(u) >= 0, complementary, with the hemisphere
// obstacle(r) = sqrt(1 - r^2), r < 1 (-1 outside). Radial solution: u = obstacle for r <= R, and
// u = R^2 log(2 / r) / sqrt(1 - R^2) beyond, whose slope is that of the hemisphere at R; contact_radius() makes u
// continuous there. u has bounded second derivatives, so that the five-point scheme converges.
struct HemisphereObstacle {
    Index side;  // unknowns along a side of the grid

    double spacing() const { return 4.0 / static_cast<double>(side + 1); }
    double coordinate(Index i) const { return -2.0 + spacing() * static_cast<double>(i + 1); }

    // sqrt(1 - R^2) = R^2 log(2 / R) / sqrt(1 - R^2), by bisection: R = 0.6979651...
    static double contact_radius() {
        double low = 0.5, high = 1.0;
        while (high - low > 1e-15) {
            const double R = 0.5 * (low + high);
            (1.0 - R * R > R * R * std::log(2.0 / R) ? low : high) = R;
        }
        return low;
    }
    static double obstacle(double x, double y) {
        const double r = std::hypot(x, y);
        return r < 1.0 ? std::sqrt(1.0 - r * r) : -1.0;
    }
    static double solution(double x, double y) {
        static const double R = contact_radius();
        const double r = std::hypot(x, y);
        return r <= R ? obstacle(x, y) : R * R * std::log(2.0 / r) / std::sqrt(1.0 - R * R);
    }

    // The values of a function of (x, y) at the unknowns.
    template <class Function>
    Eigen::VectorXd sample(const Function& function) const {
        return Eigen::VectorXd::NullaryExpr(
            side * side, [&](Index k) { return function(coordinate(k % side), coordinate(k / side)); });
    }

    // M u + q, with the boundary values of the solution in q.
    BoxVi problem() const {
        Eigen::VectorXd q = Eigen::VectorXd::Zero(side * side);
        for (Index k = 0; k < side; ++k) {
            const double edge = solution(coordinate(k), 2.0);
            q[k] -= edge;
            q[k + side * (side - 1)] -= edge;
            q[side * k] -= edge;
            q[side * k + side - 1] -= edge;
        }
        return {grid_laplacian(side), q, sample(obstacle), Eigen::VectorXd::Constant(side * side, infinity)};
    }
};

}  // namespace saltus::testing
