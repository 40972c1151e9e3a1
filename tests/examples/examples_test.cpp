#include <gtest/gtest.h>

#include <numbers>

#include "support/example.hpp"

// Each example runs, and shows what it is meant to show.
namespace saltus {
namespace {

using testing::Example;
using testing::example_path;
using testing::last;

TEST(Examples, EachReachesItsEndAndKeepsItsLaws) {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(SALTUS_EXAMPLES)) {
        if (file.path().extension() != ".toml") continue;
        const std::string name = file.path().stem().string();
        const Example example(name);
        const bool has_solution = name != "lcs_without_solution";
        EXPECT_EQ(example.run.report.end, has_solution ? RunReport::End::reached : RunReport::End::failed) << name;
        EXPECT_LE(example.run.report.worst_residual, 1e-10) << name;
        EXPECT_EQ(example.file.name(), name);
        ++count;
    }
    EXPECT_GE(count, 35);
}

TEST(Examples, CircuitsAToD) {
    const Example a("circuit_a");
    EXPECT_EQ(a.run.report.switches, 1);
    EXPECT_NEAR(a.run.trajectory.switches[0].t, 0.395557839655, 5e-3);
    EXPECT_NEAR(last(a["circuit.x[0]"]), -0.485895555, 1e-4);
    EXPECT_NEAR(last(a["circuit.x[1]"]), 0.0, 1e-9);
    EXPECT_EQ(Example("circuit_b").run.report.end, RunReport::End::reached);
    EXPECT_LE(Example("circuit_c")["circuit.x[1]"].maxCoeff(), 0.0);
    const Example d("circuit_d");
    EXPECT_EQ(d["circuit.x[1]"][0], -1.0);
    EXPECT_EQ(d["circuit.x[1]"][1], 0.0);
    EXPECT_NEAR(d["diode.sigma[0]"][1], 1.0, 0.1);  // the impulse that stops the current of -1
}

TEST(Examples, TheZenerCircuitSlidesAndItsExplicitVersionChatters) {
    const Example implicit_scheme("zener"), explicit_scheme("zener_explicit");
    EXPECT_EQ(implicit_scheme["circuit.x[1]"].tail(1000).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_GT(explicit_scheme["circuit.x[1]"].tail(500).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_GT(explicit_scheme.run.report.switches, 500);
}

// The stiffer the spring, the nearer the rigid limit, with the same step (000, sec. 1.5); an explicit scheme gains
// energy where the implicit one loses some.
TEST(Examples, TheSpringTendsToTheWall) {
    const Example wall("rigid_contact");
    const Eigen::VectorXd sigma = wall["wall.sigma[0]"];
    // The mass arrives with speed 1, which two steps take: one to the wall, one to rest. Then the push of each step.
    EXPECT_NEAR(sigma.segment(900, 200).sum() - 1e-3 * (sigma.segment(900, 200).array() > 0.0).cast<double>().sum(),
                1.0, 2e-3);
    EXPECT_NEAR(last(sigma), 1e-3, 1e-12);
    double before = 1.0;
    for (const double k : {1e6, 1e8, 1e10}) {
        const Example spring("spring_contact", {{"k", k}});
        const double distance = (spring["mass.x[0]"] - wall["mass.x[0]"]).lpNorm<Eigen::Infinity>();
        EXPECT_LT(distance, 0.5 * before) << k;
        before = distance;
    }
    EXPECT_LT(before, 1e-6);

    const ModelFile file = read_model_file(example_path("spring_contact"));
    const auto furthest = [&](const Scheme& scheme) {
        const Simulation run = simulate(file.first_order(), {.step = 1e-3, .t_end = 20.0, .scheme = scheme});
        return -run.trajectory.channel("mass.x[0]").tail(5000).minCoeff();
    };
    EXPECT_GT(furthest(ExplicitSwitched{}), 0.7);
    EXPECT_LT(furthest(EulerMoreau{}), 0.3);
}

TEST(Examples, RectifiersConductOneWay) {
    const Example half("half_wave_rectifier");
    EXPECT_GE(half["diode.lambda[0]"].minCoeff(), 0.0);
    EXPECT_GE(half["diode.y[0]"].minCoeff(), 0.0);
    const Example bridge("diode_bridge");
    const Eigen::VectorXd currents[] = {bridge["bridge.y[0]"], bridge["bridge.y[1]"], bridge["bridge.lambda[2]"],
                                        bridge["bridge.lambda[3]"]};
    for (Index k = 1; k < currents[0].size(); ++k) {
        int conducting = 0;
        for (const Eigen::VectorXd& current : currents) conducting += current[k] > 0.0;
        ASSERT_TRUE(conducting == 2 || conducting == 0) << k;
        ASSERT_GE(bridge["bridge.lambda[0]"][k] + bridge["bridge.lambda[1]"][k], 0.0);  // R i_R
    }
    const Example filter("diode_bridge_filter");
    EXPECT_GE(filter["circuit.x[2]"].minCoeff(), 0.0);
    // While no diode conducts a node is held by nothing: the steps go on exactly, without switches to and fro.
    EXPECT_LE(filter.run.report.worst_residual, 1e-16);
    EXPECT_LE(filter.run.report.switches, 60);
    // The voltages share the charge at the beginning, C v = (C + Cf) v+; then that of the load is the larger one.
    EXPECT_NEAR(filter["circuit.x[2]"][1], 10.0 / 1.3, 0.05);
    EXPECT_GE((filter["circuit.x[2]"] - filter["circuit.x[0]"].cwiseAbs()).tail(4999).minCoeff(), -1e-9);
}

// 004, (34): 0, then 2, then 2 exp(10 - t).
TEST(Examples, RldJumps) {
    const Example rld("rld_jumps");
    const Eigen::VectorXd x = rld["inductor.x[0]"];
    for (Index k = 1; k < x.size(); ++k) {
        const double t = rld.t()[k];
        const double exact = t < 5.0 - 1e-9 ? 0.0 : t < 10.0 - 1e-9 ? 2.0 : 2.0 * std::exp(10.0 - t);
        ASSERT_NEAR(x[k], exact, 2e-2) << t;
    }
    EXPECT_LE(rld["diode.sigma[0]"].tail(1490).maxCoeff(), 2.1);  // bounded, though lambda is an impulse at 5
}

// 001: both relays reach the origin exactly, through infinitely many switches of the exact solution, and stay.
TEST(Examples, RelaySpirals) {
    const Example coarse("relay_spiral", {}, 1.0);
    EXPECT_EQ(coarse["point.x[0]"][2], 0.0);
    EXPECT_EQ(coarse["point.x[1]"][2], 0.0);
    for (const double step : {0.1, 0.01, 0.001}) {
        const Example spiral("relay_spiral", {}, step);
        const Eigen::VectorXd size = spiral["point.x[0]"].cwiseAbs() + spiral["point.x[1]"].cwiseAbs();
        Index first = 0;
        while (first < size.size() && size[first] != 0.0) ++first;
        EXPECT_LE(spiral.t()[first], 2.0) << step;
        EXPECT_GE(spiral.t()[first], 2.0 - 3.01 * step) << step;
        EXPECT_EQ(size.tail(size.size() - first).maxCoeff(), 0.0) << step;
    }
    EXPECT_EQ(Example("reversed_spiral")["point.x[0]"].cwiseAbs().maxCoeff(), 0.0);
    EXPECT_GT(std::abs(last(Example("reversed_spiral", {{"x1", 0.5}})["point.x[0]"])), 0.5);
}

TEST(Examples, WithoutSolutionStops) {
    EXPECT_EQ(Example("lcs_without_solution").run.report.failure.solve.status, SolveStatus::no_solution);
    EXPECT_EQ(Example("lcs_without_solution", {{"x0", 1.0}}).run.report.end, RunReport::End::reached);
}

TEST(Examples, RelativeDegreeThree) {
    const Example plain("relative_degree_3"), pushed("relative_degree_3", {{"a0", -2.0}});
    EXPECT_NEAR(plain["point.x[0]"][500], 0.5, 1e-9);
    EXPECT_NEAR(last(plain["point.x[0]"]), 0.0, 1e-12);
    EXPECT_NEAR(last(plain["point.x[1]"]), 0.0, 1e-12);
    const double contact = (std::sqrt(5.0) - 1.0) / 2.0;
    for (Index k = 0; k < pushed.t().size(); ++k)
        ASSERT_TRUE(std::abs(pushed.t()[k] - contact) < 3e-3 ||
                    (pushed["point.x[0]"][k] > 1e-12) == (pushed.t()[k] < contact))
            << pushed.t()[k];
    for (const char* channel : {"point.x[0]", "point.x[1]", "point.x[2]"})
        EXPECT_NEAR(last(pushed[channel]), 0.0, 1e-12);
}

TEST(Examples, SweepingProcesses) {
    const Example disk("sweeping_disk");
    const Eigen::VectorXd x = disk["point.x[0]"], y = disk["point.x[1]"];
    // The boundary reaches (-0.5, 0.5) when (-0.5 - t)^2 + 0.25 = 1.
    const double t0 = std::sqrt(0.75) - 0.5, angle = std::atan2(0.5, -0.5 - t0);
    for (Index k = 0; k < x.size(); ++k) {
        const double t = disk.t()[k];
        ASSERT_LE(std::hypot(x[k] - t, y[k]), 1.0 + 1e-9);
        if (t < t0) {
            ASSERT_EQ(x[k], -0.5);
            continue;
        }
        const double phi = 2.0 * std::atan(std::tan(angle / 2.0) * std::exp(t - t0));
        ASSERT_NEAR(x[k], t + std::cos(phi), 1e-3) << t;
        ASSERT_NEAR(y[k], std::sin(phi), 1e-3) << t;
    }
    const Example wall("sweeping_half_space");
    const Eigen::VectorXd pushed = wall["point.x[0]"];
    double highest = 0.2;
    for (Index k = 0; k < pushed.size(); ++k) {
        highest = std::max(highest, std::sin(wall.t()[k]));
        ASSERT_NEAR(pushed[k], highest, 1e-12);
    }
    const Example triangle("sweeping_polyhedron");
    for (const char* side : {"triangle.y[0]", "triangle.y[1]", "triangle.y[2]"})
        EXPECT_GE(triangle[side].minCoeff(), -1e-12) << side;
}

TEST(Examples, FilippovCases) {
    const Example crossing("filippov_crossing");
    EXPECT_NEAR(last(crossing["point.x[0]"]), 2.0 - 1.0 / 3.0, 5e-3);
    const Example leaving("filippov_leaving");
    const Eigen::ArrayXd late = (leaving.t() - 1.0).max(0.0);
    EXPECT_LE((leaving["point.x[0]"].array() - 0.5 * late.square()).abs().maxCoeff(), 2e-3);
    EXPECT_EQ(leaving["point.x[0]"].head(1000).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Examples, TheSwitchingOscillatorKeepsItsOrder) {
    const Example oscillator("switching_oscillator");
    const double t = 1.92, angle = 2.0 * std::numbers::pi * t;
    EXPECT_NEAR(last(oscillator["point.x[0]"]), std::exp(t - 1.0) * std::cos(angle), 1e-7);
    EXPECT_NEAR(last(oscillator["point.x[1]"]), std::exp(t - 1.0) * std::sin(angle), 1e-7);
    ASSERT_EQ(oscillator.run.trajectory.events.size(), 1u);
    EXPECT_NEAR(oscillator.run.trajectory.events[0].t, 1.0, 1e-8);
}

// On the surface s = 0 x1 decays like exp(-t) whatever the force, and 2 lambda balances it: x2' = -x2.
TEST(Examples, SlidingModeControl) {
    const Example control("sliding_mode_control");
    const Eigen::VectorXd s = control["control.y[0]"], x = control["plant.x[0]"];
    EXPECT_EQ(s.tail(6000).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_NEAR(x[7000] / x[6000], std::exp(-1.0), 1e-3);
    const Eigen::VectorXd u = 2.0 * control["control.lambda[0]"];
    for (Index k = 3000; k < 8000; k += 100)
        ASSERT_NEAR(u[k] + 0.8 * std::sin(3.0 * control.t()[k]), -control["plant.x[1]"][k], 1e-2);
}

// The first gene wins: x -> (k1, 0).
TEST(Examples, GeneNetwork) {
    const Example genes("gene_network");
    EXPECT_NEAR(last(genes["proteins.x[0]"]), 2.0, 0.05);
    EXPECT_NEAR(last(genes["proteins.x[1]"]), 0.0, 0.05);
}

}  // namespace
}  // namespace saltus
