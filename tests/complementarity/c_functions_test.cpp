#include "saltus/complementarity/c_functions.hpp"

#include <gtest/gtest.h>

#include "saltus/core/infinity.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

constexpr Interval all_kinds[] = {{0.0, infinity}, {-0.5, infinity}, {-infinity, 0.75}, {-infinity, infinity},
                                  {-1.0, 1.0},     {0.0, 1e-3},      {0.5, 0.5}};
using CFunction = CValue (*)(const Interval&, double, double);
constexpr CFunction all_functions[] = {natural_map, fischer_burmeister};

// Pairs with -w in N_[l, u](z).
std::vector<std::pair<double, double>> solutions(const Interval& interval) {
    std::vector<std::pair<double, double>> pairs;
    const bool below = interval.lower > -infinity, above = interval.upper < infinity;
    if (below) pairs.insert(pairs.end(), {{interval.lower, 2.0}, {interval.lower, 1e-9}, {interval.lower, 0.0}});
    if (above) pairs.insert(pairs.end(), {{interval.upper, -2.0}, {interval.upper, -1e-9}, {interval.upper, 0.0}});
    const double inside = below && above ? 0.5 * (interval.lower + interval.upper)
                          : below        ? interval.lower + 3.0
                          : above        ? interval.upper - 3.0
                                         : 0.7;
    pairs.emplace_back(inside, 0.0);
    return pairs;
}

TEST(CFunctions, VanishAtTheSolutions) {
    for (const CFunction function : all_functions)
        for (const Interval& interval : all_kinds)
            for (const auto& [z, w] : solutions(interval))
                EXPECT_EQ(function(interval, z, w).value, 0.0) << z << ' ' << w;
}

TEST(CFunctions, VanishNowhereElse) {  // |C| is at least a fixed fraction of the distance of (z, w) to the graph
    testing::Random random(1);
    for (const CFunction function : all_functions)
        for (const Interval& interval : all_kinds)
            for (int trial = 0; trial < 1000; ++trial) {
                const double z = random.uniform(-2.0, 2.0), w = random.uniform(-2.0, 2.0);
                const double distance = std::abs(z - interval.project(z - w));
                EXPECT_GE(std::abs(function(interval, z, w).value), 0.3 * distance) << z << ' ' << w;
            }
}

TEST(CFunctions, HaveTheirDerivatives) {
    testing::Random random(2);
    const double h = 1e-6;
    for (const CFunction function : all_functions)
        for (const Interval& interval : all_kinds)
            for (int trial = 0; trial < 200; ++trial) {
                const double z = random.uniform(-2.0, 2.0), w = random.uniform(-2.0, 2.0);
                const double margin = std::min({std::abs(z - w - interval.lower), std::abs(z - w - interval.upper),
                                                std::hypot(z - interval.lower, w), std::hypot(z - interval.upper, w)});
                if (margin < 0.01) continue;  // a kink
                const CValue c = function(interval, z, w);
                const auto value = [&](double a, double b) { return function(interval, a, b).value; };
                EXPECT_NEAR(c.by_z, (value(z + h, w) - value(z - h, w)) / (2.0 * h), 1e-6);
                EXPECT_NEAR(c.by_w, (value(z, w + h) - value(z, w - h)) / (2.0 * h), 1e-6);
            }
}

TEST(CFunctions, FischerBurmeisterKeepsItsDigits) {  // phi(a, b) = b - b^2 / (2 a) + O(b^3 / a^2)
    EXPECT_DOUBLE_EQ(fischer_burmeister(1e8, 1e-10).value, 1e-10);
    EXPECT_DOUBLE_EQ(fischer_burmeister(3.0, 4.0).value, 2.0);
    EXPECT_DOUBLE_EQ(fischer_burmeister(-3.0, -4.0).value, -12.0);
}

TEST(CFunctions, AtTheOriginTheDerivativeOfFischerBurmeisterIsALimit) {
    const CValue origin = fischer_burmeister(0.0, 0.0), near = fischer_burmeister(1e-200, 1e-200);
    EXPECT_DOUBLE_EQ(origin.by_z, near.by_z);
    EXPECT_DOUBLE_EQ(origin.by_w, near.by_w);
}

}  // namespace
}  // namespace saltus
