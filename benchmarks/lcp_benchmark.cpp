// Every solver of affine problems on dense LCPs: one row for a solver, a class of matrices and a size.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <type_traits>

#include "benchmarks/support/dense_lcps.hpp"
#include "benchmarks/support/report_counters.hpp"
#include "saltus/complementarity/affine/affine_solvers.hpp"

namespace saltus::benchmarks {
namespace {

template <class Solver>
void cold(benchmark::State& state, DenseClass kind) {
    const Lcp problem = dense_lcp(kind, state.range(0));
    SolveReport report;
    Eigen::VectorXd z(problem.q.size());
    for (auto _ : state) {
        z.setZero();
        report = Solver{}.solve(problem, z);
    }
    count(state, report);
}

// From the solution of a neighbouring problem with the same active set: a step of a simulation.
template <class Solver>
void warm(benchmark::State& state, DenseClass kind) {
    const Lcp before = dense_lcp(kind, state.range(0));
    Eigen::VectorXd guess = Eigen::VectorXd::Zero(before.q.size());
    Auto{}.solve(before, guess);
    const Lcp problem = moved_a_little(before, guess);
    SolveReport report;
    Eigen::VectorXd z;
    for (auto _ : state) {
        z = guess;
        report = Solver{}.solve(problem, z);
    }
    count(state, report);
}

// The largest problem that a solver is timed on: beyond it a solve takes more than a few seconds or fails.
template <class Solver>
constexpr Index largest_size = 2000;
template <>
constexpr Index largest_size<Enumeration> = 8;

template <class Solver>
void register_solver() {
    for (const DenseClass kind : all_dense_classes) {
        const auto add = [&](const char* start, void (*run)(benchmark::State&, DenseClass)) {
            const std::string name = fmt::format("{}/{}/{}", Solver::name, to_string(kind), start);
            auto* row = benchmark::RegisterBenchmark(name.c_str(), run, kind)->Unit(benchmark::kMicrosecond);
            for (const Index n : {4, 8, 10, 32, 100, 200, 500, 1000, 2000})
                if (n <= largest_size<Solver>) row->Arg(n);
        };
        add("cold", cold<Solver>);
        add("warm", warm<Solver>);
    }
}

template <class... Solvers>
bool register_all(std::type_identity<std::variant<Solvers...>>) {
    (register_solver<Solvers>(), ...);
    return true;
}

const bool registered = register_all(std::type_identity<AffineSolverChoice>{});

}  // namespace
}  // namespace saltus::benchmarks
