#include "saltus/io/model/scene.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "saltus/io/model/model_file.hpp"
#include "saltus/io/model/shape_table.hpp"
#include "saltus/io/result/result_view.hpp"
#include "support/refusal.hpp"
#include "support/result_of.hpp"

namespace saltus {
namespace {

using testing::drawn_ball;
using testing::refusal;
using testing::ResultOf;

// A model of one block, drawn as `view` says.
std::string block_drawn(const std::string& view) {
    return R"toml([parameters]
size = 2
[signals]
turn = "q[1]/2"
[systems.block]
q0 = [0, 0]
mass = 1
[contacts.floor]
gap = "q[0] + 1"
[simulation]
step = 0.1
t_end = 1
)toml" + view;
}

std::string message(const std::string& view) {
    return refusal([&] { parse_model_file(block_drawn(view), "m.toml"); });
}

Scene scene_of(const ResultOf& result) {
    const ResultReader reader(result.file.path());
    return ResultView(reader).scene();
}

TEST(Scene, HasWhatItsTablesSay) {
    const ResultOf result(drawn_ball);
    const Scene scene = scene_of(result);
    ASSERT_EQ(scene.bodies.size(), 3u);
    EXPECT_EQ(scene.bodies[0].name, "ball");
    EXPECT_EQ(std::get<Sphere>(scene.bodies[0].shape).radius, 0.1);
    EXPECT_EQ(scene.bodies[0].color, "#0072b2");
    EXPECT_EQ(scene.bodies[0].systems, std::vector<std::string>{"ball"});
    EXPECT_EQ(std::get<Plane>(scene.bodies[1].shape).size, Eigen::Vector2d(4, 1));
    ASSERT_EQ(scene.contacts.size(), 1u);
    EXPECT_EQ(scene.contacts[0].name, "ground");
}

// Poses by hand, from the channels.
TEST(Scene, PutsBodiesWhereTheirExpressionsSay) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const Trajectory run = reader.trajectory();
    Frame frame;
    for (const Index k : {Index(0), Index(300), reader.samples() - 1}) {
        view.read_frame(k, frame);
        const Eigen::Vector3d q(run.channel("ball.q[0]")[k], run.channel("ball.q[1]")[k], run.channel("ball.q[2]")[k]);
        EXPECT_EQ(frame.t, run.times[static_cast<std::size_t>(k)]);
        EXPECT_EQ(frame.bodies[0].position, Eigen::Vector3d(q[0], 0, q[1]));
        // Counterclockwise seen from the front: x turns towards z.
        const Eigen::Vector3d x = frame.bodies[0].rotation * Eigen::Vector3d::UnitX();
        EXPECT_LT((x - Eigen::Vector3d(std::cos(q[2]), 0, std::sin(q[2]))).norm(), 1e-12);
        const Eigen::Vector3d a(0, 0, 1), b(q[0], 0, q[1]);
        EXPECT_LT((frame.bodies[2].position - 0.5 * (a + b)).norm(), 1e-12);
        EXPECT_NEAR(frame.bodies[2].length, (b - a).norm(), 1e-12);
        EXPECT_LT((frame.bodies[2].rotation * Eigen::Vector3d::UnitZ() - (b - a).normalized()).norm(), 1e-12);
    }
}

// The force is that of the channels, in the directions of normal and tangent whatever their length; the state is that
// of the places: open in flight, slips in the first impact, sticks when it rolls.
TEST(Scene, TellsForceAndStateOfContacts) {
    const ResultOf result(drawn_ball);
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    const Trajectory run = reader.trajectory();
    const Eigen::VectorXd normal = run.channel("ground.force[0]"), tangential = run.channel("ground.force[1]"),
                          sliding = run.channel("ground.u[1]");
    Frame frame;
    std::array<int, 4> seen{};
    for (Index k = 0; k < reader.samples(); ++k) {
        view.read_frame(k, frame);
        const ContactForce& contact = frame.contacts[0];
        EXPECT_LT((contact.force - Eigen::Vector3d(tangential[k], 0, normal[k])).norm(), 1e-12);
        EXPECT_EQ(contact.gap, run.channel("ground.gap")[k]);
        ++seen[static_cast<std::size_t>(contact.state)];
        if (k == 0) continue;
        if (normal[k] > 0.0 && normal[k] < 1e-9) continue;  // rounding of a force of 9.81: any state is right
        const ContactState expected = normal[k] == 0.0               ? ContactState::open
                                      : std::abs(sliding[k]) > 1e-12 ? ContactState::slips
                                                                     : ContactState::sticks;
        ASSERT_EQ(contact.state, expected) << "sample " << k;
    }
    for (const ContactState state : {ContactState::open, ContactState::slips, ContactState::sticks})
        EXPECT_GT(seen[static_cast<std::size_t>(state)], 0);
}

TEST(Scene, KnowsEveryShape) {
    const ResultOf result(block_drawn(R"toml(
[view.bodies]
a = { shape = "box", size = ["size", 1, 1], position = ["q[0]", 0, "turn"] }
b = { shape = "cylinder", radius = 1, length = 2, along = "x", position = [0, 0, 0], angle = "t", axis = [0, 0, 2] }
c = { shape = "capsule", radius = 1, length = 2, position = [0, 0, 0], quaternion = ["2*cos(t)", 0, 0, "2*sin(t)"] }
d = { shape = "spring", radius = 1, turns = 3, from = [0, 0, 0], to = [0, 0, "1 + q[0]"] }
e = { shape = "prism", depth = 1, outline = [[0, 0], [0, 1], [1, 1], [1, 0]], position = [0, 0, 0] }
f = { shape = "mesh", vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 2]], position = [0, 0, 0] }
)toml"));
    const ResultReader reader(result.file.path());
    const ResultView view(reader);
    ASSERT_TRUE(view.warnings().empty()) << view.warnings().front();
    ASSERT_EQ(view.scene().bodies.size(), 6u);
    Frame frame;
    view.read_frame(reader.samples() - 1, frame);
    const double t = frame.t;
    const Eigen::Vector3d along = frame.bodies[1].rotation * Eigen::Vector3d::UnitZ();
    EXPECT_LT((along - Eigen::Vector3d(std::cos(t), std::sin(t), 0)).norm(), 1e-12);
    EXPECT_NEAR(frame.bodies[2].rotation.norm(), 1.0, 1e-12);
    EXPECT_NEAR(frame.bodies[2].rotation.z(), std::sin(t), 1e-12);
    EXPECT_EQ(std::get<Coil>(view.scene().bodies[3].shape).turns, 3);
    EXPECT_EQ(std::get<TriangleMesh>(view.scene().bodies[5].shape).triangles.size(), 1u);
}

// Six times the volume, by the divergence theorem: positive where triangles are counterclockwise seen from outside.
double volume(const TriangleMesh& mesh) {
    double sum = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(k)]; };
        sum += at(a).dot(at(b).cross(at(c)));
    }
    return sum / 6.0;
}

TEST(Prism, HasTheVolumeOfItsOutline) {
    Eigen::MatrixXd star(10, 2);  // not convex; clockwise and counterclockwise
    double area = 0.0;
    for (Index k = 0; k < 10; ++k) {
        const double angle = static_cast<double>(k) * std::numbers::pi / 5, radius = k % 2 == 0 ? 1.0 : 0.3;
        star.row(k) << 2.0 + radius * std::cos(angle), radius * std::sin(angle);
    }
    area = 10 * 0.5 * 1.0 * 0.3 * std::sin(std::numbers::pi / 5);
    EXPECT_NEAR(volume(*prism_of(star, 2.0)), 2.0 * area, 1e-12);
    EXPECT_NEAR(volume(*prism_of(star.colwise().reverse(), 2.0)), 2.0 * area, 1e-12);
    Eigen::MatrixXd bow(4, 2);  // crosses itself
    bow << 0, 0, 1, 1, 1, 0, 0, 1;
    EXPECT_FALSE(prism_of(bow, 1.0).has_value());
    EXPECT_FALSE(prism_of(Eigen::MatrixXd::Zero(3, 2), 1.0).has_value());
}

TEST(Scene, TurnsZToADirectionByTheShortestRotation) {
    const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    std::vector<Eigen::Vector3d> directions{z, -z, {1e-9, 0.0, -1.0}, {0.0, 1e-200, -1.0}, {3e-200, 4e-200, 0.0}};
    for (int k = 0; k < 100; ++k) directions.push_back(std::pow(10.0, k - 50) * Eigen::Vector3d::Random());
    for (const Eigen::Vector3d& direction : directions) {
        const Eigen::Vector3d d = direction.stableNormalized();
        const Rotation rotation = turned_to(direction);
        EXPECT_NEAR(rotation.norm(), 1.0, 1e-15);
        EXPECT_LT((rotation * z - d).norm(), 1e-15) << direction.transpose();
        EXPECT_EQ(rotation.z(), 0.0);  // the axis is perpendicular to z, which makes it the shortest
    }
}

TEST(Scene, MistakesAreToldBeforeARun) {
    const auto expect = [](const std::string& view, const std::string& words) {
        EXPECT_NE(message(view).find(words), std::string::npos) << message(view);
    };
    EXPECT_EQ(message(""), "accepted");
    expect("[view.body.a]", "m.toml:13: view.body: there is no such key; known are bodies, contacts");
    expect("[view.bodies.a]\nradius = 1", "view.bodies.a.shape: is missing; give sphere, box");
    expect("[view.bodies.a]\nshape = 'spere'", "there is no shape 'spere'; did you mean 'sphere'?");
    expect("[view.bodies.a]\nshape = 'sphere'\nposition = [0, 0, 0]", "view.bodies.a.radius: is missing");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = -1\nposition = [0, 0, 0]", "is -1; it must be positive");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1", "position: is missing; give a point");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = [0, 0]", "has 2 entries; it must have 3");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = [0, 0, 'q[2]']", "index 2 out of range");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = [0, 0, 0]\nsize = 3", "there is no such key");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = [0, 0, 0]\ncolor = 'red'",
           "is 'red'; write it as \"#0072b2\"");
    expect("[view.bodies.a]\nshape = 'sphere'\nradius = 1\nposition = [0, 0, 0]\naxis = [1, 0, 0]",
           "has no effect without angle");
    expect("[view.bodies.a]\nsystems = 'blok'\nshape = 'sphere'\nradius = 1\nposition = [0, 0, 0]",
           "there is no system 'blok'");
    expect("[view.bodies.a]\nshape = 'mesh'\nvertices = [[0, 0, 0]]\ntriangles = [[0, 0, 1]]\nposition = [0, 0, 0]",
           "names vertex 1; there are 1");
    expect("[view.contacts.flor]\npoint = [0, 0, 0]", "there is no contact 'flor'; did you mean 'floor'?");
    expect("[view.contacts.floor]\npoint = [0, 0, 0]", "view.contacts.floor.normal: is missing");
}

// A result whose text is not a model, or one that other programs wrote, is shown without a scene.
TEST(Scene, IsLeftOutWhereTheTextCannotBeRead) {
    const testing::TemporaryFile file;
    const ModelFile model = parse_model_file(block_drawn(""), "m.toml");
    for (const std::string text : {"no [toml", "", "[view.bodies.a]\nshape = 'what'"}) {
        {
            ResultWriter writer(file.path(), result_names(model.lagrangian(), MoreauJean{}), text, {});
            writer.finish({});
        }
        const ResultReader reader(file.path());
        const ResultView view(reader);
        EXPECT_TRUE(view.scene().is_empty());
        EXPECT_EQ(view.warnings().empty(), text.empty());
    }
}

}  // namespace
}  // namespace saltus
