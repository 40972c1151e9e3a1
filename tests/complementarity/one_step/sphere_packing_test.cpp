#include "support/sphere_packing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "saltus/core/dense.hpp"

namespace saltus::testing {
namespace {

double gap(const Sphere& a, const Sphere& b) { return (a.center - b.center).norm() - a.radius - b.radius; }

TEST(SpherePacking, SpheresTouchAndDoNotOverlap) {
    const SpherePacking assembly = settled_spheres({.spheres = 200});
    for (std::size_t i = 0; i < assembly.spheres.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_GT(gap(assembly.spheres[i], assembly.spheres[j]), -1e-9);
    for (const SphereContact& contact : assembly.contacts) {
        EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14);
        if (contact.second == SphereContact::wall) continue;
        const Sphere& first = assembly.spheres[static_cast<std::size_t>(contact.first)];
        const Sphere& second = assembly.spheres[static_cast<std::size_t>(contact.second)];
        EXPECT_NEAR(gap(first, second), 0.0, 1e-6);
        EXPECT_GT(contact.normal.dot(first.center - second.center), 0.0);
    }
}

// Three supports (floor, walls, spheres that fell before) hold a sphere in its place, one is enough on the floor.
TEST(SpherePacking, NearlyEverySphereAboveTheFloorHasThreeSupports) {
    const SpherePacking assembly = settled_spheres({.spheres = 500});
    std::vector<int> supports(assembly.spheres.size(), 0);
    for (const SphereContact& contact : assembly.contacts) ++supports[static_cast<std::size_t>(contact.first)];
    int above = 0, stable = 0;
    for (std::size_t k = 0; k < supports.size(); ++k) {
        EXPECT_GE(supports[k], 1);
        if (assembly.spheres[k].center[2] < assembly.spheres[k].radius + 1e-6) continue;
        ++above;
        stable += supports[k] >= 3;
    }
    EXPECT_GT(above, 400);
    EXPECT_GT(stable, 9 * above / 10);
}

// v = w x (x - p) for all spheres, with p the point of contact: there nothing moves, walls included.
TEST(SpherePacking, ARotationAboutAContactDoesNotMoveIt) {
    const SpherePackingOptions options{.spheres = 60};
    const SpherePacking assembly = settled_spheres(options);
    const Eigen::MatrixXd H = global_sphere_packing(options).H.to_dense();
    const Eigen::Vector3d w(0.3, -0.5, 0.7);
    for (std::size_t k = 0; k < assembly.contacts.size(); ++k) {
        const SphereContact& contact = assembly.contacts[k];
        const Sphere& first = assembly.spheres[static_cast<std::size_t>(contact.first)];
        const Eigen::Vector3d p = first.center - first.radius * contact.normal;
        Eigen::VectorXd v(H.rows());
        for (std::size_t b = 0; b < assembly.spheres.size(); ++b)
            v.segment<6>(6 * static_cast<Index>(b)) << w.cross(assembly.spheres[b].center - p), w;
        EXPECT_LT((H.middleCols<3>(3 * static_cast<Index>(k)).transpose() * v).norm(), 1e-5);
        v.segment<3>(6 * contact.first) += contact.normal;  // and away from it the gap opens
        EXPECT_NEAR(H.col(3 * static_cast<Index>(k)).dot(v), 1.0, 1e-5);
    }
}

TEST(SpherePacking, LocalAndGlobalFormAreOneProblem) {
    const SpherePackingOptions options{.spheres = 30, .friction = 0.3, .reach = 0.05};
    const FrictionProblem local = sphere_packing(options);
    const GlobalFrictionProblem global = global_sphere_packing(options);
    const Eigen::MatrixXd H = global.H.to_dense(), MinvH = solve_positive_definite(global.M.to_dense(), H);
    const Eigen::MatrixXd W = local.W.to_dense();
    EXPECT_TRUE(W.isApprox(H.transpose() * MinvH, 1e-12));
    EXPECT_TRUE(local.q.isApprox(MinvH.transpose() * global.f + global.b, 1e-12));
    EXPECT_EQ(local.mu, global.mu);
    EXPECT_GT(symmetric_eigenvalues(W).minCoeff(), -1e-12);
}

TEST(SpherePacking, IsAPureFunctionOfItsOptions) {
    const FrictionProblem one = sphere_packing(50, 0.3, 7), same = sphere_packing(50, 0.3, 7);
    EXPECT_EQ(one.q, same.q);
    EXPECT_NE(one.q.head(9), sphere_packing(50, 0.3, 8).q.head(9));
}

TEST(SpherePacking, ReachAddsContactsAndThinningRemovesThem) {
    const auto contacts = [](const SpherePackingOptions& options) { return sphere_packing(options).contacts(); };
    const Index settled = contacts({});
    EXPECT_NEAR(static_cast<double>(settled), 850.0, 50.0);
    EXPECT_GT(contacts({.reach = 0.05}), settled + 30);
    EXPECT_LT(contacts({.kept = 0.6}), settled * 6 / 10);
}

}  // namespace
}  // namespace saltus::testing
