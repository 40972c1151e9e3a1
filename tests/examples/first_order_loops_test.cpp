#include <gtest/gtest.h>

#include "support/example.hpp"
#include "support/observed_order.hpp"

namespace saltus {
namespace {

using testing::example_path;
using testing::observed_order;

// Both loops on the same example: its own scheme with 2^k steps between two samples, and motion from event to event.
// They differ, in the norm of L1, by a power of the step that theory knows.
struct SharedExample {
    std::string name;
    double sample, t_end, order;  // order 0: exact, but for the step in which a contact opens
    int first = 0, last = 2;
};

class FirstOrderLoops : public ::testing::TestWithParam<SharedExample> {};

Simulation run_of(const SharedExample& shared, const std::optional<Scheme>& scheme, int k) {
    const ModelFile file = read_model_file(example_path(shared.name), {});
    TimeStepping options = file.simulation;
    if (scheme) options.scheme = scheme;
    options.step = shared.sample / static_cast<double>(1L << k);
    options.t_end = shared.t_end;
    options.record_every = 1L << k;
    return simulate(std::get<Model>(file.model), options);
}

// The largest mean difference of a state over the run, relative to its size.
double difference(const Simulation& a, const Simulation& b) {
    double worst = 0.0;
    for (const std::string& channel : a.trajectory.channels) {
        if (channel.find(".x[") == std::string::npos) continue;
        const Eigen::VectorXd x = a.trajectory.channel(channel), y = b.trajectory.channel(channel);
        if (x.size() != y.size()) return 1e9;
        // The first sample of one may be before a jump at the beginning.
        const Index n = x.size() - 1;
        worst = std::max(worst, (x - y).tail(n).lpNorm<1>() / static_cast<double>(n) / y.lpNorm<Eigen::Infinity>());
    }
    return worst;
}

TEST_P(FirstOrderLoops, AgreeAtTheRateOfTimeStepping) {
    const SharedExample& shared = GetParam();
    const Simulation exact = run_of(shared, EventDriven{.tolerance = 1e-12}, 0);
    ASSERT_EQ(exact.report.end, RunReport::End::reached) << exact.report.failure.solve.message;
    EXPECT_LE(exact.report.worst_residual, 1e-10);
    const auto error = [&](int k) {
        const Simulation steps = run_of(shared, std::nullopt, k);
        EXPECT_EQ(steps.report.end, RunReport::End::reached);
        return difference(steps, exact);
    };
    if (shared.order > 0.0) {
        EXPECT_NEAR(observed_order(shared.first, shared.last, error), shared.order, 0.3);
    }
    EXPECT_LE(error(shared.last), shared.order > 0.0 ? 2e-2 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, FirstOrderLoops,
    ::testing::Values(
        SharedExample{"circuit_a", 1e-2, 5.0, 2.0}, SharedExample{"circuit_b", 5e-3, 5.0, 2.0},
        SharedExample{"circuit_c", 1e-3, 5.0, 1.0}, SharedExample{"circuit_d", 1e-3, 5.0, 1.0},
        SharedExample{"zener", 5e-3, 10.0, 1.0, 2, 4}, SharedExample{"half_wave_rectifier", 1e-6, 1e-3, 2.0},
        SharedExample{"diode_bridge", 1e-6, 1e-3, 1.0}, SharedExample{"diode_bridge_filter", 1e-6, 1e-3, 1.0},
        SharedExample{"relay_spiral", 1e-2, 3.0, 1.0}, SharedExample{"filippov_crossing", 1.0 / 301, 2.0, 1.0},
        SharedExample{"filippov_leaving", 1e-2, 3.0, 1.0}, SharedExample{"gene_network", 1e-2, 3.0, 1.0},
        SharedExample{"sliding_mode_control", 1e-2, 4.0, 1.0}, SharedExample{"spring_contact", 1e-3, 1.5, 1.0, 1, 3},
        SharedExample{"sweeping_half_space", 1e-2, 10.0, 0.0}, SharedExample{"sweeping_polyhedron", 1e-2, 12.0, 0.0},
        SharedExample{"rld_jumps", 1e-2, 15.0, 1.0}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace saltus
