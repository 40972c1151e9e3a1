#include "saltus/model/model.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "saltus/model/recognise.hpp"
#include "saltus/model/stacked.hpp"
#include "support/first_order_models.hpp"

namespace saltus {
namespace {

using testing::matrix;
using testing::vector;

std::string message(const Model& model) {
    try {
        model.check();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Model, NamesWhatDoesNotFit) {
    const Model good = testing::Circuit{}.a();
    EXPECT_EQ(message(good), "accepted");
    Model model = good;
    model.systems[0].A = matrix(2, 1, {1, 2});
    EXPECT_EQ(message(model), "system 'system': A is 2 x 1, it must be 2 x 2");
    model = good;
    model.interactions[0].B = matrix(1, 1, {1});
    EXPECT_EQ(message(model), "interaction 'interaction': B is 1 x 1, it must be 2 x 1");
    model = good;
    model.systems[0].x0[1] = std::nan("");
    EXPECT_EQ(message(model), "system 'system': x0[1] is nan; give a number");
    model = good;
    model.interactions[0].systems = {1};
    EXPECT_EQ(message(model), "interaction 'interaction': there is no system number 1, the model has 1");
    model = good;
    model.interactions[0].law = {{2.0, 1.0}};
    EXPECT_EQ(message(model), "interaction 'interaction': the law of row 0 is [2, 1]; lower must not exceed upper");
    model = good;
    model.systems.push_back(model.systems[0]);
    EXPECT_EQ(message(model), "two systems have the name 'system'; give each its own");
    model = good;
    model.systems[0].b = testing::of_time({"1"});
    EXPECT_EQ(message(model), "system 'system': b takes 1 numbers and returns 1; it must take 1 (t) and return 2");
}

// The notes of Siconos, sec. 2.1.2: interaction 1 on systems 1 and 3, interaction 2 on systems 2 and 3.
TEST(Stacked, PutsEveryBlockAtItsSystem) {
    Model model;
    for (const char* name : {"one", "two", "three"})
        model.systems.push_back({.name = name, .x0 = vector({0, 0}), .A = matrix(2, 2, {1, 2, 3, 4})});
    model.interactions.push_back(
        {.name = "first", .systems = {0, 2}, .C = matrix(1, 4, {1, 2, 3, 4}), .B = matrix(4, 1, {5, 6, 7, 8})});
    model.interactions.push_back(
        {.name = "second", .systems = {2, 1}, .C = matrix(1, 4, {1, 2, 3, 4}), .D = matrix(1, 1, {9})});
    const Stacked parts(model);
    EXPECT_EQ(parts.C.to_dense(), matrix(2, 6, {1, 2, 0, 0, 3, 4, 0, 0, 3, 4, 1, 2}).dense());
    EXPECT_EQ(parts.B.to_dense().col(0), vector({5, 6, 0, 0, 7, 8}));
    EXPECT_EQ(parts.D.to_dense(), matrix(2, 2, {0, 0, 0, 9}).dense());
    EXPECT_EQ(parts.A(5, 4), 3.0);
    EXPECT_EQ(parts.M.to_dense(), Eigen::MatrixXd::Identity(6, 6));
}

// Circuit (a) as a user writes it, and one that is not linear.
TEST(RecogniseLinear, FindsTheMatricesOfExpressions) {
    const Model expected = testing::Circuit{}.a();
    const testing::Circuit circuit;
    Symbols symbols{.variables = {{"x", 2}, {"t"}},
                    .constants = {{"R", circuit.R}, {"L", circuit.L}, {"C", circuit.C}}};
    Model model;
    model.systems.push_back({.name = "system", .x0 = vector({1, -1})});
    model.systems[0].f = Expressions({"x[1] - x[0]/(R*C) + t", "-x[0]/(L*C)"}, symbols);
    symbols.variables = {{"x", 2}, {"lambda", 1}, {"t"}};
    model.interactions.push_back({.name = "interaction"});
    model.interactions[0].h = Expressions({"lambda[0]/R + x[0]/(R*C) - x[1]"}, symbols);
    model.interactions[0].g = Expressions({"-lambda[0]/R", "-lambda[0]/L"}, symbols);
    recognise_linear(model);
    ASSERT_TRUE(model.is_linear());
    model.check();
    EXPECT_LE((model.systems[0].A.to_dense() - expected.systems[0].A.to_dense()).norm(), 1e-12);
    EXPECT_LE((model.interactions[0].C.to_dense() - expected.interactions[0].C.to_dense()).norm(), 1e-12);
    EXPECT_LE((model.interactions[0].D.to_dense() - expected.interactions[0].D.to_dense()).norm(), 1e-12);
    EXPECT_LE((model.interactions[0].B.to_dense() - expected.interactions[0].B.to_dense()).norm(), 1e-12);
    EXPECT_TRUE(model.interactions[0].e.is_empty());
    const double t = 3.0;
    Eigen::Vector2d b;
    model.systems[0].b.value(&t, b.data());
    EXPECT_EQ(b, Eigen::Vector2d(3.0, 0.0));

    symbols.variables = {{"x", 2}, {"t"}};
    model.systems[0].f = Expressions({"x[1]", "-sin(x[0])"}, symbols);
    recognise_linear(model);
    EXPECT_FALSE(model.is_linear());
}

}  // namespace
}  // namespace saltus
