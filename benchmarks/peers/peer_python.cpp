#include <fmt/core.h>

#include "benchmarks/peers/measure.hpp"
#include "benchmarks/support/dense_lcps.hpp"
#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/io/model/model_file.hpp"

// peer_python DIRECTORY: what python_peers.py does with the package, timed in C++: small LCPs, which it writes to
// DIRECTORY as peer_lcp does, and runs of model files. The numbers go to DIRECTORY/python.json.
namespace saltus::benchmarks {
namespace {

using nlohmann::json;

void write(std::ostream& file, const double* values, Index count) {
    file.write(reinterpret_cast<const char*>(values), count * static_cast<std::streamsize>(sizeof(double)));
}

// As solve_lcp() of the package solves it: the default solver, from zero.
json measure_lcp(Index n, const std::filesystem::path& directory) {
    const Lcp problem = dense_lcp(DenseClass::harder, n);
    const std::string file_name = fmt::format("python_{}.bin", n);
    std::ofstream file = open_for_writing(directory / file_name);
    write(file, problem.M.dense().data(), n * n);
    write(file, problem.q.data(), n);
    Eigen::VectorXd z;
    const double seconds = best_seconds([&] {
        z = Eigen::VectorXd::Zero(n);
        Auto{}.solve(problem, z);
    });
    return {{"n", n}, {"file", file_name}, {"seconds", seconds}, {"residual", residual(problem, z)}};
}

// Every step recorded in memory, as simulate() of the package does.
json measure_run(const std::string& name, long steps) {
    const ModelFile file = read_model_file(std::string(SALTUS_EXAMPLES) + "/" + name + ".toml");
    TimeStepping options = file.simulation;
    options.t_end = file.t0() + static_cast<double>(steps) * options.step;
    Simulation last;
    const double seconds = std::visit(
        [&](const auto& model) { return best_seconds([&] { last = simulate(model, options); }); }, file.model);
    const Trajectory& trajectory = last.trajectory;
    const std::vector<double> end(trajectory.values.end() - std::ssize(trajectory.channels), trajectory.values.end());
    return {{"name", name},
            {"steps", steps},
            {"t_end", options.t_end},
            {"seconds", seconds},
            {"channels", trajectory.channels},
            {"end", end}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
    using namespace saltus::benchmarks;
    if (argc != 2) {
        fmt::print(stderr, "usage: peer_python DIRECTORY\n");
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    std::filesystem::create_directories(directory);
    json lcps = json::array(), runs = json::array();
    for (const saltus::Index n : {3, 10, 100}) lcps.push_back(measure_lcp(n, directory));
    for (const auto& [name, steps] :
         {std::pair("bouncing_ball", 100'000L), std::pair("diode_bridge", 100'000L), std::pair("bead_column", 20'000L)})
        runs.push_back(measure_run(name, steps));
    open_for_writing(directory / "python.json")
        << json{{"compiler", "g++ " __VERSION__}, {"lcps", lcps}, {"runs", runs}}.dump(1) << '\n';
}
