#include "saltus/core/history.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(History, AppendsWhereItIsAsked) {
    std::vector<double> residuals{3.0};
    const History history{&residuals};
    EXPECT_TRUE(history);
    history.add(2.0);
    history.add([] { return 1.0; });
    EXPECT_EQ(residuals, (std::vector<double>{3.0, 2.0, 1.0}));
}

TEST(History, ComputesNothingWhereItIsNotAsked) {
    const History history;
    EXPECT_FALSE(history);
    history.add(1.0);
    history.add([]() -> double { throw std::logic_error("nobody wants this residual"); });
}

}  // namespace
}  // namespace saltus
