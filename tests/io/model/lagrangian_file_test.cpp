#include <gtest/gtest.h>

#include "saltus/io/model/model_file.hpp"
#include "support/refusal.hpp"

namespace saltus {
namespace {

using testing::refusal;

const std::string arm = R"toml(
[parameters]
m = 2.0
g = 9.81
[signals]
height = "sin(q[0]) + q[1]"
[systems.arm]
q0 = [0.5, 0]
v0 = [0, 1]
mass = [["m*(1 + q[1]^2)", 0], [0, "m"]]
inertial = "derived"
force = ["-g*cos(q[0])", "-q[1] - 0.5*v[1] + sin(t)"]
[systems.plate]
q0 = [0, 0]
mass = [1, 3]
stiffness = 4
force = ["-3*q[0] - v[1]", "cos(t)"]
[contacts.tip]
systems = ["arm", "plate"]
gap = "height - q[2]"
slip = "q[0] + q[3]"
restitution = 0.5
friction = "m/4"
impact = "fremond"
[contacts.floor]
systems = "plate"
gap = "q[0] + 1 - 0.1*t"
tangents = [0, 1]
cohesion = 3
brittle = true
[joints.pin]
systems = "arm"
coordinate = "q[0]"
lower = -1
upper = "pi/2"
friction = 0.3
[joints.drive]
systems = "plate"
constraint = "q[1] - sin(t)"
[springs.stop]
systems = "plate"
gap = "q[0] + 2"
table = [[0, 0], [0.1, 2], [0.3, 2], [0.4, 4]]
[forces.motor]
systems = "arm"
y = "q[1] + v[1]"
direction = [0, 1]
law = "relay"
[simulation]
step = 1e-3
t_end = 1
projection = "direct"
)toml";

std::string arm_with(const std::string& from, const std::string& to) {
    std::string text = arm;
    return text.replace(text.find(from), from.size(), to);
}
std::string mistake_in(const std::string& text) {
    return refusal([&] { parse_model_file(text, "arm.toml"); });
}

TEST(LagrangianFile, TablesBecomeSystemsAndInteractions) {
    const ModelFile file = parse_model_file(arm, "arm.toml");
    const LagrangianModel& model = file.lagrangian();
    EXPECT_EQ(model.coordinates(), 4);
    ASSERT_EQ(model.interactions.size(), 8u);
    std::vector<std::string> names;
    for (const LagrangianInteraction& interaction : model.interactions) names.push_back(interaction.name);
    EXPECT_EQ(names, (std::vector<std::string>{"tip", "floor", "pin.lower", "pin.upper", "pin.friction", "drive",
                                               "stop", "motor"}));
    EXPECT_TRUE(model.systems[0].derives_inertial_terms);
    const LagrangianSystem& plate = model.systems[1];
    EXPECT_TRUE(plate.is_linear());
    EXPECT_EQ(plate.K.to_dense(), (Eigen::Matrix2d() << 7, 0, 0, 4).finished());
    EXPECT_EQ(plate.C.to_dense(), (Eigen::Matrix2d() << 0, 1, 0, 0).finished());
    EXPECT_EQ(plate.M.to_dense(), (Eigen::Matrix2d() << 1, 0, 0, 3).finished());
    EXPECT_EQ(plate.v0, Eigen::Vector2d::Zero());
    const ContactLaw& tip = std::get<ContactLaw>(model.interactions[0].law);
    EXPECT_EQ(tip.friction, 0.5);
    EXPECT_EQ(tip.tangential_restitution, 0.5);
    EXPECT_EQ(model.rows_of(model.interactions[0]), 2);
    const LagrangianInteraction& floor = model.interactions[1];
    EXPECT_TRUE(floor.is_linear());  // constant tangents are rates of positions
    EXPECT_EQ(floor.G.to_dense(), Eigen::Matrix2d::Identity());
    EXPECT_TRUE(std::get<ContactLaw>(floor.law).is_brittle);
    const std::vector<SpringLaw::Piece>& pieces = std::get<SpringLaw>(model.interactions[6].law).pieces;
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_DOUBLE_EQ(pieces[0].stiffness, 20.0);
    EXPECT_EQ(pieces[0].most, 2.0);
    EXPECT_DOUBLE_EQ(pieces[1].stiffness, 20.0);
    EXPECT_EQ(pieces[1].start, 0.3);
    EXPECT_EQ(std::get<MoreauJean>(*file.simulation.scheme).projection, Projection::direct);
    model.check();
}

TEST(LagrangianFile, StepsOfAutomaticLength) {
    const ModelFile file =
        parse_model_file(arm_with("projection", "tolerance = 1e-5\nmin_step = 1e-7\nprojection"), "");
    const MoreauJean scheme = std::get<MoreauJean>(*file.simulation.scheme);
    ASSERT_TRUE(scheme.control.has_value());
    EXPECT_EQ(scheme.control->tolerance, 1e-5);
    EXPECT_EQ(scheme.control->min_step, 1e-7);
    EXPECT_FALSE(std::get<MoreauJean>(*parse_model_file(arm, "").simulation.scheme).control.has_value());
}

TEST(LagrangianFile, ASchemeOfTheCommandKeepsOptionsOfTheSameMeaning) {
    const auto scheme = [](const std::string& lines, const SchemeSettings& settings) {
        return *parse_model_file(arm_with("projection = \"direct\"", lines), "", {}, settings).simulation.scheme;
    };
    const std::string controlled = "projection = \"direct\"\ntolerance = 1e-5\nmin_step = 1e-7\n";
    // The error of a step of moreau-jean is not that of the motion between events, in neither direction.
    EXPECT_EQ(std::get<EventDriven>(scheme(controlled, {.scheme = "event-driven"})).tolerance, EventDriven{}.tolerance);
    const std::string located = "scheme = \"event-driven\"\ntolerance = 1e-12\n";
    EXPECT_EQ(std::get<MoreauJean>(scheme(located, {.scheme = "moreau-jean"})).control, std::nullopt);
    EXPECT_EQ(std::get<EventDriven>(scheme(located, {.scheme = "event-driven"})).tolerance, 1e-12);
    EXPECT_EQ(std::get<MoreauJean>(scheme(controlled, {.scheme = "moreau-jean"})).control->min_step, 1e-7);
    EXPECT_EQ(std::get<MoreauJean>(scheme(located, {.scheme = "moreau-jean", .tolerance = "1e-4"})).control->tolerance,
              1e-4);
    const std::string polygon = "scheme = \"stewart-trinkle\"\nfacets = 8\n";
    EXPECT_EQ(std::get<AnitescuPotra>(scheme(polygon, {.scheme = "anitescu-potra"})).facets, 8);
    EXPECT_EQ(std::get<MoreauJean>(scheme(controlled, {.tolerance = "1e-4"})).control->tolerance, 1e-4);
    EXPECT_EQ(std::get<MoreauJean>(scheme("", {.tolerance = "1e-4"})).control->tolerance, 1e-4);
    EXPECT_TRUE(std::holds_alternative<D1Minus>(scheme(controlled, {.scheme = "d1-minus"})));
    EXPECT_EQ(std::get<MoreauJean>(scheme("scheme = \"d1-minus\"", {.scheme = "moreau-jean"})).control, std::nullopt);
    EXPECT_EQ(
        refusal([&] { scheme("", {.scheme = "d1-minus", .tolerance = "1e-6"}); }),
        "--tolerance: is not an option of the scheme \"d1-minus\"; give --scheme moreau-jean or event-driven too, "
        "or leave it out");
    // What is wrong in the file stays wrong.
    EXPECT_NE(refusal([&] {
                  scheme("scheme = \"d1-minus\"\ntolerance = 1e-6", {.scheme = "moreau-jean"});
              }).find("simulation.tolerance: is not an option of the scheme \"d1-minus\"; delete it"),
              std::string::npos);
}

TEST(LagrangianFile, MistakesAreShownWithLineAndKey) {
    EXPECT_EQ(mistake_in(arm_with("inertial = \"derived\"\n", "")),
              "arm.toml:7: systems.arm.inertial: is missing, and the mass depends on q; write \"derived\", or "
              "expressions of q and v, or 0 if `force` holds them");
    EXPECT_EQ(mistake_in(arm_with("v0 = [0, 1]", "v0 = [0, 1, 2]")),
              "arm.toml:9: systems.arm.v0: has 3 entries; it must have 2, one per coordinate");
    EXPECT_EQ(mistake_in(arm_with("mass = [1, 3]", "mas = [1, 3]")),
              "arm.toml:15: systems.plate.mas: there is no such key; did you mean 'mass'?");
    EXPECT_EQ(mistake_in(arm_with("mass = [1, 3]\n", "")),
              "arm.toml:13: systems.plate.mass: is missing; give a number, a list or a matrix");
    EXPECT_EQ(mistake_in(arm_with("gap = \"height - q[2]\"\n", "")),
              "arm.toml:18: contacts.tip.gap: is missing; give the distance, an expression of q and t");
    EXPECT_NE(mistake_in(arm_with("\"height - q[2]\"", "\"height - lambda[0]\""))
                  .find("arm.toml:20: contacts.tip.gap: unknown name 'lambda'"),
              std::string::npos);
    EXPECT_EQ(mistake_in(arm_with("\"fremond\"", "\"fremont\"")),
              "arm.toml:24: contacts.tip.impact: there is no impact 'fremont'; did you mean 'fremond'?");
    EXPECT_EQ(mistake_in(arm_with("slip = \"q[0] + q[3]\"\n", "")),
              "arm.toml:18: contacts.tip: interaction 'tip': friction is 0.5, and the contact has no sliding velocity; "
              "give it a second row, or tangents");
    EXPECT_EQ(mistake_in(arm_with("[0.3, 2]", "[0.3, 1]")),
              "arm.toml:43: springs.stop.table: penetrations must increase, and forces must not decrease");
    EXPECT_EQ(mistake_in(arm_with("\"direct\"", "\"direkt\"")),
              "arm.toml:52: simulation.projection: there is no projection 'direkt'; did you mean 'direct'?");
    EXPECT_EQ(mistake_in(arm_with("projection", "tolerance = -1\nprojection")),
              "arm.toml:49: simulation: moreau-jean: the tolerance is -1; it must be positive");
    EXPECT_EQ(
        mistake_in(arm_with("projection", "min_step = 1e-6\nprojection")),
        "arm.toml:52: simulation.min_step: is not an option of the scheme \"moreau-jean without tolerance\"; delete "
        "it");
    EXPECT_EQ(mistake_in(arm_with("[systems.plate]\nq0", "[systems.plate]\nx0")),
              "arm.toml:13: systems.plate: has another kind than the systems before it; all have q0, or all have x0");
    EXPECT_EQ(mistake_in(arm_with("lower = -1\nupper = \"pi/2\"\nfriction = 0.3\n", "")),
              "arm.toml:31: joints.pin.coordinate: has no effect; give lower, upper or friction");
    EXPECT_NE(mistake_in(arm_with("[contacts.floor]", "[interactions.floor]")).find("there is no such key"),
              std::string::npos);
}

}  // namespace
}  // namespace saltus
