#pragma once

#include <gtest/gtest.h>

#include "saltus/model/function.hpp"
#include "support/random_problems.hpp"

namespace saltus::testing {

// Values and Jacobians of two functions agree at random points.
inline void expect_same_derivatives(const Function& a, const Function& b, Random& random) {
    ASSERT_EQ(a.inputs(), b.inputs());
    ASSERT_EQ(a.outputs(), b.outputs());
    Eigen::VectorXd value_a(a.outputs()), value_b(b.outputs());
    Eigen::MatrixXd jacobian_a(a.outputs(), a.inputs()), jacobian_b(b.outputs(), b.inputs());
    for (int trial = 0; trial < 20; ++trial) {
        const Eigen::VectorXd in = random.vector(a.inputs());
        a.value(in.data(), value_a.data());
        b.value(in.data(), value_b.data());
        a.jacobian(in.data(), jacobian_a.data());
        b.jacobian(in.data(), jacobian_b.data());
        EXPECT_LE((value_a - value_b).norm(), 1e-13 * (1.0 + value_b.norm()));
        EXPECT_LE((jacobian_a - jacobian_b).norm(), 1e-13 * (1.0 + jacobian_b.norm()));
    }
}

}  // namespace saltus::testing
