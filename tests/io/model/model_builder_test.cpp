#include "saltus/io/model/model_builder.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/model/function_from.hpp"

namespace saltus {
namespace {

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

// "{ external = k }".
toml::table external(std::int64_t k) { return toml::table{{"external", k}}; }

// The sum of the squares of the stacked variables of its place, `outputs` times, the i-th with the factor i + 1.
ExternalFunction squares(Index outputs) {
    return {outputs, false, true, [outputs](const std::vector<Symbol>& variables, const std::string&) {
                return Function::from(argument_count({.variables = variables}), outputs,
                                      [outputs](const auto& in, auto& out) {
                                          for (Index i = 0; i < outputs; ++i) {
                                              out[i] = 0.0 * in[0];
                                              for (Index j = 0; j < in.size(); ++j) out[i] += (i + 1.0) * in[j] * in[j];
                                          }
                                      });
            }};
}

TEST(ModelBuilder, TakesTablesInTheOrderInWhichTheyCome) {
    ModelBuilder builder("program");
    const toml::table parameters{{"m", 2.0}, {"weight", "-9.81*m"}};
    builder.add_parameter("m", *parameters.get("m"));
    builder.add_parameter("weight", *parameters.get("weight"));
    builder.add("systems", "b", toml::table{{"q0", 1.0}, {"mass", "m"}, {"force", "weight"}});
    builder.add("systems", "a", toml::table{{"q0", toml::array{3.0, 4.0}}, {"mass", 1.0}});
    builder.add("joints", "j", toml::table{{"systems", "a"}, {"constraint", "q[0] - 3"}});
    builder.add("contacts", "c", toml::table{{"systems", toml::array{"b", "a"}}, {"gap", "q[1] - q[0]"}});
    const auto model = std::get<LagrangianModel>(builder.model());
    EXPECT_EQ(model.name, "program");
    ASSERT_EQ(model.systems.size(), 2U);
    EXPECT_EQ(model.systems[0].name, "b");
    EXPECT_EQ(model.systems[0].M(0, 0), 2.0);
    EXPECT_EQ(model.interactions[0].name, "j");
    EXPECT_EQ(model.interactions[1].systems, (std::vector<Index>{0, 1}));
}

TEST(ModelBuilder, TellsMistakesWithoutAFileAndForgetsThem) {
    ModelBuilder builder("program");
    EXPECT_EQ(message_of([&] {
                  builder.add("contacts", "c", toml::table{{"gap", "q[0]"}});
              }),
              "contacts.c: comes before the systems; add a system first");
    builder.add("systems", "b", toml::table{{"q0", 1.0}, {"mass", 1.0}});
    EXPECT_EQ(message_of([&] {
                  builder.add("systems", "x", toml::table{{"x0", 1.0}});
              }),
              "systems.x: has another kind than the systems before it; all have q0, or all have x0");
    EXPECT_EQ(message_of([&] { builder.add("sets", "s", toml::table{}); }),
              "sets.s: belongs to the other kind of models; Lagrangian ones have systems, contacts, joints, springs, "
              "forces");
    EXPECT_EQ(message_of([&] {
                  builder.add("contacts", "b", toml::table{{"gap", "q[0]"}});
              }),
              "contacts.b: the name 'b' is taken; give another");
    EXPECT_EQ(message_of([&] {
                  builder.add("contacts", "c", toml::table{{"gap", "q[1]"}});
              }).substr(0, 22),
              "contacts.c.gap: index ");
    builder.add("contacts", "c", toml::table{{"gap", "q[0]"}});
    EXPECT_EQ(std::get<LagrangianModel>(builder.model()).interactions.size(), 1U);
    EXPECT_EQ(message_of([] { ModelBuilder("empty").model(); }),
              "empty: there is no system; write a table [systems.NAME] with x0, or with q0");
}

TEST(ModelBuilder, WhatIsRefusedLeavesNoTrace) {
    ModelBuilder builder("program");
    EXPECT_NE(message_of([&] { builder.add("systems", "s", toml::table{{"q0", 1.0}, {"mass", -1.0}}); }), "");
    builder.add("systems", "s", toml::table{{"x0", 1.0}});  // the kind was not settled
    EXPECT_EQ(std::get<Model>(builder.model()).systems.size(), 1U);

    ModelBuilder mechanical("program");
    mechanical.add("systems", "s", toml::table{{"q0", 1.0}, {"mass", 1.0}});
    EXPECT_NE(
        message_of([&] {
            mechanical.add("joints", "j", toml::table{{"coordinate", "q[0]"}, {"lower", 0.0}, {"friction", -1.0}});
        }),
        "");
    EXPECT_TRUE(std::get<LagrangianModel>(mechanical.model()).interactions.empty());
}

TEST(ModelBuilder, MatricesComeFromOutside) {
    Matrix::Sparse A(2, 2);
    A.insert(0, 1) = 1.0;
    const Externals externals{Matrix(A), Matrix(Eigen::MatrixXd{{1.0, 2.0}})};
    ModelBuilder builder("program", {}, &externals);
    EXPECT_EQ(message_of([&] {
                  builder.add("systems", "s", toml::table{{"x0", toml::array{1.0, 2.0}}, {"A", external(1)}});
              }),
              "systems.s.A: is 1 x 2; it must be 2 x 2: states by states");
    builder.add("systems", "s", toml::table{{"x0", toml::array{1.0, 2.0}}, {"A", external(0)}});
    EXPECT_TRUE(std::get<Model>(builder.model()).systems[0].A.is_sparse());
}

// The functions of an interaction at (q, lambda, t) = (2, 3, 5, 5, ..., 7).
TEST(ModelBuilder, FunctionsComeFromOutside) {
    const Externals externals{squares(1), squares(2), squares(4)};
    ModelBuilder builder("program", {}, &externals);
    builder.add("systems", "s",
                toml::table{{"q0", toml::array{1.0, 2.0}},
                            {"mass", 1.0},
                            {"force", external(1)},
                            {"inertial", toml::array{"v[0]", "2*q[1]"}}});
    builder.add("contacts", "c", toml::table{{"gap", "q[0]"}, {"slip", external(1)}});
    builder.add("joints", "stop", toml::table{{"coordinate", external(0)}, {"lower", 1.0}, {"upper", 100.0}});
    const auto model = std::get<LagrangianModel>(builder.model());

    const Eigen::VectorXd qvt = Eigen::Vector<double, 5>(2, 3, 1, 0, 7);
    Eigen::VectorXd force(2);
    model.systems[0].f.value(qvt.data(), force.data());
    EXPECT_EQ(force, Eigen::Vector2d(63 - 1, 2 * 63 - 6));

    const Function& g = model.interactions[0].g;
    ASSERT_EQ(g.inputs(), 2 + 3 + 1);
    Eigen::VectorXd point(6), y(3);
    point << 2, 3, 5, 5, 5, 7;
    g.value(point.data(), y.data());
    EXPECT_EQ(y, Eigen::Vector3d(2, 62, 124));  // lambda does not matter
    Eigen::MatrixXd slopes(3, 6), expected(3, 6);
    g.jacobian(point.data(), slopes.data());
    expected << 1, 0, 0, 0, 0, 0, 4, 6, 0, 0, 0, 14, 8, 12, 0, 0, 0, 28;
    EXPECT_EQ(slopes, expected);

    const Eigen::Vector4d at(2, 3, 5, 7);
    double lower = 0.0, upper = 0.0;
    model.interactions[1].g.value(at.data(), &lower);
    model.interactions[2].g.value(at.data(), &upper);
    EXPECT_EQ(lower, 61.0);
    EXPECT_EQ(upper, 38.0);
}

// A load that depends on time alone leaves a model linear.
TEST(ModelBuilder, FunctionsOfTimeAreLoads) {
    ExternalFunction load = squares(1);
    load.is_of_time = true;
    const Externals externals{load};
    ModelBuilder mechanical("program", {}, &externals), circuit("program", {}, &externals);
    mechanical.add("systems", "s", toml::table{{"q0", 1.0}, {"mass", 1.0}, {"force", external(0)}});
    circuit.add("systems", "s", toml::table{{"x0", 1.0}, {"f", external(0)}});
    EXPECT_TRUE(std::get<LagrangianModel>(mechanical.model()).is_linear());
    const auto model = std::get<Model>(circuit.model());
    EXPECT_TRUE(model.is_linear());
    const double t = 3.0;
    double value = 0.0;
    model.systems[0].b.value(&t, &value);
    EXPECT_EQ(value, 9.0);
}

TEST(ModelBuilder, FilesHaveNoExternals) {
    ModelBuilder builder("file");
    EXPECT_NE(message_of([&] { builder.add("systems", "s", toml::table{{"x0", 1.0}, {"f", external(0)}}); }), "");
    EXPECT_NE(message_of([&] { builder.add("systems", "s", toml::table{{"x0", 1.0}, {"A", external(0)}}); }), "");
}

}  // namespace
}  // namespace saltus
