#include <benchmark/benchmark.h>

#include <filesystem>

#include "saltus/io/model/model_file.hpp"
#include "saltus/io/result/result_file.hpp"
#include "saltus/model/function_from.hpp"

// Steps per second of first-order systems: small circuits by what is recorded, a ladder of diodes by its length.
namespace saltus {
namespace {

constexpr double steps = 1e5;

ModelFile example(const std::string& name) {
    ModelFile file = read_model_file(std::string(SALTUS_EXAMPLES) + "/" + name + ".toml");
    file.simulation.t_end = steps * file.simulation.step;
    file.simulation.scheme = file.simulation.scheme_for(file.first_order());
    return file;
}

void report_steps(benchmark::State& state, const RunReport& report) {
    if (report.end != RunReport::End::reached) state.SkipWithError("a step failed");
    state.SetItemsProcessed(state.iterations() * report.steps);
    state.counters["switches"] = static_cast<double>(report.switches);
    state.counters["residual"] = report.worst_residual;
}

// In memory, every `every`-th step.
void in_memory(benchmark::State& state, const char* name, long every) {
    ModelFile file = example(name);
    file.simulation.record_every = every;
    RunReport report;
    for (auto _ : state) report = simulate(file.first_order(), file.simulation).report;
    report_steps(state, report);
}

// In a result file, every step.
void in_file(benchmark::State& state, const char* name) {
    const ModelFile file = example(name);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "saltus_benchmark.h5";
    RunReport report;
    for (auto _ : state) {
        ResultWriter writer(path, result_names(file.first_order(), *file.simulation.scheme), file.text, {});
        report = file.simulation.run(file.first_order(), {.sample = [&](const Sample& s) { writer.sample(s); },
                                                          .switched = [&](const Switch& s) { writer.switched(s); }});
        writer.finish({});
    }
    std::filesystem::remove(path);
    report_steps(state, report);
}

void register_circuits() {
    for (const char* name : {"half_wave_rectifier", "diode_bridge", "diode_bridge_filter", "circuit_a", "circuit_c",
                             "zener", "relay_spiral", "rld_jumps"}) {
        const auto add = [&](const std::string& what, auto... arguments) {
            benchmark::RegisterBenchmark((std::string(name) + what).c_str(), arguments...)
                ->Unit(benchmark::kMillisecond);
        };
        add("/hundredth", in_memory, name, 100L);
        add("/memory", in_memory, name, 1L);
        add("/file", in_file, name);
    }
}

// A chain of cells, from each to the next a diode with a resistor; the first is driven by a sine.
Model ladder(Index cells) {
    std::vector<Eigen::Triplet<double>> A, B, C, D;
    for (Index i = 0; i < cells; ++i) {
        A.emplace_back(i, i, -0.1);
        C.emplace_back(i, i, -1.0);
        D.emplace_back(i, i, 1.0);
        B.emplace_back(i, i, -1.0);
        if (i + 1 == cells) continue;
        C.emplace_back(i, i + 1, 1.0);
        B.emplace_back(i + 1, i, 1.0);
    }
    const auto sparse = [&](const auto& triplets) {
        Matrix::Sparse matrix(cells, cells);
        matrix.setFromTriplets(triplets.begin(), triplets.end());
        return Matrix(matrix);
    };
    Model model{.name = "ladder"};
    model.systems.push_back({.name = "cells", .x0 = Eigen::VectorXd::Zero(cells), .A = sparse(A)});
    model.systems[0].b = Function::from(1, cells, [cells](const auto& in, auto& out) {
        using std::sin;
        for (Index i = 0; i < cells; ++i) out[i] = 0.0 * in[0];
        out[0] = sin(in[0]);
    });
    model.interactions.push_back({.name = "diodes", .C = sparse(C), .D = sparse(D), .B = sparse(B)});
    return model;
}

void ladder_steps(benchmark::State& state) {
    const Model model = ladder(state.range(0));
    const TimeStepping options{.step = 0.02, .t_end = 20.0, .scheme = EulerMoreau{}, .record_every = 100};
    RunReport report;
    for (auto _ : state) report = options.run(model, {});
    report_steps(state, report);
    state.SetComplexityN(state.range(0));
}
BENCHMARK(ladder_steps)->RangeMultiplier(10)->Range(10, 10000)->Complexity()->Unit(benchmark::kMillisecond);

const bool is_registered = (register_circuits(), true);

}  // namespace
}  // namespace saltus
