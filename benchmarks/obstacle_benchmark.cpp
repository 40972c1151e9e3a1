// The membrane over a hemisphere on side x side grids: large sparse problems.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cmath>
#include <numbers>

#include "benchmarks/support/report_counters.hpp"
#include "saltus/complementarity/affine/auto.hpp"
#include "saltus/complementarity/affine/interior_point.hpp"
#include "saltus/complementarity/affine/primal_dual_active_set.hpp"
#include "saltus/complementarity/affine/projected_gauss_seidel.hpp"
#include "tests/support/obstacle.hpp"

namespace saltus::benchmarks {
namespace {

void solve_membrane(benchmark::State& state, const auto& solver) {
    const BoxVi problem = testing::HemisphereObstacle{state.range(0)}.problem();
    SolveReport report;
    Eigen::VectorXd z(problem.q.size());
    for (auto _ : state) {
        z.setZero();
        report = solver.solve(problem, z);
    }
    count(state, report);
    state.counters["nonzeros"] = static_cast<double>(problem.M.nonzeros());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;  // of the process so far
}

void automatic(benchmark::State& state) { solve_membrane(state, Auto{}); }
void active_set(benchmark::State& state) { solve_membrane(state, PrimalDualActiveSet{}); }
void active_set_without_sweeps(benchmark::State& state) { solve_membrane(state, PrimalDualActiveSet{.sweeps = 0}); }
void interior_point(benchmark::State& state) { solve_membrane(state, InteriorPoint{}); }
void over_relaxation(benchmark::State& state) {
    const double spacing = std::numbers::pi / static_cast<double>(state.range(0) + 1);
    solve_membrane(state, ProjectedGaussSeidel{.relaxation = 2.0 / (1.0 + std::sin(spacing))});
}

BENCHMARK(automatic)->Arg(50)->Arg(100)->Arg(200)->Arg(300)->Unit(benchmark::kMillisecond);
BENCHMARK(active_set)->Arg(50)->Arg(100)->Arg(200)->Arg(300)->Unit(benchmark::kMillisecond);
BENCHMARK(active_set_without_sweeps)->Arg(50)->Arg(100)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(interior_point)->Arg(50)->Arg(100)->Arg(200)->Arg(300)->Unit(benchmark::kMillisecond);
BENCHMARK(over_relaxation)->Arg(50)->Arg(100)->Arg(200)->Arg(300)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace saltus::benchmarks
