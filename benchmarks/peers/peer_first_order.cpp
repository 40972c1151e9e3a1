#include <fmt/core.h>

#include "benchmarks/peers/measure.hpp"
#include "saltus/io/model/model_file.hpp"
#include "saltus/io/result/result_file.hpp"
#include "saltus/model/stacked.hpp"

// peer_first_order DIRECTORY: times the circuits of examples/, and writes them as matrices, for first_order_peers.py.
namespace saltus::benchmarks {
namespace {

using nlohmann::json;

constexpr long steps = 100000, compared = 1000;  // of a run; at the end of which the states are compared

json rows_of(const Matrix& matrix) {
    json rows = json::array();
    const Eigen::MatrixXd dense = matrix.to_dense();
    for (Index i = 0; i < dense.rows(); ++i)
        rows.push_back(std::vector<double>(dense.row(i).begin(), dense.row(i).end()));
    return rows;
}

json list_of(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

double seconds_into_file(const ModelFile& file, const std::filesystem::path& path) {
    return best_seconds([&] {
        ResultWriter writer(path, result_names(file.first_order(), *file.simulation.scheme), file.text, {});
        file.simulation.run(file.first_order(), {.sample = [&](const Sample& s) { writer.sample(s); },
                                                 .switched = [&](const Switch& s) { writer.switched(s); }});
        writer.finish({});
    });
}

json measure(const std::string& name, const std::filesystem::path& directory) {
    ModelFile file = read_model_file(std::string(SALTUS_EXAMPLES) + "/" + name + ".toml");
    const EulerMoreau scheme{.theta = 0.5, .gamma = 1.0};
    TimeStepping& run = file.simulation;
    run.scheme = scheme;
    run.t_end = steps * run.step;
    Simulation last;
    const double memory = best_seconds([&] { last = simulate(file.first_order(), run); });
    const double recorded = seconds_into_file(file, directory / "first_order.h5");
    run.record_every = 100;
    const double hundredth = best_seconds([&] { simulate(file.first_order(), run); });
    const Stacked parts(file.first_order());
    const Eigen::VectorXd x0 = file.first_order().initial_state();
    Eigen::VectorXd x(x0.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = last.trajectory.value(compared, i);
    fmt::print("saltus: {}: {:.0f} ns per step, {:.0f} with every step in memory, {:.0f} in a file\n", name,
               1e9 * hundredth / steps, 1e9 * memory / steps, 1e9 * recorded / steps);
    return {{"name", name},           {"steps", steps},
            {"step", run.step},       {"theta", scheme.theta},
            {"gamma", scheme.gamma},  {"A", rows_of(parts.A)},
            {"B", rows_of(parts.B)},  {"C", rows_of(parts.C)},
            {"D", rows_of(parts.D)},  {"x0", list_of(x0)},
            {"compared", compared},   {"x", list_of(x)},
            {"memory", memory},       {"file", recorded},
            {"hundredth", hundredth}, {"residual", last.report.worst_residual}};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
    using namespace saltus::benchmarks;
    if (argc != 2) {
        fmt::print(stderr, "usage: peer_first_order DIRECTORY\n");
        return 2;
    }
    const std::filesystem::path directory = argv[1];
    std::filesystem::create_directories(directory);
    json circuits = json::array();
    for (const char* name : {"half_wave_rectifier", "diode_bridge", "circuit_b", "circuit_c"})
        circuits.push_back(measure(name, directory));
    open_for_writing(directory / "first_order.json")
        << json{{"compiler", "g++ " __VERSION__}, {"circuits", circuits}}.dump(1) << '\n';
}
