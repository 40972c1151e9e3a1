#include "saltus/simulation/ongoing_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

LagrangianModel falling_ball() {
    LagrangianModel model{.name = "ball"};
    model.systems.push_back({.name = "ball",
                             .q0 = Eigen::VectorXd::Ones(1),
                             .v0 = Eigen::VectorXd::Zero(1),
                             .b = Function::constant(1, Eigen::VectorXd::Constant(1, -9.81))});
    model.interactions.push_back(
        {.name = "ground", .G = Eigen::MatrixXd{{1.0}}, .law = ContactLaw{.restitution = 0.8}});
    return model;
}

Model relay_model() {
    Model model{.name = "relay"};
    model.systems.push_back({.name = "point", .x0 = Eigen::VectorXd::Ones(1), .A = Eigen::MatrixXd{{-1.0}}});
    model.interactions.push_back(
        {.name = "sign", .C = Eigen::MatrixXd{{1.0}}, .B = Eigen::MatrixXd{{1.0}}, .law = {{-1.0, 1.0}}});
    return model;
}

// The samples of a run in pieces.
template <class AnyModel>
Trajectory in_pieces(const AnyModel& model, const Scheme& scheme, const std::vector<long>& ends) {
    Trajectory result{.channels = channel_names(model, scheme)};
    const Observer observer{.sample = [&](const Sample& sample) { result.add(sample); },
                            .impact = [&](const Impact& impact) { result.impacts.push_back(impact); }};
    OngoingRun<AnyModel> run(model, scheme, {.h = 0.01});
    for (const long end : ends) run.advance(end, observer);
    EXPECT_EQ(run.steps(), ends.back());
    EXPECT_EQ(run.report().steps, ends.back());
    EXPECT_EQ(run.report().end, RunReport::End::reached);
    return result;
}

template <class AnyModel>
void expect_same_bits(const AnyModel& model, const Scheme& scheme) {
    const Trajectory whole = simulate(model, {.step = 0.01, .t_end = 2.0, .scheme = scheme}).trajectory;
    const Trajectory pieces = in_pieces(model, scheme, {0, 1, 2, 50, 50, 200});
    EXPECT_EQ(pieces.times, whole.times);
    EXPECT_EQ(pieces.values, whole.values);
    EXPECT_EQ(pieces.impacts.size(), whole.impacts.size());
}

TEST(OngoingRun, PiecesGiveTheSameRun) {
    expect_same_bits(falling_ball(), MoreauJean{});
    expect_same_bits(falling_ball(), EventDriven{});
    expect_same_bits(relay_model(), EulerMoreau{});
    expect_same_bits(relay_model(), EventDriven{});
}

TEST(OngoingRun, GoesOnAfterAnInterruption) {
    const LagrangianModel model = falling_ball();
    OngoingRun<LagrangianModel> run(model, MoreauJean{}, {.h = 0.01});
    run.advance(1000, {.goes_on = [](double, long steps) { return steps < 3; }});
    EXPECT_EQ(run.report().end, RunReport::End::interrupted);
    EXPECT_EQ(run.steps(), 3);
    run.advance(1000, {});
    EXPECT_EQ(run.report().end, RunReport::End::reached);
    EXPECT_DOUBLE_EQ(run.t(), 10.0);
    LagrangianState state;
    run.read(state);
    EXPECT_NEAR(state.q[0], 0.0, 1e-3);
    EXPECT_NEAR(run.work(), -9.81, 1e-2);  // the ball has lost the energy of its fall
}

// Of a gap that is NaN no scheme would notice that it closes.
TEST(OngoingRun, EndsWhereAGapIsNotDefined) {
    LagrangianModel model = falling_ball();
    model.interactions[0].e = Function::with_jacobian(
        1, 1, [](const Function::In& t, Function::Out& out) { out[0] = 0.0 * std::sqrt(0.3 - t[0]); },
        [](const Function::In&, Function::OutMatrix&) {});
    for (const Scheme& scheme : {Scheme(MoreauJean{}), Scheme(D1Minus{}), Scheme(AnitescuPotra{}),
                                 Scheme(SchatzmanPaoli{}), Scheme(EventDriven{})}) {
        const Simulation run = simulate(model, {.step = 0.01, .t_end = 1.0, .scheme = scheme});
        EXPECT_EQ(run.report.end, RunReport::End::failed) << describe(scheme);
        EXPECT_NEAR(run.trajectory.times.back(), 0.3, 0.03) << describe(scheme);
        EXPECT_FALSE(run.report.failure.reason().empty());
    }
}

}  // namespace
}  // namespace saltus
