#pragma once

#include <benchmark/benchmark.h>

#include "saltus/core/report.hpp"

namespace saltus::benchmarks {

// The columns beside the time: iterations and residual of the last solve; a row that did not converge is an error.
inline void count(benchmark::State& state, const SolveReport& report) {
    state.counters["iterations"] = report.iterations;
    state.counters["residual"] = report.residual;
    if (!report.converged()) state.SkipWithError(std::string(to_string(report.status)).c_str());
}

}  // namespace saltus::benchmarks
