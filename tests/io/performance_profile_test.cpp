#include "saltus/io/performance_profile.hpp"
#include "saltus/core/infinity.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "saltus/core/check.hpp"

namespace saltus {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

// Times (1, 2), (4, 1), (failed, 3), (failed, failed): ratios 1, 4 for a, and 2, 1, 1 for b.
PerformanceProfile example() {
    return performance_profile({"a", "b"}, {{1, 2}, {4, 1}, {infinity, 3}, {infinity, infinity}});
}

TEST(PerformanceProfile, IsTheShareOfProblemsWithinARatioOfTheBest) {
    const PerformanceProfile profile = example();
    EXPECT_EQ(profile.problems(), 4u);
    EXPECT_EQ(profile.share(0, 1.0), 0.25);
    EXPECT_EQ(profile.share(0, 3.99), 0.25);
    EXPECT_EQ(profile.share(0, 4.0), 0.5);  // a ratio that is reached counts
    EXPECT_EQ(profile.share_solved(0), 0.5);
    EXPECT_EQ(profile.share(1, 1.0), 0.5);
    EXPECT_EQ(profile.share(1, 2.0), 0.75);
    EXPECT_EQ(profile.share_solved(1), 0.75);
}

TEST(PerformanceProfile, EqualTimesAreBothTheBest) {
    const PerformanceProfile profile = performance_profile({"a", "b"}, {{0.0, 0.0}, {3.0, 3.0}});
    EXPECT_EQ(profile.share(0, 1.0), 1.0);
    EXPECT_EQ(profile.share(1, 1.0), 1.0);
}

TEST(PerformanceProfile, HasNoSharesWithoutProblems) {
    const PerformanceProfile profile = performance_profile({"a"}, {});
    EXPECT_EQ(profile.problems(), 0u);
    EXPECT_EQ(profile.share_solved(0), 0.0);
    EXPECT_NE(to_svg(profile, "none").find("</svg>"), std::string::npos);
}

TEST(PerformanceProfile, RefusesTimesThatAreNone) {
    EXPECT_THROW(performance_profile({"a", "b"}, {{1.0}}), InvalidInput);
    EXPECT_THROW(performance_profile({"a"}, {{-1.0}}), InvalidInput);
    EXPECT_THROW(performance_profile({"a"}, {{std::numeric_limits<double>::quiet_NaN()}}), InvalidInput);
}

// x runs from 70 (tau = 1) to 600 (tau = 10), y from 400 (share 0) to 50 (share 1): solver b starts at its share 1/2,
// y = 225, and steps to 3/4, y = 137.5, at tau = 2, x = 70 + 530 log10(2) = 229.5.
TEST(PerformanceProfile, CurvesAreSteps) {
    const std::string svg = to_svg(example(), "example");
    EXPECT_NE(svg.find("M70.0,400.0H70.0V225.0H70.0V225.0H229.5V137.5H600.0"), std::string::npos) << svg;
    EXPECT_EQ(count(svg, "<path"), 4u);  // two curves, two lines of the legend
    EXPECT_NE(svg.find("a (0.50)"), std::string::npos);
    EXPECT_NE(svg.find("b (0.75)"), std::string::npos);
}

TEST(PerformanceProfile, NamesAreEscaped) {
    const std::string svg = to_svg(performance_profile({"<&>\"\n"}, {{1.0}}), "1 < 2 & 3 > 2");
    EXPECT_NE(svg.find("&lt;&amp;&gt;&quot; "), std::string::npos);
    EXPECT_NE(svg.find("1 &lt; 2 &amp; 3 &gt; 2"), std::string::npos);
    EXPECT_EQ(count(svg, "<&"), 0u);
}

TEST(PerformanceProfile, ManySolversAndHugeRatiosStayInThePicture) {
    std::vector<double> times{1e-9};
    std::vector<std::string> names{"fast"};
    for (int s = 0; s < 30; ++s) {
        times.push_back(1e3);
        names.push_back("slow");
    }
    const std::string svg = to_svg(performance_profile(names, {times}), "many");
    EXPECT_NE(svg.find("height=\"754\""), std::string::npos) << svg.substr(0, 200);  // 50 + 22 (31 + 1) rows of names
    EXPECT_EQ(count(svg, ">1e+06<"), 1u);                                            // the last decade shown
}

}  // namespace
}  // namespace saltus
