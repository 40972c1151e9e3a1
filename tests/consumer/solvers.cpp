#include <cstdio>

#include "saltus/saltus.hpp"

// M = tridiag(-1, 2, -1), q = -1: w = 0 and z_i = i (n + 1 - i) / 2, i = 1..n. Vectors of every size go into the
// library and come out of it, so that both sides must agree on how Eigen allocates.
static bool solves(Eigen::Index n) {
    Eigen::MatrixXd M = 2.0 * Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index i = 1; i < n; ++i) M(i, i - 1) = M(i - 1, i) = -1.0;
    const saltus::Lcp problem{M, -Eigen::VectorXd::Ones(n)};
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    const saltus::SolveReport report = saltus::ProjectedGaussSeidel{}.solve(problem, z);
    const Eigen::VectorXd w = saltus::slack(problem, z);
    const Eigen::VectorXd i = Eigen::VectorXd::LinSpaced(n, 1.0, static_cast<double>(n));
    const Eigen::VectorXd exact = 0.5 * i.array() * (static_cast<double>(n) + 1.0 - i.array());
    return report.converged() && (z - exact).norm() < 1e-6 && w.norm() < 1e-8;
}

// A block on a plane, mu = 0.5, pushed sideways by less than friction holds: w = r + q, q = (-1, 0.4, 0). It sticks,
// r = -q.
static bool solves_contact() {
    const saltus::FrictionProblem problem{saltus::BlockMatrix(Eigen::Matrix3d::Identity().eval(), 3),
                                          Eigen::Vector3d(-1.0, 0.4, 0.0), Eigen::VectorXd::Constant(1, 0.5)};
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3);
    return saltus::one_step::Auto{}.solve(problem, r).converged() && (r + problem.q).norm() < 1e-8;
}

int main() {
    for (Eigen::Index n = 1; n <= 17; ++n) {
        if (solves(n)) continue;
        std::printf("wrong answer for n = %d\n", static_cast<int>(n));
        return 1;
    }
    if (!solves_contact()) {
        std::puts("wrong percussion");
        return 1;
    }
    std::printf("consumer: solved with Saltus %s\n", std::string(saltus::version()).c_str());
    return 0;
}
