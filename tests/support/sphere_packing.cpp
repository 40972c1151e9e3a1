#include "support/sphere_packing.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

namespace saltus::testing {
namespace {

// What a sphere of radius R at x may touch: gap(x) >= 0, normal = grad gap.
struct Obstacle {
    Index sphere;
    double gap;
    Eigen::Vector3d normal;
};

constexpr double largest_reach = 0.2;  // contacts with a wider gap may be missed

// Spheres dropped one after another into a box with floor z = 0 and walls x, y = 0, side. Those which fell are found by
// the column of the box where their centres are.
class Heap {
public:
    Heap(double side, double largest_radius)
        : side_(side),
          columns_(std::max(1, static_cast<int>(side / (2.0 * largest_radius + largest_reach)))),
          members_(static_cast<std::size_t>(columns_ * columns_)) {}

    // Falls from above (x, y), slides down until nothing gives way, and stays.
    void drop(double x, double y, double radius) {
        Sphere sphere{{x, y, landing_height(x, y, radius)}, radius};
        slide_down(sphere);
        if (Sphere exact = sphere; touch(exact, 1e-4)) sphere = exact;
        members_[column_at(sphere.center)].push_back(static_cast<Index>(spheres_.size()));
        spheres_.push_back(sphere);
    }

    const std::vector<Sphere>& spheres() const { return spheres_; }

    // Calls action(Obstacle) for the floor, the walls and the spheres around, where the gap is less than `reach`.
    void for_each_obstacle(const Sphere& sphere, double reach, const auto& action) const {
        for (int axis = 0; axis < 3; ++axis) {
            const Eigen::Vector3d normal = Eigen::Vector3d::Unit(axis);
            const double low = sphere.center[axis] - sphere.radius, high = side_ - sphere.center[axis] - sphere.radius;
            if (low < reach) action(Obstacle{SphereContact::wall, low, normal});
            if (axis < 2 && high < reach) action(Obstacle{SphereContact::wall, high, -normal});
        }
        for_each_near(sphere.center, [&](Index other) {
            const Sphere& obstacle = spheres_[static_cast<std::size_t>(other)];
            const Eigen::Vector3d difference = sphere.center - obstacle.center;
            const double touching = sphere.radius + obstacle.radius, limit = touching + reach;
            const double squared = difference.squaredNorm();
            if (squared >= limit * limit || squared == 0.0) return;
            const double distance = std::sqrt(squared);
            action(Obstacle{other, distance - touching, difference / distance});
        });
    }

private:
    int column_of(double coordinate) const {
        return std::clamp(static_cast<int>(coordinate / side_ * columns_), 0, columns_ - 1);
    }
    std::size_t column_at(const Eigen::Vector3d& x) const {
        return static_cast<std::size_t>(column_of(x[0]) + columns_ * column_of(x[1]));
    }
    void for_each_near(const Eigen::Vector3d& x, const auto& action) const {
        const int i = column_of(x[0]), j = column_of(x[1]);
        for (int b = std::max(0, j - 1); b <= std::min(columns_ - 1, j + 1); ++b)
            for (int a = std::max(0, i - 1); a <= std::min(columns_ - 1, i + 1); ++a)
                for (const Index k : members_[static_cast<std::size_t>(a + columns_ * b)]) action(k);
    }

    double landing_height(double x, double y, double radius) const {
        double height = radius;
        for_each_near({x, y, 0.0}, [&](Index k) {
            const Sphere& other = spheres_[static_cast<std::size_t>(k)];
            const double touching = radius + other.radius, dx = x - other.center[0], dy = y - other.center[1];
            const double squared = touching * touching - dx * dx - dy * dy;
            if (squared > 0.0) height = std::max(height, other.center[2] + std::sqrt(squared));
        });
        return height;
    }

    // Steps down, each followed by a move out of what is in the way; where that leads no lower, by half the step.
    void slide_down(Sphere& sphere) const {
        constexpr int most_steps = 1000;
        double step = 0.1;
        for (int k = 0; k < most_steps && step > 1e-7; ++k) {
            Sphere lower = sphere;
            lower.center[2] -= step;
            const bool is_lower = touch(lower, 0.0) && lower.center[2] < sphere.center[2] - 1e-3 * step;
            if (is_lower) sphere = lower;
            step = is_lower ? std::min(0.1, 2.0 * step) : 0.25 * step;
        }
    }

    // Newton's method on gap_k(x) = 0 for the (up to) three nearest obstacles with a gap below `reach`. Returns whether
    // it ended outside of everything.
    bool touch(Sphere& sphere, double reach) const {
        constexpr double rounding = 1e-12, largest_move = 0.3;
        std::vector<Obstacle> near;
        for (int iteration = 0; iteration < 20; ++iteration) {
            near.clear();
            for_each_obstacle(sphere, reach, [&](const Obstacle& obstacle) { near.push_back(obstacle); });
            std::sort(near.begin(), near.end(), [](const Obstacle& a, const Obstacle& b) { return a.gap < b.gap; });
            Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
            Eigen::Vector3d gaps = Eigen::Vector3d::Zero();
            for (std::size_t k = 0; k < std::min<std::size_t>(near.size(), 3); ++k) {
                A.row(static_cast<Index>(k)) = near[k].normal;
                gaps[static_cast<Index>(k)] = near[k].gap;
            }
            if (gaps.lpNorm<Eigen::Infinity>() < rounding) return true;
            // The shortest move with A move = gaps, unless the rows of A (some may be zero) depend on each other.
            const Eigen::Matrix3d AAt = A * A.transpose() + 1e-12 * Eigen::Matrix3d::Identity();
            const Eigen::Vector3d move = A.transpose() * (AAt.inverse() * gaps);
            if (!(move.norm() < largest_move)) return false;
            sphere.center -= move;
        }
        return false;
    }

    double side_;
    int columns_;
    std::vector<std::vector<Index>> members_;
    std::vector<Sphere> spheres_;
};

// u = H' v at a contact: its columns (N, T1, T2) of H which belong to one of the two bodies, velocities (linear,
// angular). The point of contact is -+ radius normal away from the centres.
Eigen::Matrix<double, 6, 3> body_columns(const SphereContact& contact, double radius, bool is_first) {
    const Eigen::Vector3d first_tangent = contact.normal.unitOrthogonal();
    const Eigen::Vector3d second_tangent = contact.normal.cross(first_tangent);
    Eigen::Matrix<double, 6, 3> H;
    H.topRows<3>() << contact.normal, first_tangent, second_tangent;
    if (!is_first) H.topRows<3>() *= -1.0;
    H.bottomRows<3>() << Eigen::Vector3d::Zero(), -radius * second_tangent, radius * first_tangent;
    return H;
}

Eigen::Matrix<double, 6, 1> masses(const Sphere& sphere) {
    Eigen::Matrix<double, 6, 1> M;
    M << Eigen::Vector3d::Constant(sphere.mass()), Eigen::Vector3d::Constant(sphere.inertia());
    return M;
}

// The contacts of each sphere, and its columns of H.
struct BodyContact {
    Index contact;
    Eigen::Matrix<double, 6, 3> H;
};
std::vector<std::vector<BodyContact>> contacts_by_body(const SpherePacking& assembly) {
    std::vector<std::vector<BodyContact>> bodies(assembly.spheres.size());
    for (std::size_t k = 0; k < assembly.contacts.size(); ++k) {
        const SphereContact& contact = assembly.contacts[k];
        for (const Index body : {contact.first, contact.second}) {
            if (body == SphereContact::wall) continue;
            const auto b = static_cast<std::size_t>(body);
            bodies[b].push_back(
                {static_cast<Index>(k), body_columns(contact, assembly.spheres[b].radius, body == contact.first)});
        }
    }
    return bodies;
}

// f = M (v_old + h g): gravity 1 downwards, and the velocities before the step.
Eigen::VectorXd load(const SpherePacking& assembly, const SpherePackingOptions& options) {
    Random random(options.seed + 1000003u);
    Eigen::VectorXd f = random.vector(6 * std::ssize(assembly.spheres), -options.agitation, options.agitation);
    for (std::size_t b = 0; b < assembly.spheres.size(); ++b) {
        auto f_b = f.segment<6>(6 * static_cast<Index>(b));
        f_b[2] -= 1.0;
        f_b.array() *= masses(assembly.spheres[b]).array();
    }
    return f;
}

Eigen::VectorXd coefficients(const SpherePacking& assembly, const SpherePackingOptions& options) {
    return Eigen::VectorXd::Constant(std::ssize(assembly.contacts), options.friction);
}

// The spheres which stay where share `kept` does, with their new numbers in `number` (wall for the others).
std::vector<Sphere> thinned(const std::vector<Sphere>& all, const SpherePackingOptions& options,
                            std::vector<Index>& number) {
    Random random(options.seed + 2000003u);
    std::vector<Sphere> stay;
    number.assign(all.size(), SphereContact::wall);
    for (std::size_t k = 0; k < all.size(); ++k)
        if (options.kept >= 1.0 || random.coin(options.kept)) {
            number[k] = std::ssize(stay);
            stay.push_back(all[k]);
        }
    return stay;
}

}  // namespace

SpherePacking settled_spheres(const SpherePackingOptions& options) {
    constexpr double volume_fraction = 0.55;
    const double volume = 4.0 / 3.0 * M_PI * options.spheres / volume_fraction;
    const double side = std::max(4.0, std::cbrt(volume)), largest = 1.0 + options.radius_spread;
    Random random(options.seed);
    Heap heap(side, largest);
    for (int k = 0; k < options.spheres; ++k) {
        const double radius = random.uniform(1.0 - options.radius_spread, largest);
        const double x = random.uniform(radius, side - radius), y = random.uniform(radius, side - radius);
        heap.drop(x, y, radius);
    }

    SpherePacking result;
    std::vector<Index> number;
    result.spheres = thinned(heap.spheres(), options, number);
    for (std::size_t k = 0; k < heap.spheres().size(); ++k) {
        if (number[k] == SphereContact::wall) continue;
        heap.for_each_obstacle(heap.spheres()[k], options.reach, [&](const Obstacle& obstacle) {
            const bool is_wall = obstacle.sphere == SphereContact::wall;
            if (!is_wall && obstacle.sphere > static_cast<Index>(k)) return;  // counted from the other of the two
            const Index other = is_wall ? SphereContact::wall : number[static_cast<std::size_t>(obstacle.sphere)];
            if (is_wall || other != SphereContact::wall) result.contacts.push_back({number[k], other, obstacle.normal});
        });
    }
    return result;
}

GlobalFrictionProblem global_sphere_packing(const SpherePackingOptions& options) {
    const SpherePacking assembly = settled_spheres(options);
    const Index rows = 6 * std::ssize(assembly.spheres), columns = 3 * std::ssize(assembly.contacts);
    std::vector<Eigen::Triplet<double>> M, H;
    const auto bodies = contacts_by_body(assembly);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Index row = 6 * static_cast<Index>(b);
        const Eigen::Matrix<double, 6, 1> mass_of_body = masses(assembly.spheres[b]);
        for (Index i = 0; i < 6; ++i) M.emplace_back(row + i, row + i, mass_of_body[i]);
        for (const BodyContact& at : bodies[b])
            for (Index j = 0; j < 3; ++j)
                for (Index i = 0; i < 6; ++i)
                    if (at.H(i, j) != 0.0) H.emplace_back(row + i, 3 * at.contact + j, at.H(i, j));
    }
    Matrix::Sparse mass(rows, rows), directions(rows, columns);
    mass.setFromTriplets(M.begin(), M.end());
    directions.setFromTriplets(H.begin(), H.end());
    return {mass, directions, load(assembly, options), Eigen::VectorXd::Zero(columns), coefficients(assembly, options)};
}

FrictionProblem local_form(const SpherePacking& assembly, const SpherePackingOptions& options) {
    const Eigen::VectorXd f = load(assembly, options);
    const Index contacts = std::ssize(assembly.contacts);
    std::vector<BlockMatrix::Entry> W;
    Eigen::VectorXd q = Eigen::VectorXd::Zero(3 * contacts);
    const auto bodies = contacts_by_body(assembly);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Eigen::Matrix<double, 6, 1> inverse = masses(assembly.spheres[b]).cwiseInverse();
        for (const BodyContact& at : bodies[b]) {
            const Eigen::Matrix<double, 3, 6> HtM = at.H.transpose() * inverse.asDiagonal();
            q.segment<3>(3 * at.contact) += HtM * f.segment<6>(6 * static_cast<Index>(b));
            for (const BodyContact& with : bodies[b]) W.push_back({at.contact, with.contact, HtM * with.H});
        }
    }
    return {BlockMatrix(std::vector<int>(static_cast<std::size_t>(contacts), 3), W), q,
            coefficients(assembly, options)};
}

FrictionProblem sphere_packing(const SpherePackingOptions& options) {
    return local_form(settled_spheres(options), options);
}

FrictionProblem sphere_packing(int spheres, double friction, unsigned seed) {
    return sphere_packing({.spheres = spheres, .friction = friction, .seed = seed});
}

SpherePacking scattered_spheres(const SpherePackingOptions& options) {
    constexpr double neighbours = 6.0, volume_of_neighbours = 4.0 / 3.0 * M_PI * 8.0;
    const double side = std::cbrt(options.spheres * volume_of_neighbours / neighbours);
    Random random(options.seed);
    SpherePacking result;
    for (int k = 0; k < options.spheres; ++k) {
        const double x = random.uniform(0.0, side), y = random.uniform(0.0, side), z = random.uniform(0.0, side);
        result.spheres.push_back({{x, y, z}, 1.0});
    }
    for (std::size_t k = 0; k < result.spheres.size(); ++k) {
        const Eigen::Vector3d& center = result.spheres[k].center;
        const auto first = static_cast<Index>(k);
        if (center[2] < 1.0) result.contacts.push_back({first, SphereContact::wall, Eigen::Vector3d::UnitZ()});
        for (Index other = 0; other < first; ++other) {
            const Eigen::Vector3d difference = center - result.spheres[static_cast<std::size_t>(other)].center;
            if (difference.squaredNorm() < 4.0) result.contacts.push_back({first, other, difference.normalized()});
        }
    }
    return result;
}

FrictionProblem scattered_sphere_problem(const SpherePackingOptions& options) {
    return local_form(scattered_spheres(options), options);
}

}  // namespace saltus::testing
