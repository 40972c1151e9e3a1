#include <cstdio>

#include "saltus/saltus.hpp"

// What the library links comes with it: HDF5 and TOML here.
static bool writes_and_reads_hdf5() {
    const saltus::FrictionProblem problem{saltus::BlockMatrix(Eigen::Matrix3d::Identity().eval(), 3),
                                          Eigen::Vector3d(-1, 0, 0), Eigen::VectorXd::Ones(1)};
    const std::string bytes = saltus::fclib_bytes("contact", problem);
    return std::get<saltus::FrictionProblem>(saltus::read_fclib("contact", bytes)).q == problem.q;
}

static bool reads_a_model() {
    const saltus::ModelFile file = saltus::parse_model_file(R"(
[systems.ball]
q0 = 1
mass = 1
force = -9.81
[contacts.ground]
gap = "q[0]"
restitution = 0.8
[simulation]
step = 1e-3
t_end = 2
)",
                                                            "ball.toml");
    return saltus::simulate(file.lagrangian(), file.simulation).report.impacts > 1;
}

int main() {
    if (!writes_and_reads_hdf5()) {
        std::puts("wrong HDF5");
        return 1;
    }
    if (!reads_a_model()) {
        std::puts("the ball of a model file does not bounce");
        return 1;
    }
    std::puts("consumer: read, wrote and simulated");
    return 0;
}
