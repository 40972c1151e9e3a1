#include "saltus/core/updatable_inverse.hpp"

#include <gtest/gtest.h>

#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::Random;

void expect_inverse(const UpdatableInverse& inverse, const Eigen::MatrixXd& K) {
    ASSERT_EQ(inverse.size(), K.rows());
    EXPECT_NEAR((inverse.matrix() * K - Eigen::MatrixXd::Identity(K.rows(), K.rows())).norm(), 0.0, 1e-8);
}

TEST(UpdatableInverse, FollowsARandomWalkOfChanges) {
    Random random(3);
    Eigen::MatrixXd K = random.matrix(3, 3) + 3.0 * Eigen::MatrixXd::Identity(3, 3);
    UpdatableInverse inverse;
    ASSERT_TRUE(inverse.reset(K));
    for (int change = 0; change < 200; ++change) {
        const Index n = K.rows(), i = random.integer(0, n - 1), j = random.integer(0, n - 1);
        const Eigen::VectorXd a = random.vector(n);
        const Eigen::VectorXd u = inverse.matrix() * a, v = inverse.matrix().transpose() * a;
        switch (random.integer(0, 3)) {
            case 0:
                if (std::abs(u[j]) < 0.05) continue;
                inverse.replace_column(j, u);
                K.col(j) = a;
                break;
            case 1:
                if (std::abs(v[i]) < 0.05) continue;
                inverse.replace_row(i, v);
                K.row(i) = a.transpose();
                break;
            case 2: {
                const Eigen::VectorXd r = random.vector(n);
                const double d = random.uniform(1.0, 3.0), s = d - r.dot(u);
                if (n > 12 || std::abs(s) < 0.05) continue;
                inverse.append(u, inverse.matrix().transpose() * r, s);
                K.conservativeResize(n + 1, n + 1);
                K.col(n).head(n) = a;
                K.row(n).head(n) = r.transpose();
                K(n, n) = d;
                break;
            }
            default:
                if (n < 2 || std::abs(inverse.matrix()(j, i)) < 0.05) continue;
                inverse.remove(i, j);
                K.row(i).swap(K.row(n - 1));
                K.col(j).swap(K.col(n - 1));
                K.conservativeResize(n - 1, n - 1);
        }
        expect_inverse(inverse, K);
    }
}

TEST(UpdatableInverse, RefusesASingularMatrixAndAcceptsABadlyScaledOne) {
    UpdatableInverse inverse;
    EXPECT_FALSE(inverse.reset(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 4.0}}));
    EXPECT_TRUE(inverse.reset(Eigen::Vector2d(1.0, 1e-20).asDiagonal().toDenseMatrix()));
}

}  // namespace
}  // namespace saltus
