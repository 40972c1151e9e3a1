#include "saltus/model/moving_set.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/model/combination.hpp"
#include "saltus/model/function_from.hpp"
#include "saltus/simulation/time_stepping.hpp"
#include "support/first_order_models.hpp"
#include "support/random_problems.hpp"
#include "support/refusal.hpp"
#include "support/same_derivatives.hpp"

namespace saltus {
namespace {

using testing::matrix;
using testing::of_time;
using testing::Random;
using testing::refusal;
using testing::vector;

Function constant(const Eigen::VectorXd& value) { return combination(Matrix::Sparse(value.size(), 1), value, {}); }

// One set of each kind, around the origin, in n dimensions.
std::vector<MovingSet> random_sets(Index n, Random& random) {
    const Eigen::VectorXd lower = random.vector(n, -1.0, -0.1), upper = random.vector(n, 0.1, 1.0);
    return {HalfSpace{random.vector(n), constant(random.vector(1, 0.1, 1.0))},
            Polyhedron{random.matrix(2 * n, n), constant(random.vector(2 * n, 0.1, 1.0))},
            Box{constant(lower), constant(upper)},
            Box{constant(lower), {}},
            Box{{}, constant(upper)},
            Ball{constant(random.vector(n)), constant(random.vector(1, 0.5, 2.0))}};
}

// (z - P z).(k - P z) <= 0 for all k in K, and P z in K, which its own projection says.
TEST(MovingSet, ProjectsOnTheNearestPoint) {
    Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const Index n = random.integer(1, 5);
        for (const MovingSet& set : random_sets(n, random)) {
            ASSERT_EQ(dimension(set), n);
            const Eigen::VectorXd z = random.vector(n, -3.0, 3.0), x = project(set, 0.0, z);
            EXPECT_LE((project(set, 0.0, x) - x).norm(), 1e-12);
            for (int other = 0; other < 20; ++other) {
                const Eigen::VectorXd k = project(set, 0.0, random.vector(n, -3.0, 3.0));
                EXPECT_LE((z - x).dot(k - x), 1e-10) << set.index();
            }
        }
    }
}

// Known points of known sets, at known times.
TEST(MovingSet, KnowsItsPointsAtEachTime) {
    const HalfSpace above{vector({0, 2}), of_time({"-2*t"})};  // x2 >= t
    EXPECT_LE((project(above, 3.0, vector({1, 1})) - vector({1, 3})).norm(), 1e-15);
    EXPECT_EQ(project(above, 0.5, vector({1, 1})), vector({1, 1}));
    const Polyhedron corner{matrix(2, 2, {1, 0, 0, 1}), of_time({"-t", "1"})};  // x1 >= t, x2 >= -1
    EXPECT_LE((project(corner, 2.0, vector({0, -3})) - vector({2, -1})).norm(), 1e-14);
    const Polyhedron still{matrix(1, 2, {1, 1}), {}};
    EXPECT_LE((project(still, 2.0, vector({-1, 0})) - vector({-0.5, 0.5})).norm(), 1e-14);
    const Box box{of_time({"t", "0"}), of_time({"t + 1", "2"})};
    EXPECT_EQ(project(box, 1.0, vector({0, 3})), vector({1, 2}));
    const Ball ball{of_time({"t", "0"}), of_time({"2"})};
    EXPECT_LE((project(ball, 1.0, vector({1, 5})) - vector({1, 2})).norm(), 1e-15);
    EXPECT_EQ(project(ball, 1.0, vector({2, 1})), vector({2, 1}));
}

// A backward Euler step of x' in -N_K(x) from z is the projection of z (000, (1.36)), whatever the step.
TEST(NormalCone, MakesAStepAProjection) {
    Random random(2);
    for (int trial = 0; trial < 50; ++trial) {
        const Index n = random.integer(1, 4);
        for (const MovingSet& set : random_sets(n, random)) {
            Model model;
            const Eigen::VectorXd z = random.vector(n, -3.0, 3.0);
            model.systems.push_back({.name = "point", .x0 = z});
            model.interactions.push_back(normal_cone(set));
            const double h = random.uniform(0.01, 1.0);
            Stepper stepper = make_stepper(model, {}, h);
            State state;
            std::visit(
                [&](auto& s) {
                    EXPECT_NE(s.step(), StepOutcome::failed) << set.index() << ": " << s.report().message;
                    s.read(state);
                },
                stepper);
            EXPECT_LE((state.x - project(set, h, z)).norm(), 1e-8) << set.index();
        }
    }
}

// The gradient of the ball's function vanishes at the centre: a step from there, and from near it, far outside.
TEST(NormalCone, OfABallMayStartAtItsCentre) {
    for (const double distance : {0.0, 1e-12, 1e-6, 1e-3, 0.1}) {
        Model model;
        model.systems.push_back({.name = "point", .x0 = vector({distance, -distance})});
        model.interactions.push_back(normal_cone(Ball{of_time({"10*t", "3*t"}), of_time({"1 + t"})}));
        NewtonStepper stepper(model, {}, 1.0);
        ASSERT_NE(stepper.step(), StepOutcome::failed) << distance << ": " << stepper.report().message;
        State state;
        stepper.read(state);
        const Eigen::VectorXd centre = vector({10, 3}), away = model.systems[0].x0 - centre;
        EXPECT_LE((state.x - (centre + 2.0 * away.normalized())).norm(), 1e-8) << distance;
    }
}

// Against automatic differentiation.
TEST(NormalCone, OfABallHasTheRightDerivatives) {
    const Interaction cone = normal_cone(Ball{of_time({"sin(t)", "t^2"}), of_time({"1 + 0.5*cos(t)"})});
    const auto relation = [](const auto& in, auto& y) {
        using std::cos, std::sin;
        using Scalar = std::decay_t<decltype(y[0])>;
        const Scalar R = 1.0 + 0.5 * cos(in[3]), dx = in[0] - sin(in[3]), dy = in[1] - in[3] * in[3];
        y[0] = (R * R - dx * dx - dy * dy) / (2.0 * R);
    };
    const auto force = [](const auto& in, auto& r) {
        using std::cos, std::sin;
        using Scalar = std::decay_t<decltype(r[0])>;
        const Scalar R = 1.0 + 0.5 * cos(in[3]);
        r[0] = -in[2] * (in[0] - sin(in[3])) / R;
        r[1] = -in[2] * (in[1] - in[3] * in[3]) / R;
    };
    Random random(3);
    testing::expect_same_derivatives(cone.h, Function::from(4, 1, relation), random);
    testing::expect_same_derivatives(cone.g, Function::from(4, 2, force), random);
}

TEST(MovingSet, NamesWhatDoesNotFit) {
    const Eigen::VectorXd z = vector({1, 2});
    EXPECT_EQ(refusal([&] {
                  project(Ball{of_time({"0"}), of_time({"1"})}, 0.0, z);
              }),
              "project: the set has 1 dimensions, the point 2");
    EXPECT_EQ(refusal([&] {
                  project(Ball{of_time({"0", "0"}), {}}, 0.0, z);
              }),
              "ball: the radius takes 0 numbers and returns 0; it must take 1 (t) and return 1");
    EXPECT_EQ(refusal([&] {
                  project(Ball{of_time({"0", "0"}), of_time({"1 - t"})}, 3.0, z);
              }),
              "ball: at t = 3 the radius is -2: the set is empty");
    EXPECT_EQ(refusal([&] {
                  normal_cone(HalfSpace{vector({0, 0}), {}});
              }),
              "half-space: the normal is zero or not finite; give a direction");
    EXPECT_EQ(refusal([&] {
                  normal_cone(Polyhedron{matrix(2, 2, {1, 0, 0, 1}), of_time({"t"})});
              }),
              "polyhedron: offsets takes 1 numbers and returns 1; it must take 1 (t) and return 2");
    EXPECT_EQ(refusal([&] { normal_cone(Box{}); }),
              "box: it has neither lower nor upper bounds; give at least one of them");
    EXPECT_EQ(refusal([&] {
                  project(Box{of_time({"t", "0"}), of_time({"1", "1"})}, 2.0, z);
              }),
              "box: at t = 2 a lower bound exceeds its upper bound: the set is empty");
    const Polyhedron empty{matrix(2, 2, {1, 0, -1, 0}), of_time({"-1", "-1"})};
    EXPECT_NE(refusal([&] { project(empty, 2.0, z); }).find("polyhedron: at t = 2 there is no nearest point"),
              std::string::npos);
}

}  // namespace
}  // namespace saltus
