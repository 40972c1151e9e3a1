#include "saltus/complementarity/lemke.hpp"

#include <gtest/gtest.h>

#include "saltus/complementarity/infeasibility.hpp"
#include "support/random_problems.hpp"

namespace saltus {
namespace {

using testing::MatrixClass;
using testing::Random;

TEST(Lemke, SolvesEveryRandomLcpOfAClassThatItProcesses) {
    for (const MatrixClass kind : testing::all_matrix_classes) {
        if (kind == MatrixClass::arbitrary) continue;
        for (unsigned seed = 0; seed < 200; ++seed) {
            Random random(seed);
            const Index n = random.integer(1, 30);
            const Lcp lcp = testing::lcp_with_solution(testing::random_matrix(kind, n, random), random, 0.3);
            Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
            const SolveReport report = Lemke{}.solve(lcp, z);
            EXPECT_TRUE(report.converged()) << "class " << static_cast<int>(kind) << " seed " << seed << " n " << n
                                            << " " << to_string(report.status) << " " << report.residual;
        }
    }
}

}  // namespace
}  // namespace saltus
