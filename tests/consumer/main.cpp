#include <cstdio>

#include "saltus/complementarity/affine_box.hpp"
#include "saltus/complementarity/projected_gauss_seidel.hpp"
#include "saltus/io/fclib_file.hpp"

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

// What the library links comes with it: HDF5 here.
static bool writes_and_reads_hdf5() {
    const saltus::FrictionProblem problem{saltus::BlockMatrix(Eigen::Matrix3d::Identity().eval(), 3),
                                          Eigen::Vector3d(-1, 0, 0), Eigen::VectorXd::Ones(1)};
    const std::string bytes = saltus::fclib_bytes("contact", problem);
    return std::get<saltus::FrictionProblem>(saltus::read_fclib("contact", bytes)).q == problem.q;
}

int main() {
    for (Eigen::Index n = 1; n <= 17; ++n) {
        if (solves(n)) continue;
        std::printf("wrong answer for n = %d\n", static_cast<int>(n));
        return 1;
    }
    if (!writes_and_reads_hdf5()) {
        std::puts("wrong HDF5");
        return 1;
    }
    std::puts("consumer: solved");
    return 0;
}
