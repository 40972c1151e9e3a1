#include "saltus/io/model/model_file.hpp"

#include <gtest/gtest.h>

#include "saltus/core/check.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

const std::string circuit = R"(
[parameters]
R = 10.0
C = "1/(2*pi)^2"
[signals]
u = "sin(t)*R"
[systems.circuit]
x0 = [1, -1]
f = ["x[1] - x[0]/(R*C) + u", "-x[0]/C"]
[interactions.diode]
y = "lambda[0]/R + x[0]/(R*C) - x[1]"
r = ["-lambda[0]/R", "-lambda[0]"]
law = "complementarity"
[simulation]
step = 1e-3
t_end = "2*R"
record_every = 5
)";

std::string message(const std::string& text, const ParameterValues& values = {}) {
    try {
        parse_model_file(text, "file.toml", values);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "accepted";
}

// The text with its first `from` replaced.
std::string with(const std::string& from, const std::string& to) {
    std::string text = circuit;
    return text.replace(text.find(from), from.size(), to);
}

TEST(ModelFile, IsReadAndItsLinearPartsAreFound) {
    const ModelFile file = parse_model_file(circuit, "file.toml");
    EXPECT_EQ(file.first_order().name, "file");
    EXPECT_TRUE(file.first_order().is_linear());
    EXPECT_FALSE(file.simulation.scheme.has_value());
    EXPECT_EQ(file.simulation.t_end, 20.0);
    EXPECT_EQ(file.simulation.record_every, 5);
    EXPECT_EQ(file.first_order().interactions[0].D(0, 0), 0.1);
    EXPECT_EQ(file.first_order().systems[0].A(0, 1), 1.0);
    const double t = 1.0;
    Eigen::Vector2d b;
    file.first_order().systems[0].b.value(&t, b.data());
    EXPECT_DOUBLE_EQ(b[0], 10.0 * std::sin(1.0));
}

TEST(ModelFile, TakesParametersFromTheCommand) {
    const ModelFile file = parse_model_file(circuit, "file.toml", {{"R", 5.0}});
    EXPECT_EQ(file.first_order().interactions[0].D(0, 0), 0.2);
    EXPECT_EQ(file.simulation.t_end, 10.0);
    EXPECT_EQ(message(circuit, {{"r", 1.0}}), "file.toml: there is no parameter 'r'; did you mean 'R'?");
}

TEST(ModelFile, MistakesAreShownWithLineAndKey) {
    EXPECT_EQ(message(with("law =", "laws =")),
              "file.toml:13: interactions.diode.laws: there is no such key; did you mean 'law'?");
    EXPECT_EQ(message(with("\"complementarity\"", "\"complementary\"")),
              "file.toml:13: interactions.diode.law: there is no law 'complementary'; did you mean 'complementarity'?");
    EXPECT_EQ(message(with("step = 1e-3\n", "")), "file.toml:14: simulation.step: is missing; give a number");
    EXPECT_EQ(message(with("x0 = [1, -1]\n", "")),
              "file.toml:7: systems.circuit.x0: is missing; give the initial state, x0 = [1, 0]");
    EXPECT_NE(message(with("lambda[0]/R +", "lambada[0]/R +"))
                  .find("file.toml:11: interactions.diode.y: unknown name 'lambada'"),
              std::string::npos)
        << message(with("lambda[0]/R +", "lambada[0]/R +"));
    EXPECT_NE(message(with("R = 10.0", "R = 10.0.0")).find("file.toml:3: "), std::string::npos);
    EXPECT_NE(message(with("x[0]/(R*C) + u", "x[2]")).find("index 2 out of range"), std::string::npos);
    EXPECT_NE(message(with("R = 10.0", "R = true")).find("file.toml:3: parameters.R: is true or false"),
              std::string::npos);
    EXPECT_NE(message(with("sin(t)*R", "u + 1")).find("'u' is defined by itself"), std::string::npos);
    EXPECT_NE(message("").find("there is no system"), std::string::npos);
    EXPECT_THROW(read_model_file("no such file.toml"), InvalidInput);
    EXPECT_THROW(read_model_file("/"), InvalidInput);
}

TEST(ModelFile, WrongSizesAreShownWithLineAndKey) {
    EXPECT_EQ(message(with("\"-x[0]/C\"]", "\"-x[0]/C\", 0]")),
              "file.toml:9: systems.circuit.f: has 3 entries; it must have 2, one per state");
    EXPECT_EQ(message(with("r = [\"-lambda[0]/R\", \"-lambda[0]\"]", "r = \"-lambda[0]\"")),
              "file.toml:12: interactions.diode.r: has 1 entries; it must have 2, one per state");
    EXPECT_EQ(message(with("law =", "B = [[1, 2]]\nlaw =")),
              "file.toml:13: interactions.diode.B: is 1 x 2; it must be 2 x 1: states by rows of y");
    EXPECT_EQ(message(with("x0 = [1, -1]", "x0 = []")),
              "file.toml:8: systems.circuit.x0: is empty; give the initial state, x0 = [1, 0]");
    EXPECT_EQ(message(with("u = \"sin(t)*R\"", "u = []")),
              "file.toml:6: signals.u: has 0 entries; a signal is one expression of t");
    EXPECT_NE(message(with("[systems", "v = \"sni(t)\"\n[systems")).find("signals.v"), std::string::npos);
    EXPECT_EQ(message(with("law =", "systems = [\"circuit\", \"circuit\"]\nlaw =")),
              "file.toml:13: interactions.diode.systems: names 'circuit' twice; once is enough");
}

TEST(ModelFile, SchemesAndTheirOptions) {
    const auto scheme = [](const std::string& lines) {
        return parse_model_file(with("record_every = 5\n", lines), "file.toml").simulation.scheme;
    };
    EXPECT_EQ(describe(*scheme("theta = 0.5\n")), "euler-moreau, theta = 0.5, gamma = 1");
    EXPECT_EQ(describe(*scheme("measures = true\n")), "euler-moreau, theta = 1, gamma = 1, measures");
    EXPECT_EQ(describe(*scheme("scheme = \"runge-kutta\"\nband = 0.1\n")), "explicit Runge-Kutta, band = 0.1");
    EXPECT_EQ(describe(*scheme("scheme = \"higher-order-sweeping\"\n")), "higher-order-sweeping");
    EXPECT_EQ(message(with("record_every = 5", "scheme = \"explicit-eular\"")),
              "file.toml:17: simulation.scheme: there is no scheme 'explicit-eular'; did you mean 'explicit-euler'?");
    EXPECT_EQ(message(with("record_every = 5", "scheme = \"runge-kutta\"\ntheta = 0.5")),
              "file.toml:18: simulation.theta: is not an option of the scheme \"runge-kutta\"; delete it");
    EXPECT_NE(message(with("record_every = 5", "theta = 2")).find("theta is 2; it must lie between 0 and 1"),
              std::string::npos);
    const EventDriven event_driven =
        std::get<EventDriven>(*scheme("scheme = \"event-driven\"\ntolerance = \"R*1e-9\"\n"
                                      "accumulation = 1e-3\n"));
    EXPECT_EQ(event_driven.tolerance, 1e-8);
    EXPECT_EQ(event_driven.accumulation, 1e-3);
    EXPECT_EQ(message(with("record_every = 5", "tolerance = 1e-6")),
              "file.toml:17: simulation.tolerance: is not an option of the scheme \"euler-moreau\"; delete it");
    EXPECT_EQ(message(with("record_every = 5", "scheme = \"event-driven\"\nmin_step = 1e-6")),
              "file.toml:18: simulation.min_step: is not an option of the scheme \"event-driven\"; delete it");
    EXPECT_EQ(message(with("record_every = 5", "scheme = \"moreau-jean\"")),
              "file.toml:17: simulation.scheme: there is no scheme 'moreau-jean'; known are euler-moreau, "
              "higher-order-sweeping, explicit-euler, runge-kutta, event-driven");
}

// A mistake in the file has its line; one on the command line, the option.
TEST(ModelFile, ASchemeOfTheCommandReplacesThatOfTheFile) {
    const auto scheme = [](const std::string& lines, const SchemeSettings& settings) {
        return *parse_model_file(with("record_every = 5\n", lines), "file.toml", {}, settings).simulation.scheme;
    };
    const auto mistake = [&](const std::string& lines, const SchemeSettings& settings) {
        return testing::refusal([&] { scheme(lines, settings); });
    };
    const std::string euler = "scheme = \"euler-moreau\"\ntheta = 0.5\ngamma = 0.5\n";
    EXPECT_EQ(describe(scheme(euler, {.scheme = "event-driven"})), "event-driven, tolerance 1e-10");
    EXPECT_EQ(std::get<EventDriven>(scheme(euler, {.scheme = "event-driven", .tolerance = "1e-4/R"})).tolerance, 1e-5);
    EXPECT_EQ(describe(scheme(euler, {.scheme = "euler-moreau"})), "euler-moreau, theta = 0.5, gamma = 0.5");
    EXPECT_EQ(describe(scheme("scheme = \"explicit-euler\"\nband = 0.1\n", {.scheme = "runge-kutta"})),
              "explicit Runge-Kutta, band = 0.1");
    EXPECT_EQ(mistake(euler, {.scheme = "event-drven"}),
              "--scheme: there is no scheme 'event-drven'; did you mean 'event-driven'?");
    EXPECT_EQ(
        mistake(euler, {.tolerance = "1e-6"}),
        "--tolerance: is not an option of the scheme \"euler-moreau\"; give --scheme event-driven too, or leave it "
        "out");
    EXPECT_EQ(mistake("", {.scheme = "event-driven", .tolerance = "1e-4*Q"}).find("--tolerance: unknown name 'Q'"), 0u)
        << mistake("", {.scheme = "event-driven", .tolerance = "1e-4*Q"});
    EXPECT_NE(mistake("thetta = 1\n", {.scheme = "event-driven"}).find("there is no such key; did you mean 'theta'?"),
              std::string::npos);
    EXPECT_NE(mistake("", {.scheme = "event-driven", .tolerance = "2"}).find("the tolerance is 2"), std::string::npos);
}

TEST(ModelFile, SetsBecomeInteractions) {
    const auto text = [](const std::string& set) {
        return with("[interactions", "[sets.wall]\n" + set + "\n[interactions");
    };
    const ModelFile file = parse_model_file(text("box = { lower = [\"t\", 0] }"), "file.toml");
    ASSERT_EQ(file.first_order().interactions.size(), 2u);
    EXPECT_EQ(file.first_order().interactions[1].name, "wall");
    EXPECT_EQ(file.first_order().interactions[1].rows(), 2);
    EXPECT_EQ(message(text("ball = { centre = [0, 0], radius = -1 }")),
              "file.toml:10: sets.wall: ball: at t = 0 the radius is -1: the set is empty");
    EXPECT_EQ(message(text("ball = { centre = [0, 0, 0], radius = 1 }")),
              "file.toml:10: sets.wall: has 3 dimensions; x has 2 states");
    EXPECT_EQ(message(text("disk = { centre = [0, 0], radius = 1 }"))
                  .find("file.toml:11: sets.wall.disk: there is no such key; known are systems, "),
              0u)
        << message(text("disk = { centre = [0, 0], radius = 1 }"));
    EXPECT_EQ(message(text("")),
              "file.toml:10: sets.wall: has 0 of the keys half_space, polyhedron, box and ball; give one of them");
    EXPECT_EQ(
        message(text("half_space = { offset = 1 }")).find("file.toml:11: sets.wall.half_space.normal: is missing"), 0u);
}

}  // namespace
}  // namespace saltus
