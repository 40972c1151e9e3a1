#include <gtest/gtest.h>

#include "support/example.hpp"
#include "support/observed_order.hpp"

// The mechanical examples from event to event, and by time stepping: the same motion, up to the errors of the steps.
namespace saltus {
namespace {

struct TwoLoops {
    const char* example;
    ParameterValues values;
    double t_end;
    int coarse;  // 2^coarse steps between samples, then up to 2^fine
    int fine;
    double least_order;       // of the difference
    double q_error, v_error;  // of the finest steps, relative to the largest position, velocity
};

void PrintTo(const TwoLoops& c, std::ostream* out) { *out << c.example << " to " << c.t_end; }

constexpr long samples = 64;

// The channels of positions, or of velocities.
std::vector<std::string> channels_of(const LagrangianModel& model, char kind) {
    std::vector<std::string> names;
    for (const LagrangianSystem& system : model.systems)
        for (Index i = 0; i < system.size(); ++i)
            names.push_back(system.name + "." + kind + "[" + std::to_string(i) + "]");
    return names;
}

class BothLoops : public ::testing::TestWithParam<TwoLoops> {};

// Order 1 through impacts: positions in the sup norm, velocities in that of L1.
TEST_P(BothLoops, DifferByTheErrorOfSteps) {
    const TwoLoops& c = GetParam();
    const ModelFile file = read_model_file(testing::example_path(c.example), c.values);
    LagrangianModel model = file.lagrangian();
    // It begins inside the sleeve, by rounding of the source; from event to event it does not.
    if (std::string(c.example) == "woodpecker") model.systems[0].q0[1] = -6.0 / 58.0;
    TimeStepping options = file.simulation;
    options.t_end = c.t_end;
    options.step = c.t_end / static_cast<double>(samples);
    options.scheme = EventDriven{.tolerance = 1e-11};
    const Simulation events = simulate(model, options);
    ASSERT_EQ(events.report.end, RunReport::End::reached) << events.report.failure.solve.message;
    double q_error = 0.0, v_error = 0.0;
    const auto errors = [&](int k) {
        options.scheme = MoreauJean{};
        options.record_every = 1L << k;
        options.step = c.t_end / static_cast<double>(samples << k);
        const Simulation steps = simulate(model, options);
        EXPECT_EQ(steps.report.end, RunReport::End::reached);
        q_error = v_error = 0.0;
        double q_size = 0.0, v_size = 0.0;
        const auto compare = [&](const std::string& name, double& size) {
            const Eigen::ArrayXd exact = events.trajectory.channel(name).array();
            size = std::max(size, exact.abs().maxCoeff());
            return Eigen::ArrayXd((steps.trajectory.channel(name).array() - exact).abs());
        };
        for (const std::string& name : channels_of(model, 'q'))
            q_error = std::max(q_error, compare(name, q_size).maxCoeff());
        for (const std::string& name : channels_of(model, 'v'))
            v_error = std::max(v_error, compare(name, v_size).mean());
        q_error /= q_size;
        v_error /= v_size;
        return q_error + v_error;
    };
    const double order = testing::observed_order(c.coarse, c.fine, errors);
    EXPECT_GE(order, c.least_order);
    EXPECT_LE(q_error, c.q_error);
    EXPECT_LE(v_error, c.v_error);
}

INSTANTIATE_TEST_SUITE_P(Examples, BothLoops,
                         ::testing::Values(TwoLoops{"bouncing_ball", {}, 2.0, 7, 11, 0.7, 0.0004, 0.0001},
                                           TwoLoops{"bouncing_ball", {}, 10.0, 8, 12, 0.8, 0.001, 0.001},
                                           TwoLoops{"bead_column", {}, 1.0, 7, 11, 1, 3e-05, 3e-05},
                                           TwoLoops{"cam_follower", {{"rpm", 358}}, 0.2, 7, 11, 0.8, 0.0002, 0.0001},
                                           TwoLoops{"cam_follower", {{"rpm", 660}}, 0.3, 7, 11, 0.7, 0.0003, 0.0002},
                                           TwoLoops{"cam_follower", {{"rpm", 700}}, 0.3, 7, 11, 0.7, 0.003, 0.0006},
                                           TwoLoops{"cam_follower", {{"rpm", 110}}, 1.0, 3, 6, 1.7, 2e-05, 1e-09},
                                           TwoLoops{"friction_line", {}, 2.0, 2, 6, 1.3, 2e-07, 1e-09},
                                           TwoLoops{"impacting_bar", {}, 3.0, 5, 8, 0.8, 0.0005, 0.0004},
                                           TwoLoops{"incline", {}, 7.0, 2, 6, 1.3, 1e-06, 1e-08},
                                           TwoLoops{"painleve_rod", {}, 0.5, 4, 7, 0.9, 5e-05, 5e-05},
                                           TwoLoops{"painleve_rod", {{"mu", 1.2}}, 0.5, 4, 7, 0.9, 2e-05, 3e-05},
                                           TwoLoops{"rocking_block", {}, 2.0, 6, 9, 0.7, 0.001, 0.001},
                                           TwoLoops{"rolling_ball", {}, 4.0, 6, 10, 0.8, 2e-05, 2e-05},
                                           TwoLoops{"slider_crank", {}, 0.02, 4, 8, 0.9, 5e-06, 5e-06},
                                           TwoLoops{"stick_slip", {}, 8.0, 2, 6, 1.7, 2e-06, 2e-06},
                                           TwoLoops{"woodpecker", {}, 0.3, 7, 11, 0.8, 0.004, 0.001}));

}  // namespace
}  // namespace saltus
