#include "saltus/core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(NearestName, TheDistanceIsLevenshteins) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
    EXPECT_EQ(edit_distance("flaw", "lawn"), 2u);
    EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(NearestName, ASlipOfTheKeyboardIsMended) {
    const std::vector<std::string> known{"lambda", "x", "q", "velocity", "pi"};
    EXPECT_EQ(nearest_name("lambbda", known), "lambda");
    EXPECT_EQ(nearest_name("lamdba", known), "lambda");
    EXPECT_EQ(nearest_name("Velocty", known), "velocity");
    EXPECT_EQ(nearest_name("PI", known), "pi");
    EXPECT_EQ(nearest_name("X", known), "x");
    EXPECT_EQ(nearest_name("qq", known), "q");
}

TEST(NearestName, WhatIsFarFromAllIsNotMended) {
    const std::vector<std::string> known{"lambda", "x", "q"};
    EXPECT_EQ(nearest_name("y", known), "");
    EXPECT_EQ(nearest_name("force", known), "");
    EXPECT_EQ(nearest_name("", known), "");
    EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(NearestName, TheNearestWins) {
    EXPECT_EQ(nearest_name("friction", {"fraction", "frictions", "friktion"}), "fraction");  // the first of equals
    EXPECT_EQ(nearest_name("friction", {"fractions", "friktion"}), "friktion");
}

}  // namespace
}  // namespace saltus
