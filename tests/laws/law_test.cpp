#include "saltus/laws/law.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "saltus/laws/mechanical_law.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

constexpr double inf = std::numeric_limits<double>::infinity();

// Laws of each kind, and their sets said again in other words.
template <class L>
struct Samples;

template <>
struct Samples<Equality> {
    static std::vector<Equality> laws() { return {{1}, {3}, {6}}; }
    static int dimension(const Equality& law) { return law.rows; }
    static bool is_in_set(const Equality&, const Eigen::VectorXd&) { return true; }
};

template <>
struct Samples<Interval> {
    static std::vector<Interval> laws() {
        return {{0.0, inf}, {-1.0, 1.0}, {0.0, 1.0}, {-inf, inf}, {-inf, 2.0}, {3.0, 3.0}};
    }
    static int dimension(const Interval&) { return 1; }
    static bool is_in_set(const Interval& law, const Eigen::VectorXd& r) {
        return !(r[0] < law.lower) && !(r[0] > law.upper);
    }
};

template <int Disks, int DiskSize>
struct Samples<FrictionLaw<Disks, DiskSize>> {
    using L = FrictionLaw<Disks, DiskSize>;
    static std::vector<L> laws() {
        std::vector<L> result;
        for (const double mu : {0.0, 0.3, 1.0, 4.0}) {
            L law;
            for (int k = 0; k < Disks; ++k) law.mu[static_cast<std::size_t>(k)] = mu / (1.0 + k);
            result.push_back(law);
        }
        return result;
    }
    static int dimension(const L&) { return 1 + Disks * DiskSize; }
    static bool is_in_set(const L& law, const Eigen::VectorXd& r) {
        for (int k = 0; k < Disks; ++k)
            if (r.segment(1 + k * DiskSize, DiskSize).norm() > law.mu[static_cast<std::size_t>(k)] * r[0] + 1e-12)
                return false;
        return r[0] >= 0.0;
    }
};

template <class L>
class LawTest : public ::testing::Test {
protected:
    Random random{1};
    // Components of very different sizes.
    Eigen::VectorXd any(int n) { return random.vector(n) * std::pow(10.0, random.uniform(-3.0, 3.0)); }
    Eigen::VectorXd projected(const L& law, Eigen::VectorXd r) {
        project(law, r.data());
        return r;
    }
};
using AllLaws = ::testing::Types<Equality, Interval, Coulomb2D, Coulomb3D, RollingFriction>;
TYPED_TEST_SUITE(LawTest, AllLaws);

// A law that is added to the variant is added here.
template <class... L>
constexpr bool are_all(std::type_identity<::testing::Types<L...>>) {
    return std::is_same_v<Law, std::variant<L...>>;
}
static_assert(are_all(std::type_identity<AllLaws>{}));

TYPED_TEST(LawTest, HasItsDimension) {
    for (const TypeParam& law : Samples<TypeParam>::laws()) {
        EXPECT_EQ(dimension(law), Samples<TypeParam>::dimension(law));
    }
}

// (x - Px).(k - Px) <= 0 for all k in K, Px in K, and points of K stay: the set is K, and Px is its nearest point.
TYPED_TEST(LawTest, ProjectsOnTheNearestPointOfItsSet) {
    for (const TypeParam& law : Samples<TypeParam>::laws()) {
        const int n = dimension(law);
        for (int trial = 0; trial < 500; ++trial) {
            const Eigen::VectorXd x = this->any(n), Px = this->projected(law, x),
                                  k = this->projected(law, this->any(n));
            ASSERT_TRUE(Samples<TypeParam>::is_in_set(law, Px)) << x.transpose();
            EXPECT_LE((x - Px).dot(k - Px), 1e-12 * (x.squaredNorm() + k.squaredNorm()));
            EXPECT_LE((this->projected(law, Px) - Px).norm(), 1e-14 * Px.norm());
            if (Samples<TypeParam>::is_in_set(law, x)) {
                EXPECT_LE((Px - x).norm(), 1e-12 * x.norm());
            }
        }
    }
}

// De Saxce's shift: zero where the law is the normal cone itself, else mu |u_T|, homogeneous and never negative.
TYPED_TEST(LawTest, ShiftsNothingButFriction) {
    for (const TypeParam& law : Samples<TypeParam>::laws())
        for (int trial = 0; trial < 50; ++trial) {
            const Eigen::VectorXd u = this->any(dimension(law)), twice = 2.0 * u;
            const double added = shift(law, u.data());
            if constexpr (requires { law.mu; }) {
                double expected = 0.0;
                for (std::size_t k = 0; k < law.mu.size(); ++k)
                    expected +=
                        law.mu[k] *
                        u.segment(1 + static_cast<Index>(k) * TypeParam::disk_size, TypeParam::disk_size).norm();
                EXPECT_NEAR(added, expected, 1e-14 * expected);
                EXPECT_NEAR(shift(law, twice.data()), 2.0 * added, 1e-14 * expected);
            } else {
                EXPECT_EQ(added, 0.0);
            }
        }
}

// -dual(u) in N_K(r) where and only where r = project(r - rho dual(u)): rho may be any positive number.
TYPED_TEST(LawTest, ItsSolutionsDoNotDependOnTheStepOfTheProjection) {
    for (const TypeParam& law : Samples<TypeParam>::laws())
        for (int trial = 0; trial < 200; ++trial) {
            const Eigen::VectorXd x = this->any(dimension(law)), r = this->projected(law, x), minus_dual = x - r;
            for (const double rho : {1e-6, 1.0, 1e6}) {
                const Eigen::VectorXd again = this->projected(law, r + rho * minus_dual);
                EXPECT_LE((again - r).norm(), 1e-12 * (r.norm() + rho * minus_dual.norm()));
            }
        }
}

TEST(IntervalLaw, HasTheThreeLawsOfItsComment) {
    const Interval diode, relay{-1.0, 1.0}, equation{-inf, inf};
    // 0 <= y _|_ r >= 0: r = project(r - y).
    EXPECT_EQ(diode.project(0.0 - 3.0), 0.0);  // blocks: y = 3, r = 0
    EXPECT_EQ(diode.project(2.0 - 0.0), 2.0);  // conducts: y = 0, r = 2
    EXPECT_EQ(diode.project(0.0 + 1.0), 1.0);  // y = -1, r = 0 is not a solution
    // -r in sign(y).
    EXPECT_EQ(relay.project(-1.0 - 5.0), -1.0);
    EXPECT_EQ(relay.project(1.0 + 5.0), 1.0);
    EXPECT_EQ(relay.project(0.3 - 0.0), 0.3);
    EXPECT_EQ(equation.project(7.0), 7.0);
    EXPECT_TRUE(equation.is_free());
    EXPECT_FALSE(diode.is_free());
}

TEST(IntervalLaw, KnowsWhatIsNotAnInterval) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Interval& law : {Interval{0.0, 0.0}, Interval{}, Interval{-inf, inf}, Interval{-inf, -5.0}})
        EXPECT_TRUE(law.is_proper());
    for (const Interval& law :
         {Interval{1.0, 0.0}, Interval{inf, inf}, Interval{-inf, -inf}, Interval{nan, 1.0}, Interval{0.0, nan}})
        EXPECT_FALSE(law.is_proper());
}

TEST(MechanicalLaws, HaveTheWordsOfModelFiles) {
    EXPECT_EQ(to_string(ContactLaw::Impact::newton), "newton");
    EXPECT_EQ(to_string(ContactLaw::Impact::poisson), "poisson");
    EXPECT_EQ(to_string(ContactLaw::Impact::cascade), "cascade");
}

}  // namespace
}  // namespace saltus
