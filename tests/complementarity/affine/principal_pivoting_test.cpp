#include "saltus/complementarity/affine/principal_pivoting.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using Rule = PrincipalPivoting::Rule;

SolveReport report_of(const Eigen::MatrixXd& M, const Eigen::VectorXd& q, const PrincipalPivoting& solver) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(q.size());
    return solver.solve(Lcp{M, q}, z);
}

TEST(PrincipalPivoting, SaysThatMIsNotAPMatrixAndNotThatRoundsAreMissing) {
    const Eigen::VectorXd q = Eigen::Vector4d(1.0, -1.0, 2.0, -3.0);
    for (const Rule rule : {Rule::block, Rule::least_index, Rule::most_violated}) {
        const PrincipalPivoting solver{.rule = rule};
        // Neither has a solution; the rounds go on without end, and a vanishing pivot lets nothing be exchanged.
        for (const double diagonal : {-1.0, 0.0}) {
            const SolveReport report = report_of(diagonal * Eigen::MatrixXd::Identity(4, 4), q, solver);
            EXPECT_EQ(report.status, SolveStatus::unsuitable_problem) << diagonal << ' ' << report.message;
            EXPECT_NE(report.message.find("M is not a P-matrix"), std::string::npos) << report.message;
        }
    }
    const Eigen::Matrix4d P = Eigen::Matrix4d::Identity() + 0.5 * Eigen::Matrix4d::Ones();
    EXPECT_EQ(report_of(P, q, {.max_iterations = 1, .rule = Rule::least_index}).status, SolveStatus::iteration_limit);
    EXPECT_TRUE(report_of(P, q, {}).converged());
}

TEST(PrincipalPivoting, MayMeetASolutionThoughMIsNotAPMatrix) {
    // M_11 = 0: the first pivot vanishes, the second does not; z = (0, 1), w = (0, 0).
    const SolveReport report =
        report_of(Eigen::Matrix2d{{0.0, 1.0}, {-1.0, 1.0}}, Eigen::Vector2d(-1.0, -1.0), {.rule = Rule::block});
    EXPECT_TRUE(report.converged()) << report.message;
    EXPECT_TRUE(report.message.empty());
}

}  // namespace
}  // namespace saltus
