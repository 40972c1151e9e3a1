#include "saltus/laws/friction.hpp"

#include <gtest/gtest.h>

#include "support/random_problems.hpp"

namespace saltus {
namespace {

template <class Law>
class FrictionLawTest : public ::testing::Test {
public:
    using Vector = typename Law::Vector;

    static Law random_law(testing::Random& random) {
        Law law;
        for (double& mu : law.mu) mu = random.coin(0.1) ? 0.0 : random.uniform(0.0, 2.0);
        return law;
    }
    static Vector random_vector(testing::Random& random) { return random.vector(Law::dimension, -2.0, 2.0); }
};
using Laws = ::testing::Types<Coulomb2D, Coulomb3D, RollingFriction>;
TYPED_TEST_SUITE(FrictionLawTest, Laws);

// The nearest point p of a convex set: p in K and (z - p).(y - p) <= 0 for all y in K.
TYPED_TEST(FrictionLawTest, ProjectionIsTheNearestPoint) {
    testing::Random random(1);
    for (int k = 0; k < 20000; ++k) {
        const TypeParam law = this->random_law(random);
        const auto z = this->random_vector(random), p = law.project(z);
        for (int d = 0; d < TypeParam::disks; ++d)
            ASSERT_LE(TypeParam::disk(p, d).norm(), law.mu[d] * p[0] * (1.0 + 1e-14) + 1e-300);
        ASSERT_GE(p[0], 0.0);
        ASSERT_NEAR((z - p).dot(p), 0.0, 1e-13);  // K is a cone
        for (int trial = 0; trial < 3; ++trial) {
            auto y = this->random_vector(random);
            y[0] = std::abs(y[0]);
            for (int d = 0; d < TypeParam::disks; ++d) {
                auto part = TypeParam::disk(y, d);
                part *= law.mu[d] * y[0] / std::max(part.norm(), law.mu[d] * y[0] + 1e-300);
            }
            ASSERT_LE((z - p).dot(y), 1e-13);
        }
    }
}

// Moreau: z = P_K*(z) - P_K(-z), the two parts orthogonal, the first in the dual cone: nonnegative on all of K.
TYPED_TEST(FrictionLawTest, DualProjectionIsInTheDualCone) {
    testing::Random random(2);
    for (int k = 0; k < 5000; ++k) {
        const TypeParam law = this->random_law(random);
        const auto z = this->random_vector(random), p = law.project_dual(z);
        double weighted = 0.0;
        for (int d = 0; d < TypeParam::disks; ++d) weighted += law.mu[d] * TypeParam::disk(p, d).norm();
        ASSERT_GE(p[0], weighted - 1e-13);
        ASSERT_NEAR((z - p).dot(p), 0.0, 1e-13);
    }
}

TYPED_TEST(FrictionLawTest, JacobianOfTheProjectionMatchesFiniteDifferences) {
    testing::Random random(3);
    constexpr double h = 1e-6;
    int compared = 0;
    for (int k = 0; k < 2000; ++k) {
        const TypeParam law = this->random_law(random);
        const auto z = this->random_vector(random);
        typename TypeParam::Square difference;
        for (int j = 0; j < TypeParam::dimension; ++j) {
            const auto e = (h * TypeParam::Vector::Unit(j)).eval();
            difference.col(j) = (law.project(z + e) - law.project(z - e)) / (2.0 * h);
        }
        const auto J = law.projection_jacobian(z);
        EXPECT_LE((J - J.transpose()).norm(), 1e-14);
        if ((J - law.projection_jacobian(z + h * TypeParam::Vector::Ones())).norm() > 1e-3) continue;  // a kink is near
        ++compared;
        EXPECT_LE((J - difference).norm(), 1e-5) << "z " << z.transpose();
    }
    EXPECT_GT(compared, 1500);
}

// Coulomb: u_N >= 0 _|_ r_N >= 0, |r_T| <= mu r_N, and u_T against r_T where it slides.
TYPED_TEST(FrictionLawTest, TheFixedPointsOfTheProjectionAreCoulombsLaw) {
    testing::Random random(4);
    for (int k = 0; k < 2000; ++k) {
        const TypeParam law = this->random_law(random);
        typename TypeParam::Vector r = law.project(this->random_vector(random)), u = TypeParam::Vector::Zero();
        if (r[0] == 0.0) {
            u = this->random_vector(random);
            u[0] = std::abs(u[0]);
        } else {
            for (int d = 0; d < TypeParam::disks; ++d) {
                auto part = TypeParam::disk(r, d);
                if (law.mu[d] == 0.0 || !random.coin()) continue;
                part *= law.mu[d] * r[0] / part.norm();  // slides
                TypeParam::disk(u, d) = -random.uniform(0.0, 2.0) * part;
            }
        }
        const double rho = random.uniform(0.1, 10.0);
        EXPECT_LE((r - law.project(r - rho * law.dual(u))).norm(), 1e-13);
        if (r[0] > 0.1) EXPECT_GT((r - law.project(r - rho * (law.dual(u) + TypeParam::Vector::UnitX()))).norm(), 1e-3);
    }
}

}  // namespace
}  // namespace saltus
